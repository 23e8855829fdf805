import { join } from 'node:path';
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { exitOf, firstDifference, type ReplaySummary, replayLog } from '../../replay/index.ts';
import { encode } from '../../src/events/canonical.ts';
import type { Json } from '../../src/events/json.ts';
import { openMemoryLog, openSqliteLogSync, type SyncLog } from '../../src/log/index.ts';
import { bank } from '../checklists.ts';
import { freshFiles } from '../log/folder.ts';
import { RECORDED_ON, record, replayed } from './recorded.ts';
import { overwrite, rowsOf } from './tamper.ts';

const fresh = freshFiles();
const transcript = join(import.meta.dirname, '../../fixtures/transcripts/bank.jsonl');

function banked(log: SyncLog = openMemoryLog()): SyncLog {
  record(log, [transcript], bank());
  return log;
}

describe('the summary', () => {
  const counts = { replayed: 2, matched: 2, diverged: 0, missing_input: 0, tampered: 0, gate_not_shipped: 0 };
  const summary: ReplaySummary = {
    ...counts,
    log_digest: 'sha256:',
    unanchored: { events: 0, kinds: {}, fields: [] },
  };

  it.each([
    [0, {}],
    [1, { diverged: 1 }],
    [3, { missing_input: 1 }],
    [3, { gate_not_shipped: 1 }],
    [3, { replayed: 0, matched: 0 }],
    [1, { diverged: 1, missing_input: 1 }],
    [4, { diverged: 1, missing_input: 1, tampered: 1 }],
  ])('exits with %i of %o', (exit, more) => {
    expect(exitOf({ ...summary, ...more })).toBe(exit);
  });

  it('of an empty log is no success', () => {
    const { found, summary: empty } = replayed(openMemoryLog());
    expect(found).toEqual([]);
    expect(empty).toMatchObject({ replayed: 0, unanchored: { events: 0, kinds: {} } });
    expect(empty.log_digest).toMatch(/^sha256:e3b0c442/);
    expect(exitOf(empty)).toBe(3);
  });

  it('counts every event that no recomputation rests on', () => {
    const log = banked();
    const { unanchored } = replayed(log).summary;
    expect(unanchored.kinds).toEqual({ CallObserved: 9, SegmentAdded: 11 });
    expect(unanchored.events).toBe(20);
    const none = replayed(log, { gates: () => null }).summary;
    expect(none.unanchored.events).toBe(log.sizeSync());
  });
});

describe('what is replayed', () => {
  const log = banked();
  const all = replayed(log, { all: true }).found;

  it('without `all` only what does not match is given', () => {
    expect(replayed(log).found).toEqual([]);
    expect(all).toHaveLength(5);
  });

  it('can be one call, or one run', () => {
    const one = all[1];
    const byRun = replayed(log, { all: true, only: one?.run_id ?? '' });
    const byCall = replayed(log, { all: true, only: one?.call_id ?? '' });
    expect(byRun.found).toEqual([one]);
    expect(encode(byCall)).toBe(encode(byRun));
    expect(one?.reproduce).toContain(one?.run_id);
  });

  it('a name that is nowhere replays nothing, and that is no success', () => {
    expect(exitOf(replayed(log, { only: 'nowhere' }).summary)).toBe(3);
  });

  it('can be a range of positions, and the parts are the whole', () => {
    const middle = all[2]?.position ?? 0;
    const first = replayed(log, { all: true, to: middle });
    const rest = replayed(log, { all: true, from: middle });
    expect(first.found).toHaveLength(2);
    expect([...first.found, ...rest.found]).toEqual(all);
    expect(first.summary.log_digest).toBe(rest.summary.log_digest);
  });

  it('finds a tampered row wherever it is, whichever run was asked for', async () => {
    const file = fresh();
    const stored = openSqliteLogSync({ file, create: true });
    banked(stored);
    const last = rowsOf(stored).at(-1);
    if (last !== undefined) {
      overwrite(file, last.position, { ...last.event, at: '2026-03-02T11:00:00.009Z' }, 'left');
    }
    const { found, summary } = replayed(stored, { only: all[0]?.run_id ?? '' });
    await stored.close();
    expect(found).toMatchObject([{ finding: 'INPUT_TAMPERED', code: 'leaf', run_id: null, position: 77 }]);
    expect(exitOf(summary)).toBe(4);
  });

  it('notes a different environment beside, and matches all the same', () => {
    const environment = { ...RECORDED_ON, node: '24.1.0' };
    const { found } = replayed(log, { all: true, environment });
    expect(found[0]).toMatchObject({
      finding: 'MATCH',
      environment: { node: { recorded: '20.0.0', present: '24.1.0' } },
    });
    expect(replayed(log, { all: true, environment: RECORDED_ON }).found[0]?.environment).toEqual({});
  });

  it('tells how far it is', () => {
    const steps: [number, number][] = [];
    replayed(log, { batch: 30, progress: (done, total) => steps.push([done, total]) });
    expect(steps).toEqual([
      [30, 78],
      [60, 78],
      [78, 78],
    ]);
  });

  it('gives findings as it goes, before the log is read to its end', () => {
    let pages = 0;
    const runs = replayLog(log, { all: true, batch: 10, progress: () => pages++ });
    expect(runs.next().done).toBe(false);
    expect(pages).toBe(1);
  });

  test.prop([fc.integer({ min: 1, max: 100 })], { numRuns: 12 })(
    'law 20: the report is byte-equal for any size of page',
    (batch) => {
      const whole = encode(replayed(log, { all: true }));
      expect(encode(replayed(log, { all: true, batch }))).toBe(whole);
    },
  );
});

describe('the first difference', () => {
  it.each<[string, Json, Json, unknown]>([
    ['nothing', { a: [1, { b: null }] }, { a: [1, { b: null }] }, null],
    ['the order of members', { a: 1, b: 2 }, { b: 2, a: 1 }, null],
    ['a value', { a: [1, 2] }, { a: [1, 3] }, { path: '/a/1', code: 'value', recorded: 2, recomputed: 3 }],
    ['two: the first by code units', { b: 1, B: 1 }, { b: 2, B: 2 }, { path: '/B' }],
    ['a member only recorded', { a: null }, {}, { path: '/a', code: 'recorded_only', recorded: null }],
    ['a member only recomputed', {}, { 'a/b': 1 }, { path: '/a~1b', code: 'recomputed_only', recomputed: 1 }],
    ['the length', [1], [1, 2], { path: '/1', code: 'recomputed_only' }],
    ['the kind', { a: [] }, { a: {} }, { path: '/a', code: 'value' }],
    ['null and absence', { a: null }, { a: 0 }, { path: '/a', code: 'value' }],
    ['a member of every object', {}, JSON.parse('{"__proto__":1}'), { path: '/__proto__' }],
  ])('of %s', (_, recorded, recomputed, expected) => {
    const found = firstDifference(recorded, recomputed);
    if (expected === null) expect(found).toBe(null);
    else expect(found).toMatchObject(expected as object);
  });

  test.prop([fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 })])(
    'is null exactly where the canonical bytes are the same',
    (a, b) => {
      const bytes = (value: unknown): string | null => {
        try {
          return encode(value);
        } catch {
          return null;
        }
      };
      fc.pre(bytes(a) !== null && bytes(b) !== null);
      expect(firstDifference(a as Json, b as Json) === null).toBe(bytes(a) === bytes(b));
      expect(firstDifference(a as Json, structuredClone(a) as Json)).toBe(null);
    },
  );
});
