import { makeEvent, streamOf } from '../events/index.ts';
import type { Json } from '../events/json.ts';
import { requestOf, standingOf } from '../runs/standing.ts';
import type { Around } from './around.ts';
import type { Judged } from './judge.ts';

/** What of a judged call the user can answer. */
export interface Asks {
  readonly about: 'intent' | 'tool' | 'slots';
  readonly slots: readonly string[];
  /** The words that the record carries for the user. */
  readonly text: string;
}

/**
 * In the skeleton's form the returned record is the question: what it asks is recorded as asked, so that ceilings count it (R13) and an
 * answer has a question that it answers (R9). What is already open is not asked again.
 */
export async function recordAsked(
  around: Around,
  judged: Judged,
  request: string,
  asks: Asks,
): Promise<void> {
  const { log, clock, newId } = around;
  const made = { id: newId(), at: clock() };
  const base = { run: judged.run, text: { plain: asks.text }, shown: [], notices: [] } as const;
  if (asks.about !== 'slots') {
    const standing = requestOf(log, request);
    const event = makeEvent('QuestionAsked', { ...base, about: asks.about, slots: [], tool: null }, made);
    const stream = streamOf.request(request);
    await log.append({ writes: [{ stream, expected: standing?.version ?? 'none', events: [event] }] });
    return;
  }
  const standing = standingOf(log, judged.call);
  if (standing === null) return;
  const open = new Set(standing.questions.flatMap((question) => question.open));
  const slots = asks.slots.filter((slot) => !open.has(slot)).map((slot) => ({ slot, candidate: null }));
  if (slots.length === 0) return;
  const event = makeEvent(
    'QuestionAsked',
    { ...base, about: 'slots', slots, tool: judged.input.tool_digest },
    made,
  );
  const stream = streamOf.call(judged.call);
  await log.append({ writes: [{ stream, expected: standing.version, events: [event] }] });
}

/**
 * Records what the caller brings as answers, each to the open question for its slot. Only the caller says that the user said so, and the
 * record says that. What nobody asked is not taken.
 *
 * @param answers by slot; null: the user said that there is none
 * @returns whether any was taken
 */
export async function recordAnswers(
  around: Around,
  call: string,
  user: string | null,
  answers: ReadonlyMap<string, Json>,
): Promise<boolean> {
  const { log, clock, newId } = around;
  const standing = standingOf(log, call);
  const at = clock();
  const events = (standing?.questions ?? []).flatMap((question) => {
    const given = question.open.flatMap((slot) => {
      const value = answers.get(slot);
      return value === undefined || question.data.about !== 'slots'
        ? []
        : [{ slot, value: { plain: value }, none: value === null, candidate: null }];
    });
    if (given.length === 0) return [];
    const by = { user, known_by: 'caller', said: null } as const;
    const data = { question: question.id, by, answers: given, declined: false };
    return [makeEvent('AnswerReceived', data, { id: newId(), at })];
  });
  if (standing === null || events.length === 0) return false;
  await log.append({ writes: [{ stream: streamOf.call(call), expected: standing.version, events }] });
  return true;
}
