import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openSqliteLog, rowChecker } from '../../src/log/index.ts';
import { commit, event, rejection, rowsOf } from './conformance.ts';
import { freshFiles } from './folder.ts';

const fresh = freshFiles();
const large = (stream: string) => ({
  writes: [
    { stream, expected: 'any' as const, events: [event('T', 'small'), event('T', 'x'.repeat(200_000))] },
  ],
});

describe('a full disk', () => {
  it('refuses a commit whole, and leaves a log that goes on', async () => {
    const log = await openSqliteLog({ file: fresh(), create: true, maxPages: 40 });
    await log.append(commit('a', 'none', 2));
    expect((await rejection(log.append(large('b')))).code).toBe('log/full');
    expect(() => log.appendSync([commit('c', 'none'), large('b')])).toThrow('no room left');
    expect([await log.size(), await log.version('b'), await log.version('c')]).toEqual([2, 0, 0]);
    expect(await log.append(commit('a', 2))).toEqual({ first: 2, next: 3 });
    await log.close();
  });

  it('refuses in a group only those for which there is no room', async () => {
    const log = await openSqliteLog({ file: fresh(), create: true, maxPages: 40 });
    const results = await Promise.allSettled([
      log.append(commit('a', 'none')),
      log.append(large('b')),
      log.append(commit('c', 'none')),
      log.append(commit('c', 'none')),
    ]);
    expect(results).toMatchObject([
      { value: { first: 0, next: 1 } },
      { reason: { code: 'log/full' } },
      { value: { first: 1, next: 2 } },
      { reason: { code: 'log/conflict' } },
    ]);
    expect((await rowsOf(log)).map(rowChecker())).toEqual([null, null]);
    await log.close();
  });
});

describe('a log that is locked', () => {
  it('is reported as busy after the time-out, and can be written afterwards', async () => {
    const file = fresh();
    const log = await openSqliteLog({ file, create: true, busyTimeout: 50 });
    const other = new BetterSqlite3(file);
    other.exec('BEGIN IMMEDIATE');
    const results = await Promise.all([
      rejection(log.append(commit('a', 'none'))),
      rejection(log.append(commit('b', 'none'))),
    ]);
    expect(results.map(({ code }) => code)).toEqual(['log/busy', 'log/busy']);
    other.exec('ROLLBACK');
    other.close();
    expect((await log.append(commit('a', 'none'))).next).toBe(1);
    await log.close();
  });
});
