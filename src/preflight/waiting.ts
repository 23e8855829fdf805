import { plainOf } from '../events/content.ts';
import type { DataOf } from '../events/index.ts';
import type { Json } from '../events/json.ts';
import type { SyncLog } from '../log/index.ts';
import type { RequestStanding } from '../projections/request-standing.ts';
import type { CallStanding } from '../projections/standing.ts';
import { requestOf, standingOf } from '../runs/standing.ts';
import { startedRun } from '../runs/started-run.ts';
import { candidateOf, type QuestionDraft } from './questions.ts';
import { textOfRest } from './rest-text.ts';
import { openIntentQuestion, openQuestions } from './standing-question.ts';

/** A question as it stands in the log, with what is still open of it. */
export interface AskedQuestion {
  readonly id: string;
  readonly about: QuestionDraft['about'];
  /** null: it is about what was meant, and so about no call. */
  readonly call: string | null;
  readonly request: string;
  /** The words to show. */
  readonly text: string;
  /** The values that are still to be given, one field each. */
  readonly slots: readonly {
    readonly slot: string;
    /** A value of an earlier execution, which the user may confirm with `{ slot, candidate: true }`. Left out: none. */
    readonly prior?: Json;
  }[];
  /** What a yes approves, together. */
  readonly shown: readonly { readonly slot: string; readonly value: Json }[];
  readonly notices: readonly string[];
}

/** What waits for the user at a call, and of what was meant in its request; nothing where there is no such call. */
export function waitingAt(log: SyncLog, call: string): readonly AskedQuestion[] {
  const standing = standingOf(log, call);
  const request = standing?.run == null ? null : requestOf(log, standing.run.started.request);
  return standing === null || request === null ? [] : waitingFor(log, standing, request);
}

/** What waits for the user: of a call, and of what was meant in its request. */
export function waitingFor(
  log: SyncLog,
  standing: CallStanding,
  request: RequestStanding,
): readonly AskedQuestion[] {
  const kind = standing.run?.verdict?.verdict.kind;
  const meant = openIntentQuestion(log, request);
  const open = kind === 'unknown' ? openQuestions(standing) : [];
  // A notice waits for no answer: it is shown, and the next run finds that it was.
  const shown = standing.questions.filter(
    ({ data }) => data.run === standing.run?.id && data.about === 'slots' && data.slots.length === 0,
  );
  return [
    ...(meant === null ? [] : [asked(log, meant, null, request.request, [])]),
    ...[...shown, ...open].map((question) =>
      asked(log, question, standing.call, request.request, question.open),
    ),
  ];
}

function asked(
  log: SyncLog,
  { id, data }: { readonly id: string; readonly data: DataOf<'QuestionAsked'> },
  call: string | null,
  request: string,
  open: readonly string[],
): AskedQuestion {
  const asks = data.about === 'slots' ? data.slots.filter(({ slot }) => open.includes(slot)) : [];
  const slots = asks.map(({ slot, candidate }) => {
    const offered = call === null ? undefined : offeredBy(log, call, data, candidate);
    return offered === undefined ? { slot } : { slot, prior: offered.value };
  });
  const isWhole = data.about !== 'slots' || slots.length === data.slots.length;
  return {
    id,
    about: data.about,
    call,
    request,
    text: (isWhole || call === null ? null : textOfRest(log, call, data, slots)) ?? plainOf(data.text),
    slots,
    shown: data.shown.map(({ slot, value }) => ({ slot, value: plainOf(value) })),
    notices: data.notices,
  };
}

/** The prior value that a question offered, and its origin: it stands among the entries of the run that asked. */
export function offeredBy(
  log: SyncLog,
  call: string,
  { run }: DataOf<'QuestionAsked'>,
  candidate: DataOf<'QuestionAsked'>['slots'][number]['candidate'],
) {
  if (candidate === null) return undefined;
  const asker = startedRun(log, call, run);
  return asker === null
    ? undefined
    : candidateOf(
        asker.started.entries.map(({ entry }) => entry),
        candidate,
      );
}
