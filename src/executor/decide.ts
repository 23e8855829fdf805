import type { EXECUTION_REFUSALS } from '../events/execution.ts';
import type { Verdict } from '../events/verdict.ts';
import { isExecutable } from '../projections/verdict-facts.ts';

/** Why an executor does not make a call. */
export type Refusal = (typeof EXECUTION_REFUSALS)[number];

/** An earlier start of the same call, as far as another one is judged by it. */
export interface EarlierStart {
  /** The verdict event that it consumed. */
  readonly verdict: string;
  readonly outcome: 'open' | 'unknown' | 'succeeded' | 'failed';
  /** A recurring trigger fired after this start and before the run that is decided on. */
  readonly triggered_since: boolean;
}

/** Everything that a decision rests on, as the log holds it at the versions that the commit is conditioned on. */
export interface Facts {
  /** The run is the newest of its call. */
  readonly newest: boolean;
  /** Of the run: null where it has none. `at` is when it was recorded. */
  readonly verdict: { readonly event: string; readonly at: string; readonly record: Verdict } | null;
  /** The executor's own clock, and how old a verdict may be by it. Instants are UTC; the age is in milliseconds. */
  readonly now: string;
  readonly max_age: number;
  readonly starts: readonly EarlierStart[];
  /** The digest that was judged, and the newest one of its stream; null where the stream is empty. */
  readonly tool: Redeclared;
  readonly checklists: readonly Redeclared[];
  /** Versions of the setting streams that the run looked at: then and now. */
  readonly settings: readonly { readonly judged: number; readonly found: number }[];
  /** What came after the run: pieces typed into the conversation, answers and approvals, revocations. */
  readonly typed: number;
  /** Results since that measure a fact of this run or make it stale, and starts of calls that would. */
  readonly measured: number;
  readonly answered: number;
  readonly revoked: number;
  readonly abandoned: boolean;
  /** Another call of this request sent the same to the same tool, and it may have had its effect. */
  readonly repeated: boolean;
  /** A value that would be sent is sealed, so that the arguments can't be had. */
  readonly sealed: boolean;
  /** The executor's own policy lets it. */
  readonly accepted: boolean;
}

export interface Redeclared {
  readonly judged: string;
  readonly declared: string | null;
}

/** One reason to refuse, with what it stands for. RULES R9, R12, R16; the list is in the order of `EXECUTION_REFUSALS`. */
export interface RefusalRule {
  readonly reason: Refusal;
  readonly says: string;
  readonly applies: (facts: Facts) => boolean;
}

/** A clock that is behind the one that recorded the verdict by more than this can't tell its age. */
export const AHEAD = 60_000;

export const REFUSAL_RULES: readonly RefusalRule[] = [
  {
    reason: 'no_verdict',
    says: 'the run has no verdict',
    applies: ({ verdict }) => verdict === null,
  },
  {
    reason: 'not_executable',
    says: 'something is unknown or unmet',
    applies: ({ verdict }) =>
      verdict !== null && !isExecutable({ ...verdict.record, phase: 'at_trigger' }) && !schedulable(verdict),
  },
  {
    reason: 'not_at_trigger',
    says: 'the call waits for its trigger, and is judged again there',
    applies: ({ verdict }) => verdict !== null && verdict.record.phase !== 'at_trigger',
  },
  {
    reason: 'not_newest',
    says: 'the call was judged again since',
    applies: ({ newest }) => !newest,
  },
  {
    reason: 'consumed',
    says: 'the call was started already',
    applies: ({ verdict, starts }) => starts.some((start) => forbids(start, verdict?.event)),
  },
  {
    reason: 'repeated',
    says: 'the same was already sent to this tool for this request; if the user asks for it again, that is a new request',
    applies: ({ repeated }) => repeated,
  },
  {
    reason: 'too_old',
    says: 'the verdict is older than this executor takes, or its time lies in the future',
    applies: ({ verdict, now, max_age }) => {
      if (verdict === null) return false;
      const age = Date.parse(now) - Date.parse(verdict.at);
      // A time that can't be read gives no age, and no comparison with it holds.
      return !(age <= max_age && age >= -AHEAD);
    },
  },
  {
    reason: 'tool_redeclared',
    says: 'the tool is declared otherwise than it was judged',
    applies: ({ tool, verdict }) =>
      tool.judged !== tool.declared || (verdict !== null && verdict.record.rests_on.tool !== tool.judged),
  },
  {
    reason: 'checklist_redeclared',
    says: 'a checklist has a newer version',
    applies: ({ checklists }) => checklists.some(({ judged, declared }) => judged !== declared),
  },
  {
    reason: 'typed_since',
    says: 'the user typed something since',
    applies: ({ typed }) => typed > 0,
  },
  {
    reason: 'measured_since',
    says: 'what it rests on was measured anew since, or a call that may have changed it was started',
    applies: ({ measured }) => measured > 0,
  },
  {
    reason: 'answered_since',
    says: 'the user answered or approved something since',
    applies: ({ answered }) => answered > 0,
  },
  {
    reason: 'revoked_since',
    says: 'an approval was revoked since',
    applies: ({ revoked }) => revoked > 0,
  },
  {
    reason: 'setting_changed',
    says: 'a setting that the run looked at was changed or revoked since',
    applies: ({ settings }) => settings.some(({ judged, found }) => judged !== found),
  },
  {
    reason: 'arguments_sealed',
    says: 'a value that would be sent is sealed',
    applies: ({ sealed }) => sealed,
  },
  {
    reason: 'executor_declined',
    says: 'this executor does not make such a call',
    applies: ({ accepted }) => !accepted,
  },
  {
    reason: 'request_abandoned',
    says: 'the request was abandoned',
    applies: ({ abandoned }) => abandoned,
  },
];

export type Decision =
  | { readonly decision: 'execute'; readonly refused: readonly [] }
  | { readonly decision: 'refuse'; readonly refused: readonly Refusal[] };

/** Whether to make the call: only where no rule speaks against it, and otherwise with every reason there is. Pure. */
export function decide(facts: Facts): Decision {
  const refused = REFUSAL_RULES.filter(({ applies }) => applies(facts)).map(({ reason }) => reason);
  return refused.length === 0 ? { decision: 'execute', refused: [] } : { decision: 'refuse', refused };
}

/** What a person is told of a refusal. */
export function saysOf(refusal: Refusal): string {
  return REFUSAL_RULES.find(({ reason }) => reason === refusal)?.says ?? refusal;
}

/** It waits for its trigger and is otherwise complete: one reason says that, and not two. */
function schedulable({ record }: NonNullable<Facts['verdict']>): boolean {
  return record.kind === 'schedulable' && record.phase === 'at_instruction';
}

/**
 * A verdict is good for one start. Beyond that a call is not started again while an earlier start may have had its effect;
 * only a recurring trigger starts anew (R12), and a start that failed had none.
 */
function forbids(start: EarlierStart, verdict: string | undefined): boolean {
  if (start.verdict === verdict) return true;
  return start.outcome !== 'failed' && !start.triggered_since;
}
