import { makeEvent, streamOf } from '../events/index.ts';
import type { CallStanding, Question } from '../projections/standing.ts';
import { standingOf } from '../runs/standing.ts';
import type { Around } from './around.ts';
import type { By } from './by.ts';
import { typedBy } from './conversation.ts';
import { questionClosed } from './find-question.ts';
import { type OpenRequest, requestInForce } from './open-request.ts';
import { openOf, openQuestions } from './standing-question.ts';
import { type AskedQuestion, waitingFor } from './waiting.ts';
import { requireOwnReply } from './whose.ts';

/** What came of an answer, an approval or a refusal. */
export interface Replied {
  /** The event that records it. */
  readonly event: string;
  readonly call: string | null;
  readonly request: string;
  /** What was said and does not fit its slot: recorded as it was said; the gate finds `format`, and it is asked again. */
  readonly misfits: readonly string[];
  /** The questions that still wait. */
  readonly open: readonly AskedQuestion[];
}

/** A call as it stands, with its request. */
export interface At {
  readonly standing: CallStanding;
  readonly request: OpenRequest;
}

/**
 * The question as it stands, if something of it is open and it is this user's to answer.
 *
 * @throws GroundsError `preflight/other-user`, `ask/question-closed`, `preflight/no-request`, `preflight/abandoned`
 */
export function openAt(
  around: Around,
  call: string,
  question: string,
  by: By,
): At & { readonly question: Question } {
  const standing = standingOf(around.log, call) as CallStanding;
  requireOwnReply(around.log, standing, by);
  const asked = standing.questions.find(({ id }) => id === question) as Question;
  const request = requestInForce(around.log, standing.run?.started.request ?? '');
  const open = openOf(standing, asked);
  if (open.length === 0) throw questionClosed(question, newerThan(standing, asked));
  return { standing, request, question: { ...asked, open } };
}

/** The open question that took another one's place. */
export function newerThan(standing: CallStanding, { position, data }: Question): string | null {
  const slots = new Set([...data.slots, ...data.shown].map(({ slot }) => slot));
  const newer = openQuestions(standing).filter(
    (other) =>
      other.position > position &&
      [...other.data.slots, ...other.data.shown].some(({ slot }) => slots.has(slot)),
  );
  return (newer.find((other) => other.data.about === data.about) ?? newer[0])?.id ?? null;
}

/** One durable commit: it finds the call and its request as they were read, so that of two answers to one question one wins. */
export async function record(
  around: Around,
  { standing, request }: At,
  event: ReturnType<typeof makeEvent>,
  said: { readonly misfits?: readonly string[]; readonly typed?: readonly string[] } = {},
): Promise<Replied> {
  const { log, clock, newId } = around;
  const { misfits = [], typed = [] } = said;
  const segments = typed.map((text) => {
    const at = clock();
    return makeEvent('SegmentAdded', { segment: typedBy(text, at), source: null }, { id: newId(), at });
  });
  const { conversation } = request.opened;
  await log.append({
    writes: [
      { stream: streamOf.call(standing.call), expected: standing.version, events: [event] },
      ...(segments.length === 0
        ? []
        : [{ stream: streamOf.conversation(conversation), expected: 'any' as const, events: segments }]),
    ],
    unchanged: [{ stream: streamOf.request(request.request), version: request.version }],
  });
  const after = standingOf(log, standing.call) as CallStanding;
  return {
    event: event.id,
    call: standing.call,
    request: request.request,
    misfits,
    open: waitingFor(log, after, request),
  };
}
