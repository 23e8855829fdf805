import { type EventType, makeEvent, streamOf } from '../../src/events/index.ts';
import type { DataOf } from '../../src/events/registry.ts';
import type { SlotState, Verdict } from '../../src/events/verdict.ts';
import type { Party, ReasonId, Route, Source } from '../../src/events/vocabulary.ts';
import type { NewEvent } from '../../src/log/index.ts';
import { type CallRow, type CallState, type Folded, foldCall } from '../../src/projections/index.ts';

/** Ids that can be read: `uuid(7)`. */
export const uuid = (n: number): string =>
  `${n.toString(16).padStart(8, '0')}-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
const digest = (n: number): string => `sha256:${String(n).padStart(64, '0')}`;
export const CONVERSATION = uuid(0xc0);

let ids = 0x1000;

export function event<T extends EventType>(
  type: T,
  data: DataOf<T>,
  of: { id?: string; at?: string } = {},
): NewEvent {
  ids += 1;
  const { id = uuid(ids), at = '2026-05-01T10:00:00.000Z' } = of;
  return makeEvent(type, data as never, { id, at });
}

export const unknown = (
  slot: string,
  reason: ReasonId = 'not_said',
  route: Route = 'ask_user',
  more: { waits?: string[]; pending?: boolean; by?: Party } = {},
): SlotState => ({
  state: 'unknown',
  slot,
  declared_by: more.by ?? 'system',
  rule: 'S22',
  rejected: [],
  reason,
  route,
  waits_for: more.waits ?? [],
  pending: more.pending ?? false,
  candidate: null,
});

export const known = (slot: string, source: Source = 'instruction', origin: Source | null = source) =>
  ({
    state: 'known',
    slot,
    declared_by: 'system',
    rule: 'S7',
    rejected: [],
    source,
    origin,
    reason: 'located',
    place: null,
    by: null,
    also: 1,
  }) satisfies SlotState;

/** An executable verdict, or what `change` makes of it. */
export function verdict(change: Partial<Verdict> = {}): Verdict {
  const slots = change.slots === undefined ? [known('/amount')] : change.slots;
  return {
    kind: 'executable',
    rule: 'V11',
    phase: 'at_trigger',
    intent: [],
    slots,
    unknown_count: slots === null ? null : slots.filter(({ state }) => state === 'unknown').length,
    unmet: [],
    not_run: [],
    reductions: [],
    exhausted: false,
    next_attempt: null,
    defects: [],
    rests_on: { gate: digest(1), ruleset: 'standard', tool: digest(2), checklists: [] },
    ...change,
  };
}

export const blank = (...slots: SlotState[]): Verdict =>
  verdict({ kind: 'unknown', rule: 'V9', slots: slots.length === 0 ? [unknown('/amount')] : slots });

export type RunChange = Partial<DataOf<'RunStarted'>>;

export const runStarted = (run: string, change: RunChange = {}, at?: string): NewEvent =>
  event(
    'RunStarted',
    {
      run,
      request: uuid(0xa0),
      conversation: CONVERSATION,
      segments: 1,
      request_from: 0,
      request_boundary: 'declared',
      gate: digest(1),
      ruleset: 'standard',
      phase: 'at_trigger',
      now: null,
      supersedes: null,
      follows: null,
      attempts: { intent: 0, tool: 0 },
      proposal: { received: null, prepared: { plain: { amount: 5 } } },
      tool: { stream: streamOf.tool('', 'transfer'), digest: digest(2) },
      checklists: [],
      unsound: [],
      action_key: { state: 'ok', key: null },
      entries: [],
      environment: { node: '', v8: '', icu: '', unicode: '', tz: '' },
      origin: null,
      gated: true,
      ...change,
    },
    at === undefined ? {} : { at },
  );

export const judged = (
  run: string,
  found: Verdict = verdict(),
  change: RunChange = {},
  at?: string,
): NewEvent[] => [
  runStarted(run, change, at),
  event('LookupPerformed', {
    subject: { slot: '/amount' },
    answers: [{ source: 'instruction', by: 'locator', outcome: { said: 'absent' } }],
  }),
  event('VerdictRecorded', { verdict: found }, { id: verdictId(run) }),
];

/** The event of a run's verdict, so that a start can name it. */
export const verdictId = (run: string): string => `f${run.slice(1)}`;

export const start = (run: string, id: string, change: Partial<DataOf<'CallStarted'>> = {}): NewEvent =>
  event(
    'CallStarted',
    { run, decision: uuid(0xde), verdict: verdictId(run), idempotency_key: null, ...change },
    { id },
  );

export const refused = (run: string): NewEvent =>
  event('ExecutionDecided', {
    run,
    verdict: verdictId(run),
    decision: 'refuse',
    refused: ['not_executable'],
    executor: 'test/1',
  });

export const succeeded = (id: string): NewEvent => event('CallSucceeded', { start: id, result: null });
export const failed = (id: string): NewEvent =>
  event('CallFailed', { start: id, code: 'tool/said-no', result: null });
export const lost = (id: string): NewEvent =>
  event('CallOutcomeUnknown', { start: id, code: 'tool/timeout' });
export const reconciled = (id: string, outcome: 'succeeded' | 'failed'): NewEvent =>
  event('CallReconciled', { start: id, outcome, by: 'measured', result: null, responder: null });

export const observed = (change: Partial<DataOf<'CallObserved'>> = {}): NewEvent =>
  event('CallObserved', {
    tool: 'transfer',
    result: null,
    outcome: 'succeeded',
    gated: true,
    arguments: null,
    origin: null,
    ...change,
  });

export const ORIGIN = { file: 'chats/may.jsonl', line: 3, message: 7 };

/** The events as one call's stream at the beginning of a log. */
export function recorded(events: readonly NewEvent[], call = uuid(1)): Folded[] {
  const stream = streamOf.call(call);
  return events.map((one, index) => ({ position: index, version: index, event: { ...one, stream } }));
}

export function folded(...events: NewEvent[]): CallState {
  const state = recorded(events).reduce<CallState | null>(foldCall, null);
  if (state === null) throw new Error('a call has at least one event');
  return state;
}

export const rowFor = (...events: NewEvent[]): CallRow => folded(...events).row;
