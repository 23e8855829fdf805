import { type ReplayOptions, type ReplaySummary, type RunReplay, replayLog } from '../../replay/index.ts';
import { importerOf } from '../../src/audit/import.ts';
import type { LoadedChecklist } from '../../src/declarations/load.ts';
import { GATE_DIGEST } from '../../src/gate-digest.ts';
import type { SyncLog } from '../../src/log/index.ts';
import { readTranscripts } from '../../src/transcripts/index.ts';

export const RECORDED_ON = { node: '20.0.0', v8: '11', icu: '73', unicode: '15', tz: 'UTC' };

/** Imports transcripts into a log, with ids and times that come out the same each time. */
export function record(
  log: SyncLog,
  files: readonly string[],
  checklist: LoadedChecklist | null,
  from = 0,
  gate = GATE_DIGEST,
): number {
  let ids = from;
  const importer = importerOf({
    log,
    declared: {
      checklists: checklist === null ? [] : [{ digest: checklist.digest, body: checklist.checklist }],
      unsound: [],
      tools: new Map(),
      gate,
      ruleset: 'standard',
    },
    clock: () => '2026-03-02T11:00:00.000Z',
    newId: () => `00000000-0000-4000-8000-${String(ids++).padStart(12, '0')}`,
    environment: RECORDED_ON,
  });
  for (const file of files) for (const conversation of readTranscripts(file)) importer.add(conversation);
  return ids;
}

export interface Replayed {
  readonly found: readonly RunReplay[];
  readonly summary: ReplaySummary;
}

/** Runs a replay to its end. */
export function replayed(log: SyncLog, options: ReplayOptions = {}): Replayed {
  const found: RunReplay[] = [];
  const runs = replayLog(log, options);
  for (;;) {
    const next = runs.next();
    if (next.done === true) return { found, summary: next.value };
    found.push(next.value);
  }
}
