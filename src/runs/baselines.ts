import { resolverOf } from '../../replay/resolve.ts';
import { isGroundsError } from '../errors.ts';
import type { Entry } from '../events/entry.ts';
import type { DataOf } from '../events/index.ts';
import { readValue } from '../gate/assembled.ts';
import { rulesFor } from '../gate/index.ts';
import { listSlots } from '../gate/slot-list.ts';
import { checkRow, type StoredRow, type SyncLog } from '../log/index.ts';
import { type BaselineRun, baselineOf, type CallState, foldCall } from '../projections/index.ts';

/** An executed record of an action key, as an entry of a run, with the event of that record's `RunStarted`. */
export interface BaselineEntry {
  readonly event: string;
  readonly entry: Extract<Entry, { kind: 'baseline' }>;
}

/** The records that runs may inherit from. RULES R17. */
export interface Baselines {
  /** The last of an action key; null where nothing of that key was executed and succeeded before this position. */
  newest(action_key: string, to: number): BaselineEntry | null;
  /**
   * The one that begins with this event, likewise. Once the rows before were read it never throws: where something else stands in its place, what came of reading
   * that, and `sealed` where it can't be had.
   */
  named(
    action_key: string,
    event: string,
    to: number,
  ): BaselineEntry | 'sealed' | { readonly threw: string } | null;
}

/**
 * Folded in memory, and carried on from where it stood: a position never lies before the last one. The projections' own tables
 * live in the log's file, and to bring them up to date would be a durable commit for every call. Imported calls form no baselines,
 * so they are passed over.
 *
 * @param damaged what becomes of a row that can't be relied on: live it is thrown; to a replay, which tells of it by itself, its
 * call forms no baseline, and all others still do
 */
export function baselinesOf(log: SyncLog, damaged: 'thrown' | 'passed over' = 'thrown'): Baselines {
  let position = 0;
  /** null: one of its rows can't be relied on. */
  const calls = new Map<string, CallState | null>();
  const byKey = new Map<string, BaselineRun[]>();

  const upTo = (to: number): void => {
    if (to <= position) return;
    for (const page of log.readSync({ from: position, to, types: TYPES })) {
      for (const row of page) {
        if (!row.stream.startsWith('call/')) continue;
        const before = calls.get(row.stream);
        if (before === null) continue;
        const next = damaged === 'thrown' ? folded(before, row) : tried(before, row);
        if (next === undefined) continue;
        calls.set(row.stream, next);
        const succeeded = next?.memory.succeeded ?? null;
        if (succeeded !== null && !succeeded.observed) keep(byKey, succeeded.run);
      }
    }
    position = to;
  };

  return {
    newest(action_key, to) {
      upTo(to);
      const run = byKey.get(action_key)?.at(-1);
      return run === undefined ? null : entryOf(log, run);
    },
    named(action_key, event, to) {
      upTo(to);
      try {
        const run = (byKey.get(action_key) ?? []).findLast((each) => startOf(log, each) === event);
        return run === undefined ? null : entryOf(log, run);
      } catch (error) {
        const code = isGroundsError(error) ? error.code : 'exception';
        return code === 'events/sealed' ? 'sealed' : { threw: code };
      }
    },
  };
}

/** undefined: the call is none that this gate judged live. */
function folded(before: CallState | undefined, row: StoredRow): CallState | undefined {
  return before === undefined && !beginsLive(row.event) ? undefined : foldCall(before ?? null, row);
}

function tried(before: CallState | undefined, row: StoredRow): CallState | null | undefined {
  if (checkRow(row) !== null) return null;
  try {
    return folded(before, row);
  } catch (error) {
    if (isGroundsError(error)) return null;
    throw error;
  }
}

/** In the order of the runs, not that in which their outcomes came. */
function keep(byKey: Map<string, BaselineRun[]>, run: BaselineRun): void {
  const runs = byKey.get(run.action_key) ?? [];
  byKey.set(run.action_key, runs);
  if (runs.some(({ position }) => position === run.position)) return;
  const after = runs.findLastIndex(({ position }) => position < run.position);
  runs.splice(after + 1, 0, run);
}

const TYPES = [
  'RunStarted',
  'VerdictRecorded',
  'CallStarted',
  'CallSucceeded',
  'CallFailed',
  'CallOutcomeUnknown',
  'CallReconciled',
];

function entryOf(log: SyncLog, run: BaselineRun): BaselineEntry | null {
  const [started, verdict] = rowsOf(log, run);
  if (started === null || verdict === null) return null;
  const baseline = baselineOf(run, () => {
    const { run: input } = resolverOf(log).resolve(started.data, run.position);
    if (input === null) return null;
    const rules = rulesFor(input);
    const slots = new Map(listSlots(input, rules).slots.map((slot) => [slot.id, slot]));
    return {
      verdict,
      valueOf: (id) => {
        const slot = slots.get(id);
        const state = verdict.slots?.find((each) => each.slot === id);
        if (slot === undefined || state?.state !== 'known') return undefined;
        const value = slot.leaf ?? readValue(input, rules, slot, state);
        return value === undefined ? undefined : { plain: value };
      },
    };
  });
  if (baseline === null) return null;
  return { event: started.id, entry: { kind: 'baseline', slots: [...baseline.slots] } };
}

function startOf(log: SyncLog, { stream, run: { from } }: BaselineRun): string | null {
  for (const page of log.readSync({ stream, fromVersion: from, toVersion: from + 1 }))
    for (const { event } of page) return event.id;
  return null;
}

function beginsLive(event: { readonly type: string; readonly data: unknown }): boolean {
  return event.type === 'RunStarted' && (event.data as DataOf<'RunStarted'> | null)?.origin === null;
}

function rowsOf(log: SyncLog, run: BaselineRun) {
  let started: { readonly id: string; readonly data: DataOf<'RunStarted'> } | null = null;
  let verdict: DataOf<'VerdictRecorded'>['verdict'] | null = null;
  const { from, to } = run.run;
  for (const page of log.readSync({ stream: run.stream, fromVersion: from, toVersion: to })) {
    for (const { event } of page) {
      if (event.type === 'RunStarted') started = { id: event.id, data: event.data as DataOf<'RunStarted'> };
      if (event.type === 'VerdictRecorded') verdict = (event.data as DataOf<'VerdictRecorded'>).verdict;
    }
  }
  return [started, verdict] as const;
}
