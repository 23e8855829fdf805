import { type Content, plainOf } from '../events/content.ts';
import { digestOf } from '../events/digest.ts';
import { type DataOf, parseEvent, parseStream } from '../events/index.ts';
import type { Json } from '../events/json.ts';
import type { Verdict } from '../events/verdict.ts';
import type { Recorded } from '../log/index.ts';
import type { BaselineRun } from './baselines.ts';
import type { CallPlace, CallRow } from './call-row.ts';
import { importedRow } from './imported-row.ts';
import { isExecutable, unknownOf } from './verdict-facts.ts';

/** What a fold reads of a stored event. */
export type Folded = Pick<Recorded, 'position' | 'version' | 'event'>;

type Outcome = Exclude<CallRow['outcome'], 'not_executed'>;

/** The newest run, as far as later events are judged by it. */
interface NewestRun {
  readonly id: string;
  /** Position and time of its `RunStarted`. */
  readonly position: number;
  readonly at: string;
  readonly action_key: string | null;
  /** It judges a call that was already made, from what came before it. */
  readonly audit: boolean;
  readonly gated: boolean;
  /** The event of its verdict. */
  readonly verdict: string | null;
  readonly executable: boolean;
  /** A start has consumed its verdict. */
  readonly spent: boolean;
}

/** What the row alone does not tell, and later events need. Plain JSON, so that it can be kept beside the row. */
export interface CallMemory {
  readonly run: NewestRun | null;
  /** The newest word on whether the call stands under the gate. */
  readonly gated: boolean;
  /** The newest start, or the observation of a call that ran outside the gate. */
  readonly execution: { readonly id: string; readonly outcome: Outcome } | null;
  readonly observed: { readonly outcome: Outcome; readonly grounded: boolean } | null;
  /** A start under the gate had no executable verdict behind it: nothing that comes later mends that. */
  readonly astray: boolean;
  /** Starts that nobody has closed yet, each with the run that becomes a baseline when it succeeded. */
  readonly open: readonly { readonly start: string; readonly run: BaselineRun | null }[];
  /** A live gate's verdict stopped it at least once; a start on good grounds came after that. */
  readonly stopped: boolean;
  readonly resumed: boolean;
  /** Questions that were asked for it, of what was meant too; and whether it was ever started. */
  readonly asked: number;
  readonly started: boolean;
  /** The run that the last event made a baseline of; null where it made none. */
  readonly succeeded: { readonly run: BaselineRun; readonly observed: boolean } | null;
}

export interface CallState {
  readonly row: CallRow;
  readonly place: CallPlace;
  readonly memory: CallMemory;
}

/**
 * One event of a call's stream, folded: pure, and total over what the log can hold. Events that say nothing of the row leave
 * it as it was.
 *
 * @throws GroundsError `events/invalid`, `events/unknown-type`, `events/schema`, `events/stream` as `parseEvent` does
 */
export function foldCall(state: CallState | null, recorded: Folded): CallState {
  const event = parseEvent(recorded.event);
  const last = state ?? begun(recorded);
  const before = last.memory.succeeded === null ? last : remember(last, { succeeded: null });
  switch (event.type) {
    case 'RunStarted':
      return runStarted(before, recorded, event.data);
    case 'VerdictRecorded':
      return verdictRecorded(before, recorded, event.data.verdict);
    case 'CallObserved':
      return observed(before, event.id, event.data);
    case 'QuestionAsked':
      return remember(before, { asked: before.memory.asked + 1 });
    case 'CallStarted':
      return started(before, event.id, event.data);
    case 'CallSucceeded':
      return ended(before, event.data.start, 'succeeded');
    case 'CallFailed':
      return ended(before, event.data.start, 'failed');
    case 'CallReconciled':
      return ended(before, event.data.start, event.data.outcome);
    case 'RecordImported':
      return imported(before, event.id, event.data);
    default:
      // A start already counts as unknown, so `CallOutcomeUnknown` adds nothing; a refusal leaves the call not executed.
      return before;
  }
}

function begun({ position, event }: Folded): CallState {
  const stream = parseStream(event.stream);
  return {
    row: {
      call_id: stream.kind === 'call' ? stream.id : event.stream,
      run_id: null,
      request_id: null,
      action_key: null,
      tool: '',
      arguments: null,
      phase: null,
      ...UNDECIDED,
      outcome: 'not_executed',
      ran_without_grounds: false,
      gated: true,
      origin: null,
    },
    place: { stream: event.stream, position, run: null, conversation: null },
    memory: {
      run: null,
      gated: true,
      execution: null,
      observed: null,
      astray: false,
      open: [],
      stopped: false,
      resumed: false,
      asked: 0,
      started: false,
      succeeded: null,
    },
  };
}

const UNDECIDED = {
  verdict: null,
  exhausted: false,
  unknown_count: null,
  unknown: [],
  unmet: [],
  reductions: [],
  verdict_digest: null,
} satisfies Partial<CallRow>;

function runStarted(
  before: CallState,
  { position, version, event }: Folded,
  data: DataOf<'RunStarted'>,
): CallState {
  const { row, place } = before;
  const prepared = data.proposal?.prepared ?? null;
  const next: CallState = {
    ...before,
    row: {
      ...row,
      ...UNDECIDED,
      run_id: data.run,
      request_id: data.request,
      action_key: data.action_key.key,
      tool: toolOf(data.tool.stream),
      arguments: readable(prepared),
      phase: data.phase,
      origin: data.origin ?? row.origin,
    },
    place: { ...place, run: { from: version, to: version + 1 }, conversation: data.conversation },
  };
  return remember(next, {
    gated: data.gated,
    run: {
      id: data.run,
      position,
      at: event.at,
      action_key: data.action_key.key,
      audit: data.origin !== null,
      gated: data.gated,
      verdict: null,
      executable: false,
      spent: false,
    },
  });
}

function verdictRecorded(before: CallState, { version, event }: Folded, verdict: Verdict): CallState {
  const { row, place, memory } = before;
  if (memory.run === null || place.run === null) return before;
  const executable = isExecutable(verdict);
  const judged: CallState = {
    ...before,
    row: {
      ...row,
      phase: verdict.phase,
      // What stands outside the gate is recorded, not judged: what a verdict would have been is told by its event alone. RULES R20.
      ...(memory.run.gated ? decided(verdict) : UNDECIDED),
    },
    place: { ...place, run: { ...place.run, to: version + 1 } },
  };
  const run = { ...memory.run, verdict: event.id, executable };
  // What is only deferred waits for its trigger; an audit judges what nobody stopped any more.
  const stops = run.gated && !run.audit && !executable && verdict.kind !== 'schedulable';
  const next = remember(judged, { run, stopped: memory.stopped || stops });
  // An audit's run judges the call as it was made, whenever the audit was: the newest one counts.
  if (!run.audit || memory.observed === null) return next;
  return observation(next, { outcome: memory.observed.outcome, grounded: executable });
}

function decided(verdict: Verdict): Pick<CallRow, keyof typeof UNDECIDED> {
  return {
    verdict: verdict.kind,
    exhausted: verdict.exhausted,
    unknown_count: verdict.unknown_count,
    unknown: unknownOf(verdict),
    unmet: verdict.unmet.map(({ slot, reason, declared_by }) => ({ slot_id: slot, reason, declared_by })),
    reductions: verdict.reductions,
    verdict_digest: digestOf(verdict),
  };
}

function observed(before: CallState, id: string, data: DataOf<'CallObserved'>): CallState {
  const { row, memory } = before;
  const { run } = memory;
  const next: CallState = {
    ...before,
    row: {
      ...row,
      tool: run === null ? data.tool : row.tool,
      arguments: data.arguments === null ? row.arguments : readable(data.arguments),
      origin: data.origin ?? row.origin,
    },
  };
  const seen = remember(next, {
    gated: data.gated,
    execution: { id, outcome: data.outcome },
    run: run === null || run.audit ? run : { ...run, spent: true },
  });
  const grounded = run?.executable === true && !run.spent;
  return observation(seen, { outcome: data.outcome, grounded });
}

function observation(before: CallState, observed: NonNullable<CallMemory['observed']>): CallState {
  const run = observed.grounded && observed.outcome === 'succeeded' ? baselineRunOf(before) : null;
  return remember(before, { observed, succeeded: run === null ? null : { run, observed: true } });
}

function started(before: CallState, id: string, data: DataOf<'CallStarted'>): CallState {
  const { run, astray, open, stopped, resumed } = before.memory;
  const grounded =
    run?.executable === true && !run.spent && run.id === data.run && run.verdict === data.verdict;
  return remember(before, {
    execution: { id, outcome: 'unknown' },
    astray: astray || (!grounded && run?.gated !== false),
    run: run === null ? null : { ...run, spent: true },
    open: [...open, { start: id, run: grounded ? baselineRunOf(before) : null }],
    resumed: resumed || (stopped && grounded),
    started: true,
  });
}

/** An outcome that is closed stays closed; only a start that is still open can end. */
function ended(before: CallState, start: string, outcome: 'succeeded' | 'failed'): CallState {
  const { execution, open } = before.memory;
  const own = open.find((item) => item.start === start);
  if (own === undefined) return before;
  const run = outcome === 'succeeded' ? own.run : null;
  return remember(before, {
    execution: execution?.id === start ? { id: start, outcome } : execution,
    open: open.filter((item) => item !== own),
    succeeded: run === null ? null : { run, observed: false },
  });
}

/** Another gate judged it: it does not stand under this one, is no ground for anything, and never a baseline. */
function imported(before: CallState, id: string, data: DataOf<'RecordImported'>): CallState {
  const { outcome, ...said } = importedRow(data);
  const next: CallState = { ...before, row: { ...before.row, ...said } };
  return remember(next, { gated: false, execution: outcome === 'not_executed' ? null : { id, outcome } });
}

/** The one place where the row's outcome and its two flags come from what is remembered. */
function remember(state: CallState, change: Partial<CallMemory>): CallState {
  const memory = { ...state.memory, ...change };
  const { gated, execution, observed, astray } = memory;
  const without = astray || (gated && observed !== null && !observed.grounded);
  return {
    ...state,
    memory,
    row: {
      ...state.row,
      outcome: execution === null ? 'not_executed' : execution.outcome,
      ran_without_grounds: without,
      gated: gated || astray,
    },
  };
}

function baselineRunOf({ row, place, memory }: CallState): BaselineRun | null {
  if (memory.run === null || memory.run.action_key === null || place.run === null) return null;
  return {
    action_key: memory.run.action_key,
    call_id: row.call_id,
    run_id: memory.run.id,
    stream: place.stream,
    position: memory.run.position,
    run: place.run,
  };
}

function toolOf(stream: string): string {
  const name = parseStream(stream);
  return name.kind === 'tool' ? name.name : stream;
}

/** What is sealed can't be shown without its key. */
function readable(content: Content<Json> | null): Json | null {
  return content === null || 'sealed' in content ? null : plainOf(content);
}
