import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitOf } from '../../replay/index.ts';
import { loadChecklistFile } from '../../src/declarations/load.ts';
import { openMemoryLog } from '../../src/log/index.ts';
import { bank } from '../checklists.ts';
import { record, replayed } from './recorded.ts';

const real = process.env.GROUNDS_REAL_DATA;
const OWN = ['bank.jsonl', 'openai-chat.json', 'openai-chat.jsonl', 'tau-runs.json'].map((name) =>
  join(import.meta.dirname, '../../fixtures/transcripts', name),
);

describe('law 16: whatever the importer wrote, replays', () => {
  it.each([
    ['a checklist', bank()],
    ['no checklist', null],
  ])('matches throughout, under %s', (_, checklist) => {
    const log = openMemoryLog();
    record(log, OWN, checklist);
    const { found, summary } = replayed(log, { all: true });
    expect(summary.replayed).toBeGreaterThan(4);
    expect(found.filter(({ finding }) => finding !== 'MATCH')).toEqual([]);
    expect(found).toHaveLength(summary.matched);
    expect(summary).toMatchObject({ diverged: 0, missing_input: 0, tampered: 0, gate_not_shipped: 0 });
    expect(exitOf(summary)).toBe(0);
  });

  it('matches where one call was judged under several checklists, each a new run', () => {
    const log = openMemoryLog();
    const ids = record(log, OWN, bank());
    const first = replayed(log).summary;
    record(log, OWN, null, ids);
    const { found, summary } = replayed(log);
    expect(found).toEqual([]);
    expect(summary.replayed).toBeGreaterThan(first.replayed);
    expect(summary.log_digest).not.toBe(first.log_digest);
  });

  it('matches after an import that added nothing', () => {
    const log = openMemoryLog();
    record(log, OWN, bank());
    const before = replayed(log).summary;
    record(log, OWN, bank(), 5000);
    expect(replayed(log).summary).toEqual(before);
  });

  it.skipIf(!real)('matches over public runs (GROUNDS_REAL_DATA names their folder)', () => {
    const log = openMemoryLog();
    const checklist = loadChecklistFile(join(import.meta.dirname, '../../fixtures/checklists/airline.yaml'));
    record(log, [join(real ?? '', 'tau-bench/gpt-4o-airline-1.jsonl')], checklist);
    const { found, summary } = replayed(log);
    expect(found).toEqual([]);
    expect(summary.replayed).toBeGreaterThan(100);
    expect(summary.matched).toBe(summary.replayed);
  });
});
