import { resolverOf } from '../../replay/resolve.ts';
import type { Entry } from '../events/entry.ts';
import { uuidFrom } from '../events/ids.ts';
import type { DataOf } from '../events/index.ts';
import type { Json } from '../events/json.ts';
import { readValue } from '../gate/assembled.ts';
import { rulesFor } from '../gate/index.ts';
import { listSlots } from '../gate/slot-list.ts';
import type { SyncLog } from '../log/index.ts';
import { type BaselineRun, baselineOf, type CallState, foldCall } from '../projections/index.ts';

/** The last executed record of an action key, as an entry of a run, with the event of that record's `RunStarted`. */
export interface BaselineEntry {
  readonly event: string;
  readonly entry: Extract<Entry, { kind: 'baseline' }>;
}

interface Followed {
  position: number;
  readonly calls: Map<string, CallState>;
  readonly byKey: Map<string, BaselineRun>;
}

/**
 * Folded in memory and carried on from where it stood: the projections' own tables live in the log's file, and to bring them
 * up to date would be a durable commit for every call. Imported calls form no baselines, so they are passed over.
 */
const followed = new WeakMap<SyncLog, Followed>();

/** An action key's opaque id in this log. RULES R17. */
export function actionKeyIn(log: SyncLog, key: string): string {
  return uuidFrom(log.importKey, 'action', key);
}

/** The baseline of an action key; null where nothing of that key was executed and succeeded. RULES R17. */
export function baselineFor(log: SyncLog, action_key: string): BaselineEntry | null {
  const run = upToDate(log).byKey.get(action_key);
  if (run === undefined) return null;
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

/**
 * Whether what somebody else keeps of the last execution is what the log holds: each value that they give, and none that the log
 * lacks. RULES R10.
 */
export function sameBaseline(
  kept: Readonly<Record<string, Json>>,
  baseline: BaselineEntry | null,
  same: (a: Json, b: Json) => boolean,
): boolean {
  const held = new Map(
    (baseline?.entry.slots ?? []).map(({ slot, value }) => [
      slot,
      'plain' in value ? value.plain : undefined,
    ]),
  );
  return Object.entries(kept).every(([slot, value]) => {
    const own = held.get(slot);
    return own !== undefined && same(own, value);
  });
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

function upToDate(log: SyncLog): Followed {
  let state = followed.get(log);
  if (state === undefined) {
    state = { position: 0, calls: new Map(), byKey: new Map() };
    followed.set(log, state);
  }
  const to = log.sizeSync();
  for (const page of log.readSync({ from: state.position, to, types: TYPES })) {
    for (const row of page) {
      if (!row.stream.startsWith('call/')) continue;
      const before = state.calls.get(row.stream) ?? null;
      if (before === null && !beginsLive(row.event)) continue;
      const next = foldCall(before, row);
      state.calls.set(row.stream, next);
      const succeeded = next.memory.succeeded;
      if (succeeded !== null && !succeeded.observed) keep(state.byKey, succeeded.run);
    }
  }
  state.position = to;
  return state;
}

/** The last run, not the one whose outcome came last. */
function keep(byKey: Map<string, BaselineRun>, run: BaselineRun): void {
  const before = byKey.get(run.action_key);
  if (before === undefined || run.position >= before.position) byKey.set(run.action_key, run);
}

function beginsLive(event: { readonly type: string; readonly data: unknown }): boolean {
  return event.type === 'RunStarted' && (event.data as DataOf<'RunStarted'>).origin === null;
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
