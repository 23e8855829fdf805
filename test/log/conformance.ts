import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { isGroundsError } from '../../src/errors.ts';
import type { Commit, Expected, Query, StoredRow, SyncLog } from '../../src/log/index.ts';
import { leafHash, rowChecker } from '../../src/log/index.ts';

let ids = 0;

/** An event of no meaning, for tests of order and storage. */
export function event(type = 'Noted', data: unknown = { n: ids }, schema = 1) {
  ids++;
  const id = `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
  return { type, schema, id, at: '2026-01-01T00:00:00.000Z', data };
}

export function write(stream: string, expected: Expected, count = 1) {
  return { stream, expected, events: Array.from({ length: count }, () => event()) };
}

export function commit(stream: string, expected: Expected, count = 1): Commit {
  return { writes: [write(stream, expected, count)] };
}

export async function rowsOf(log: SyncLog, query: Query = {}): Promise<StoredRow[]> {
  const rows: StoredRow[] = [];
  for await (const page of log.read(query)) rows.push(...page);
  return rows;
}

const positions = async (log: SyncLog, query: Query): Promise<number[]> =>
  (await rowsOf(log, query)).map((row) => row.position);

/** What a promise was rejected with; it fails the test where it was not. */
export async function rejection(promise: Promise<unknown>): Promise<{ code: string; facts: unknown }> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isGroundsError(error)) throw new Error(`expected a GroundsError, got ${String(error)}`);
  return { code: error.code, facts: error.facts };
}

const lost = (stream: string, expected: Expected, actual: number) => ({
  code: 'log/conflict',
  facts: { conflicts: [{ stream, expected, actual }] },
});

/** What every log must do, whatever it is kept in. `open` gives an empty one. */
export function describeLog(name: string, open: () => Promise<SyncLog>): void {
  const withLog = async (use: (log: SyncLog) => Promise<void>): Promise<void> => {
    const log = await open();
    try {
      await use(log);
    } finally {
      await log.close();
    }
  };
  const logIt = (title: string, use: (log: SyncLog) => Promise<void>): void => it(title, () => withLog(use));

  describe(`${name}: appending`, () => {
    logIt('gives dense positions from 0 and dense versions in each stream', async (log) => {
      expect(await log.append({ writes: [write('a', 'none', 2), write('b', 0)] })).toEqual({
        first: 0,
        next: 3,
      });
      expect(await log.append(commit('a', 2))).toEqual({ first: 3, next: 4 });
      const rows = await rowsOf(log);
      expect(rows.map(({ position, stream, version }) => [position, stream, version])).toEqual([
        [0, 'a', 0],
        [1, 'a', 1],
        [2, 'b', 0],
        [3, 'a', 2],
      ]);
      expect([await log.size(), await log.version('a'), await log.version('nowhere')]).toEqual([4, 3, 0]);
    });

    logIt('stores canonical bytes with their leaf hash, and every row passes its check', async (log) => {
      await log.append({
        writes: [{ stream: 's/é', expected: 'none', events: [event('T', { z: '€😀', a: [1] }, 7)] }],
      });
      const [row] = await rowsOf(log);
      const text = Buffer.from(row?.bytes ?? []).toString('utf8');
      expect(text).toMatch(/^\{"at":"2026-01-01T00:00:00\.000Z","data":\{"a":\[1\],"z":"€😀"\},"id":"/);
      expect(text).toMatch(/","schema":7,"stream":"s\/é","type":"T"\}$/);
      expect(Buffer.from(row?.leaf ?? []).equals(leafHash(row?.bytes ?? new Uint8Array()))).toBe(true);
      expect((await rowsOf(log)).map(rowChecker())).toEqual([null]);
    });

    logIt('stores the schema number as it was given', async (log) => {
      await log.append({
        writes: [{ stream: 'a', expected: 'any', events: [event('T', {}, 42), event('T', {}, 0)] }],
      });
      expect((await rowsOf(log)).map((row) => row.event.schema)).toEqual([42, 0]);
    });

    logIt('is not changed by what the caller does to its objects afterwards', async (log) => {
      const data = { n: 1 };
      const appended = log.append({ writes: [{ stream: 'a', expected: 'any', events: [event('T', data)] }] });
      data.n = 2;
      await appended;
      expect((await rowsOf(log))[0]?.event.data).toEqual({ n: 1 });
    });

    logIt('takes a commit that writes nothing, and gives its place', async (log) => {
      await log.append(commit('a', 'none', 3));
      expect(await log.append({ writes: [] })).toEqual({ first: 3, next: 3 });
      expect(await log.append({ writes: [], unchanged: [{ stream: 'a', version: 3 }] })).toEqual({
        first: 3,
        next: 3,
      });
    });

    logIt('takes one stream twice in a commit: the second write sees the first', async (log) => {
      await log.append({ writes: [write('a', 'none', 2), write('b', 'none'), write('a', 2, 2)] });
      expect((await rowsOf(log, { stream: 'a' })).map((row) => row.version)).toEqual([0, 1, 2, 3]);
      const twice = log.append({ writes: [write('c', 'none', 2), write('c', 'none')] });
      expect(await rejection(twice)).toEqual(lost('c', 'none', 2));
      expect(await log.version('c')).toBe(0);
    });

    logIt('refuses what JSON can not hold, and writes nothing', async (log) => {
      const bad = log.append({
        writes: [
          write('a', 'any'),
          { stream: 'b', expected: 'any', events: [event('T', { x: Number.NaN })] },
        ],
      });
      expect((await rejection(bad)).code).toBe('events/not-json');
      expect(await log.size()).toBe(0);
    });

    it.each([
      ['an unknown expected version', { writes: [write('a', 'maybe' as Expected)] }],
      ['a negative expected version', { writes: [write('a', -1)] }],
      ['a fractional expected version', { writes: [write('a', 0.5)] }],
      ['a stream without a name', { writes: [write('', 'any')] }],
      [
        'a schema number that is none',
        { writes: [{ stream: 'a', expected: 'any', events: [event('T', {}, 1.5)] }] },
      ],
      ['a type without a name', { writes: [{ stream: 'a', expected: 'any', events: [event('')] }] }],
      ['a read version that is none', { writes: [], unchanged: [{ stream: 'a', version: -1 }] }],
    ] as [string, Commit][])('refuses %s', (_, bad) =>
      withLog(async (log) => {
        expect((await rejection(log.append(bad))).code).toBe('log/bad-commit');
        expect(await log.size()).toBe(0);
      }),
    );
  });

  describe(`${name}: expected versions`, () => {
    it.each([
      ['none', 0, true],
      ['none', 2, false],
      ['exists', 0, false],
      ['exists', 2, true],
      ['any', 0, true],
      ['any', 2, true],
      [0, 0, true],
      [0, 2, false],
      [1, 2, false],
      [2, 2, true],
      [3, 2, false],
      [1, 0, false],
    ] as [Expected, number, boolean][])(
      'expected %s at %i: honoured exactly (%s)',
      (expected, actual, lands) =>
        withLog(async (log) => {
          if (actual > 0) await log.append(commit('a', 'any', actual));
          const append = log.append(commit('a', expected));
          if (lands) await expect(append).resolves.toEqual({ first: actual, next: actual + 1 });
          else expect(await rejection(append)).toEqual(lost('a', expected, actual));
          expect(await log.version('a')).toBe(lands ? actual + 1 : actual);
        }),
    );

    logIt('holds an empty write to its expected version too', async (log) => {
      expect(await rejection(log.append(commit('a', 'exists', 0)))).toEqual(lost('a', 'exists', 0));
      expect(await log.append(commit('a', 'none', 0))).toEqual({ first: 0, next: 0 });
    });

    logIt('names every stream that differed with its real version, and writes to none', async (log) => {
      await log.append({ writes: [write('a', 'none', 3), write('b', 'none', 1)] });
      const append = log.append({
        writes: [write('a', 2), write('b', 1), write('c', 'exists')],
        unchanged: [{ stream: 'b', version: 0 }],
      });
      expect((await rejection(append)).facts).toEqual({
        conflicts: [
          { stream: 'b', expected: 0, actual: 1 },
          { stream: 'a', expected: 2, actual: 3 },
          { stream: 'c', expected: 'exists', actual: 0 },
        ],
      });
      expect(await log.size()).toBe(4);
    });

    logIt('judges the read set as the log stood before the commit', async (log) => {
      await log.append(commit('a', 'none', 2));
      await log.append({ writes: [write('a', 2, 5)], unchanged: [{ stream: 'a', version: 2 }] });
      const stale = log.append({ writes: [write('b', 'none')], unchanged: [{ stream: 'a', version: 2 }] });
      expect(await rejection(stale)).toEqual(lost('a', 2, 7));
    });

    logIt('lets exactly one of a start and a revocation win', async (log) => {
      await log.append({ writes: [write('setting/u/limit', 'none'), write('call/1', 'none')] });
      const results = await Promise.allSettled([
        log.append(commit('setting/u/limit', 1)),
        log.append({ writes: [write('call/1', 1)], unchanged: [{ stream: 'setting/u/limit', version: 1 }] }),
      ]);
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    });
  });

  describe(`${name}: callers at once`, () => {
    logIt('lands all of twenty appends to different streams', async (log) => {
      await Promise.all(Array.from({ length: 20 }, (_, n) => log.append(commit(`s/${n}`, 'none', 2))));
      expect(await log.size()).toBe(40);
      expect((await rowsOf(log)).map(rowChecker())).toEqual(Array(40).fill(null));
    });

    logIt('lets 59 of 64 callers land where 5 lose, each of them alone', async (log) => {
      await log.append(commit('taken', 'none'));
      const results = await Promise.allSettled(
        Array.from({ length: 64 }, (_, n) =>
          log.append(
            n % 13 === 0
              ? { writes: [write(`s/${n}`, 'none'), write('taken', 'none')] }
              : commit(`s/${n}`, 'none', 1),
          ),
        ),
      );
      expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(5);
      expect(await log.size()).toBe(60);
      const landed = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.first] : []));
      expect(landed).toEqual(Array.from({ length: 59 }, (_, n) => n + 1));
      expect(await log.version('s/13')).toBe(0);
    });

    logIt('lets one of many callers win one place in one stream', async (log) => {
      const results = await Promise.allSettled(
        Array.from({ length: 16 }, () => log.append(commit('a', 'none'))),
      );
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', ...Array(15).fill('rejected')]);
    });
  });

  describe(`${name}: appending at once`, () => {
    logIt('writes many commits in one go', async (log) => {
      expect(log.appendSync([commit('a', 'none', 2), commit('b', 'none'), commit('a', 2)])).toEqual([
        { first: 0, next: 2 },
        { first: 2, next: 3 },
        { first: 3, next: 4 },
      ]);
    });

    logIt('writes none of them where one loses', async (log) => {
      log.appendSync([commit('a', 'none')]);
      expect(() => log.appendSync([commit('a', 1), commit('b', 'none'), commit('b', 'none')])).toThrow(
        'b is at 1, expected none',
      );
      expect([log.sizeSync(), log.versionSync('a'), log.versionSync('b')]).toEqual([1, 1, 0]);
      expect(log.appendSync([commit('a', 1)])).toEqual([{ first: 1, next: 2 }]);
    });
  });

  describe(`${name}: reading`, () => {
    const filled = (use: (log: SyncLog) => Promise<void>) => () =>
      withLog(async (log) => {
        for (let n = 0; n < 12; n++) {
          const events = [event(n % 2 === 0 ? 'Even' : 'Odd')];
          await log.append({ writes: [{ stream: `s/${n % 3}`, expected: 'any', events }] });
        }
        await use(log);
      });

    it.each([
      [{}, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
      [{ direction: 'backward', limit: 3 }, [11, 10, 9]],
      [{ from: 3, to: 6 }, [3, 4, 5]],
      [{ from: 3, to: 6, direction: 'backward' }, [5, 4, 3]],
      [{ from: 6, to: 3 }, []],
      [{ from: 10, to: 99 }, [10, 11]],
      [{ stream: 's/1' }, [1, 4, 7, 10]],
      [{ stream: 's/1', direction: 'backward' }, [10, 7, 4, 1]],
      [{ stream: 's/1', fromVersion: 1, toVersion: 3 }, [4, 7]],
      [{ stream: 's/1', fromVersion: 1, from: 5, direction: 'backward' }, [10, 7]],
      [{ stream: 's/9' }, []],
      [{ streams: ['s/0', 's/2'] }, [0, 2, 3, 5, 6, 8, 9, 11]],
      [{ streams: ['s/0', 's/2'], from: 3, limit: 3, direction: 'backward' }, [11, 9, 8]],
      [{ streams: ['s/2'] }, [2, 5, 8, 11]],
      [{ streams: [] }, []],
      [{ under: 's' }, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
      [{ under: 's', types: ['Odd'], from: 4, limit: 2 }, [5, 7]],
      [{ under: 's', to: 9, direction: 'backward', limit: 2 }, [8, 7]],
      [{ under: 's/1' }, []],
      [{ under: '' }, []],
      [{ types: ['Odd'] }, [1, 3, 5, 7, 9, 11]],
      [{ types: ['Odd', 'Even'], stream: 's/0' }, [0, 3, 6, 9]],
      [{ types: ['Even'], streams: ['s/0', 's/1'], direction: 'backward' }, [10, 6, 4, 0]],
      [{ types: [] }, []],
      [{ limit: 0 }, []],
    ] as [Query, number[]][])('answers %j in pages of any size', (query, expected) =>
      filled(async (log) => {
        for (const page of [1, 2, 3, 512]) {
          expect(await positions(log, { ...query, page })).toEqual(expected);
          for (const rows of log.readSync({ ...query, page })) {
            expect(rows.length).toBeGreaterThan(0);
            expect(rows.length).toBeLessThanOrEqual(page);
          }
        }
      })(),
    );

    it('knows what stands under a name from what only begins like it', () =>
      withLog(async (log) => {
        for (const stream of ['u/b', 'u', 'u0', 'u.x/a', 'u/a', 'v/a', 'u/a/c', 'u/é', 'U/a', 'u/b'])
          await log.append({ writes: [{ stream, expected: 'any', events: [event('T')] }] });
        const seen = async (query: Query) => (await rowsOf(log, query)).map(({ stream }) => stream);
        expect(await seen({ under: 'u' })).toEqual(['u/b', 'u/a', 'u/a/c', 'u/é', 'u/b']);
        expect(await seen({ under: 'u/a' })).toEqual(['u/a/c']);
        expect(await seen({ under: 'v', page: 1 })).toEqual(['v/a']);
      }));

    it.each([
      [{ stream: 'a', streams: ['a'] }],
      [{ fromVersion: 1 }],
      [{ under: 's', fromVersion: 1 }],
      [{ under: 's', streams: ['s/1'] }],
      [{ streams: ['a'], toVersion: 1 }],
      [{ page: 0 }],
      [{ from: -1 }],
      [{ limit: 1.5 }],
      [{ to: Number.NaN }],
      [{ direction: 'up' }],
    ] as [Query][])('refuses the query %j', (query) =>
      withLog(async (log) => {
        expect((await rejection(rowsOf(log, query))).code).toBe('log/bad-query');
      }),
    );

    it(
      'reads the log as it was when reading began, whatever is appended meanwhile',
      filled(async (log) => {
        const seen: number[] = [];
        for await (const page of log.read({ page: 5 })) {
          seen.push(...page.map((row) => row.position));
          await log.append(commit('s/0', 'any', 3));
        }
        expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
        expect(await log.size()).toBe(21);
      }),
    );

    logIt('gives the same parsed event each time it is asked', async (log) => {
      await log.append(commit('a', 'none'));
      const [row] = await rowsOf(log);
      expect(row?.event).toBe(row?.event);
      expect(row?.event.stream).toBe('a');
    });
  });

  describe(`${name}: closing`, () => {
    it('keeps what was appended before, and refuses everything after', async () => {
      const log = await open();
      const appended = log.append(commit('a', 'none'));
      await log.close();
      await expect(appended).resolves.toEqual({ first: 0, next: 1 });
      for (const late of [log.append(commit('a', 'any')), log.size(), log.version('a'), rowsOf(log)]) {
        expect((await rejection(late)).code).toBe('log/closed');
      }
      expect(() => log.appendSync([])).toThrow('closed');
      await log.close();
    });
  });

  describe(`${name}: laws`, () => {
    const stream = fc.constantFrom('a', 'b', 'c');
    const expected = fc.oneof(
      fc.constantFrom<Expected>('none', 'exists', 'any'),
      fc.integer({ min: 0, max: 4 }),
    );
    const commits = fc.array(
      fc.record({
        writes: fc.array(fc.record({ stream, expected, count: fc.integer({ min: 0, max: 3 }) }), {
          maxLength: 3,
        }),
        unchanged: fc.array(fc.record({ stream, version: fc.integer({ min: 0, max: 3 }) }), { maxLength: 2 }),
        waits: fc.boolean(),
      }),
      { maxLength: 12 },
    );

    test.prop([commits], { numRuns: 40 })('any commits leave what a simple model of them holds', (sequence) =>
      withLog(async (log) => {
        const model: { stream: string; version: number }[] = [];
        const count = (name: string): number => model.filter((one) => one.stream === name).length;
        const outcomes: { wins: boolean; settled: Promise<boolean> }[] = [];
        for (const { writes, unchanged, waits } of sequence) {
          const before = model.length;
          let wins = unchanged.every((one) => count(one.stream) === one.version);
          for (const one of writes) {
            const actual = count(one.stream);
            const holds: Record<string, boolean> = { none: actual === 0, exists: actual > 0, any: true };
            wins &&= holds[one.expected] ?? one.expected === actual;
            for (let n = 0; n < one.count; n++) model.push({ stream: one.stream, version: actual + n });
          }
          if (!wins) model.length = before;
          const append = log.append({
            writes: writes.map((one) => write(one.stream, one.expected, one.count)),
            unchanged,
          });
          outcomes.push({
            wins,
            settled: append.then(
              () => true,
              () => false,
            ),
          });
          if (waits) await outcomes.at(-1)?.settled;
        }
        for (const { wins, settled } of outcomes) expect(await settled).toBe(wins);
        const rows = await rowsOf(log);
        expect(rows.map((row) => ({ stream: row.stream, version: row.version }))).toEqual(model);
        expect(rows.map(rowChecker())).toEqual(rows.map(() => null));
      }),
    );

    test.prop([fc.array(fc.tuple(stream, fc.constantFrom('X', 'Y')), { maxLength: 20 }), fc.context()], {
      numRuns: 25,
    })('backward is forward turned round, and pages never change an answer', (events) =>
      withLog(async (log) => {
        log.appendSync(
          events.map(([to, type]) => ({ writes: [{ stream: to, expected: 'any', events: [event(type)] }] })),
        );
        for (const query of [{}, { stream: 'a' }, { streams: ['a', 'c'] }, { types: ['X'] }] as Query[]) {
          const all = await positions(log, query);
          expect((await positions(log, { ...query, direction: 'backward', page: 2 })).reverse()).toEqual(all);
          expect(await positions(log, { ...query, page: 3 })).toEqual(all);
        }
      }),
    );
  });
}
