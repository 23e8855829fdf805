import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importerOf } from '../../src/audit/import.ts';
import { loadChecklistFile } from '../../src/declarations/load.ts';
import { explain, renderWhy } from '../../src/explain/index.ts';
import { Explanation } from '../../src/explain/schema.ts';
import { columnsOf } from '../../src/explain/shown.ts';
import { openMemoryLog } from '../../src/log/index.ts';
import { readTranscripts } from '../../src/transcripts/index.ts';
import { foldCall } from './fold.ts';
import { falseQuotes } from './quotes.ts';

const real = process.env.GROUNDS_REAL_DATA;

// A hundred and thirty runs, each read, quoted and rendered: more than the usual time on a slow machine.
describe.skipIf(!real)('real transcripts (GROUNDS_REAL_DATA names their folder)', () => {
  it('every write of the airline runs is explained, and each quote is what stands at its place', () => {
    const checklist = loadChecklistFile(
      new URL('../../fixtures/checklists/airline.yaml', import.meta.url).pathname,
    );
    let made = 0;
    let writes = 0;
    for (const conversation of readTranscripts(join(real ?? '', 'tau-bench/gpt-4o-airline-1.jsonl'))) {
      const log = openMemoryLog();
      const importer = importerOf({
        log,
        declared: {
          checklists: [{ digest: checklist.digest, body: checklist.checklist }],
          unsound: [],
          tools: new Map(),
          gate: `sha256:${'0'.repeat(64)}`,
          ruleset: 'standard',
        },
        clock: () => '2026-01-01T00:00:00.000Z',
        newId: () => `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`,
        environment: { node: '', v8: '', icu: '', unicode: '', tz: '' },
      });
      for (const { call_id, run_id } of importer.add(conversation)) {
        if (run_id === null) continue;
        writes++;
        const { place, row } = foldCall(log, call_id);
        const explanation = explain(log, place, row);
        expect(falseQuotes(log, explanation)).toEqual([]);
        expect(Explanation.safeParse(explanation).error).toBeUndefined();
        const text = renderWhy(explanation, { width: 100, color: false });
        expect(text).not.toMatch(/[^\P{C}\n]| $/mu);
        expect(Math.max(...text.split('\n').map(columnsOf))).toBeLessThanOrEqual(100);
      }
    }
    expect(writes).toBeGreaterThan(50);
  }, 240_000);
});
