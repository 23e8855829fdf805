import { gatesOf } from '../../replay/gates.ts';
import { observations } from '../../replay/observed.ts';
import type { RecordedRun } from '../../replay/recorded.ts';
import type { RunReplay } from '../../replay/report.ts';
import { resolverOf } from '../../replay/resolve.ts';
import { type ReplayAround, replayRun } from '../../replay/run.ts';
import { parseEvent } from '../events/index.ts';
import type { LookupPerformed, RunStarted } from '../events/run.ts';
import type { Verdict } from '../events/verdict.ts';
import { checkRow } from '../log/check-row.ts';
import type { StoredRow } from '../log/row.ts';
import type { SyncLog } from '../log/sync-log.ts';
import type { CallPlace } from '../projections/call-row.ts';
import { FROZEN_GATES, packageFolder } from './package-folder.ts';

/**
 * Replays a call's newest run from its own rows and what it rests on, each checked as it is read: the rest of the log is not
 * looked at. null where there is no run.
 */
export async function replayOne(log: SyncLog, place: CallPlace): Promise<RunReplay | null> {
  if (place.run === null) return null;
  const { from, to } = place.run;
  const rows: StoredRow[] = [];
  for (const page of log.readSync({ stream: place.stream, fromVersion: from, toVersion: to }))
    rows.push(...page);
  const run = rows.every((row) => checkRow(row) === null) ? recordedRun(rows) : null;
  if (run === null || observedOtherwise(log, place)) return replayedWhole(log, place);
  const broken = new Set<number>();
  return replayRun(run, {
    resolver: resolverOf(log, (row) => {
      if (checkRow(row) !== null) broken.add(row.position);
    }),
    gates: await gatesOf([packageFolder(FROZEN_GATES)], [run.started.gate]),
    given: await givenLive(log),
    // Notes on the environment stand in the whole replay's report.
    environment: null,
    broken: (position) => (broken.has(position) ? 'INPUT_TAMPERED' : null),
  });
}

/** What a live run was given is made again from its call's and request's own rows; loaded only for that. */
async function givenLive(log: SyncLog): Promise<NonNullable<ReplayAround['given']>> {
  const [{ givenOtherwise }, { baselinesOf }] = await Promise.all([
    import('../../replay/live.ts'),
    import('../runs/baselines.ts'),
  ]);
  const baselines = baselinesOf(log, 'passed over');
  return (run) => givenOtherwise(log, run, baselines);
}

/** The first shape of all three events. */
const SCHEMA = 1;

/** A run as it was written by one commit; null where anything is out of the ordinary. */
function recordedRun(rows: readonly StoredRow[]): RecordedRun | null {
  const [first, ...rest] = rows;
  const last = rest.pop();
  if (first?.type !== 'RunStarted' || last?.type !== 'VerdictRecorded') return null;
  if (!rest.every(({ type }) => type === 'LookupPerformed')) return null;
  if (!rows.every(({ event, position }, i) => event.schema === SCHEMA && position === first.position + i))
    return null;
  return {
    stream: first.stream,
    position: first.position,
    version: first.version,
    started: first.event.data as RunStarted,
    walks: rest.map(({ position, event }) => ({ position, walk: event.data as LookupPerformed })),
    verdict: { position: last.position, verdict: (last.event.data as { verdict: Verdict }).verdict },
  };
}

/** Whether what was observed of the call can't be relied on: it was changed, or says otherwise than its runs. */
function observedOtherwise(log: SyncLog, { stream }: CallPlace): boolean {
  const contradicted = observations(log);
  for (const page of log.readSync({ stream, types: ['RunStarted', 'CallObserved'] })) {
    for (const row of page) {
      if (checkRow(row) !== null) return true;
      try {
        if (contradicted(row, parseEvent(row.event)) !== null) return true;
      } catch {
        return true;
      }
    }
  }
  return false;
}

/** The whole replayer says what is wrong, and where. It is loaded only for that. */
async function replayedWhole(log: SyncLog, place: CallPlace): Promise<RunReplay | null> {
  const { replayLog } = await import('../../replay/verify.ts');
  const call = place.stream.slice('call/'.length);
  let match: RunReplay | null = null;
  for (const found of replayLog(log, { only: call, all: true })) {
    if (found.call_id !== call) continue;
    if (found.finding !== 'MATCH') return found;
    match ??= found;
  }
  return match;
}
