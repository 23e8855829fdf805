import { GroundsError } from '../errors.ts';
import { makeEvent, streamOf } from '../events/index.ts';
import { standingOf } from '../runs/standing.ts';
import type { Around } from './around.ts';
import { type By, responderOf } from './by.ts';
import { typedBy } from './conversation.ts';
import { questionClosed } from './find-question.ts';
import { requestInForce } from './open-request.ts';
import type { Replied, SlotAnswer } from './reply.ts';
import { openIntentQuestion } from './standing-question.ts';
import { requireOwnReply } from './whose.ts';

/**
 * What the user replies to a question about what they meant is part of the conversation, and its words are looked at like all
 * that they type. The answer records who typed it and where it stands. `answers` null: they said no, and typed nothing.
 */
export async function sayFor(
  { log, clock, newId }: Around,
  given: {
    readonly question: string;
    readonly request: string;
    readonly by: By;
    readonly answers: readonly SlotAnswer[] | null;
  },
): Promise<Replied> {
  const { question, by } = given;
  const request = requestInForce(log, given.request);
  // The question is of the call that it was asked for; another call of the request may be of another user.
  const asker = request.questions.find(({ id }) => id === question)?.data.run ?? null;
  const calls = request.calls.map((call) => standingOf(log, call));
  requireOwnReply(log, calls.find((call) => asker !== null && call?.runs.includes(asker)) ?? null, by);
  const { conversation } = request.opened;
  const stream = streamOf.conversation(conversation);
  const version = log.versionSync(stream);
  const open = openIntentQuestion(log, request);
  if (open?.id !== question) throw questionClosed(question, open?.id ?? null);
  const at = clock();
  const text = given.answers === null ? null : typedText(question, given.answers);
  const said =
    text === null
      ? (by.said ?? null)
      : { conversation, at: { in: 'text' as const, segment: version, start: 0, end: text.length } };
  const event = makeEvent(
    'AnswerReceived',
    { question, by: responderOf(log, { ...by, said }), answers: [], declined: text === null },
    { id: newId(), at },
  );
  const writes = [
    { stream: streamOf.request(request.request), expected: request.version, events: [event] },
    ...(text === null
      ? []
      : [
          {
            stream,
            expected: version === 0 ? ('none' as const) : version,
            events: [
              makeEvent('SegmentAdded', { segment: typedBy(text, at), source: null }, { id: newId(), at }),
            ],
          },
        ]),
  ];
  await log.append({ writes });
  return { event: event.id, call: null, request: request.request, misfits: [], open: [] };
}

function typedText(question: string, answers: readonly SlotAnswer[]): string {
  const [only] = answers;
  if (answers.length === 1 && only !== undefined && 'text' in only && only.text.trim() !== '')
    return only.text;
  throw new GroundsError('ask/must-be-typed', 'What was meant is answered in the user’s own words.', {
    facts: { question },
    hint: 'Give one answer: { slot: "intent", text: … }.',
  });
}
