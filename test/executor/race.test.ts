import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { streamOf } from '../../src/events/index.ts';
import { openSqliteLogSync, rowChecker } from '../../src/log/index.ts';
import { bundled } from '../bundled.ts';
import { freshFiles } from '../log/folder.ts';
import { dataOf, judge } from './bank.ts';

const fresh = freshFiles();
const program = bundled(resolve(import.meta.dirname, 'child-main.ts'), { whole: true });
const start = async (args: readonly string[]) => fork(await program(), args, { execArgv: [] });
const PROCESSES = 8;
/** The figure that is claimed is the one with GROUNDS_FUZZ; the normal run is a tenth of it. */
const VERDICTS = process.env.GROUNDS_FUZZ === undefined ? 100 : 1000;

describe('several executors', () => {
  it(`in ${PROCESSES} processes that race to execute the same ${VERDICTS} verdicts make ${VERDICTS} calls`, async () => {
    const file = fresh();
    const world = fresh('world');
    const log = openSqliteLogSync({ file, create: true });
    const at = new Date().toISOString();
    const calls = Array.from({ length: VERDICTS }, () => judge(log, { at }).call);
    const children = await Promise.all(
      Array.from({ length: PROCESSES }, (_, n) =>
        start(['race', file, world, `p${n}`, String(n % 4), '3600']),
      ),
    );
    await Promise.all(children.map((child) => once(child, 'message')));
    const began = performance.now();
    const reports = children.map(
      async (child) => (await once(child, 'message'))[0] as Record<string, number>,
    );
    for (const child of children) child.send('go');
    const found = await Promise.all(reports);
    const took = performance.now() - began;

    const sum = (what: string): number => found.reduce((total, each) => total + (each[what] ?? 0), 0);
    expect(found.flatMap(Object.keys).filter((what) => !['succeeded', 'consumed'].includes(what))).toEqual(
      [],
    );
    expect(sum('succeeded')).toBe(VERDICTS);
    expect(sum('consumed')).toBe(VERDICTS * (PROCESSES - 1));
    expect(existsSync(world)).toBe(true);
    const sent = readFileSync(world, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' '));
    expect(sent.map(([call]) => call).sort()).toEqual([...calls].sort());
    expect(new Set(sent.map(([, key]) => key)).size).toBe(VERDICTS);
    const winners = new Set(sent.map(([, , name]) => name));
    expect(winners.size).toBeGreaterThan(1);
    for (const call of calls) {
      const stream = streamOf.call(call);
      expect(dataOf(log, stream, 'CallStarted')).toHaveLength(1);
      expect(dataOf(log, stream, 'CallSucceeded')).toHaveLength(1);
      // All of them are one executor by name: what they find is said once.
      expect(
        dataOf(log, stream, 'ExecutionDecided').filter(({ decision }) => decision === 'refuse').length,
      ).toBeLessThanOrEqual(1);
    }
    const check = rowChecker();
    for (const page of log.readSync({})) for (const row of page) expect(check(row)).toBeNull();
    await log.close();
    console.info(
      `${VERDICTS} verdicts, ${PROCESSES} processes: ${VERDICTS} calls in ${Math.round(took)} ms, won by ${winners.size}`,
    );
  }, 180_000);
});
