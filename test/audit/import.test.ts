import { describe, expect, it } from 'vitest';
import { importerOf } from '../../src/audit/import.ts';
import { digestOf } from '../../src/events/digest.ts';
import { parseEvent } from '../../src/events/index.ts';
import { randomId } from '../../src/events/random-id.ts';
import { openMemoryLog, type SyncLog } from '../../src/log/index.ts';
import { environment } from '../../src/runs/environment.ts';
import { readTranscripts } from '../../src/transcripts/index.ts';
import { bank } from '../checklists.ts';

function importInto(log: SyncLog, checklist = bank().checklist): number {
  const importer = importerOf({
    log,
    declared: {
      checklists: [{ digest: digestOf(checklist), body: checklist }],
      unsound: [],
      tools: new Map(),
      gate: `sha256:${'1'.repeat(64)}`,
      ruleset: 'standard',
    },
    clock: () => '2026-01-02T03:04:05.678Z',
    newId: randomId,
    environment: environment(),
  });
  let added = 0;
  for (const file of ['fixtures/transcripts/openai-chat.json', 'fixtures/transcripts/openai-chat.jsonl']) {
    for (const conversation of readTranscripts(file)) {
      added += importer.add(conversation).filter((call) => call.added).length;
    }
  }
  return added;
}

describe('importing a transcript', () => {
  it('writes only events that the schemas take', () => {
    const log = openMemoryLog();
    expect(importInto(log)).toBeGreaterThan(0);
    let events = 0;
    for (const page of log.readSync({})) {
      for (const { event } of page) {
        parseEvent(event);
        events++;
      }
    }
    expect(events).toBe(log.sizeSync());
  });

  it('adds nothing the second time', () => {
    const log = openMemoryLog();
    importInto(log);
    const size = log.sizeSync();
    expect(importInto(log)).toBe(0);
    expect(log.sizeSync()).toBe(size);
  });

  it('adds one run a call under another checklist, and keeps the first', () => {
    const log = openMemoryLog();
    const first = importInto(log);
    const size = log.sizeSync();
    const other = { ...bank().checklist, written_by: 'someone else' };
    expect(importInto(log, other)).toBeLessThanOrEqual(first);
    const types = [...log.readSync({ from: size })].flat().map((row) => row.type);
    expect(types.filter((type) => type === 'SegmentAdded')).toEqual([]);
    expect(types.filter((type) => type === 'RunStarted').length).toBe(
      types.filter((type) => type === 'VerdictRecorded').length,
    );
  });
});
