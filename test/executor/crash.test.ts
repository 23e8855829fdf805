import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { streamOf } from '../../src/events/index.ts';
import { createExecutor, unfinishedStarts } from '../../src/executor/index.ts';
import { openSqliteLogSync, rowChecker, type SqliteLog } from '../../src/log/index.ts';
import { bundled } from '../bundled.ts';
import { freshFiles } from '../log/folder.ts';
import { dataOf, judge } from './bank.ts';
import { AFTER_END, BEFORE_START, SENT, STEPS, type Step } from './steps.ts';

const fresh = freshFiles();
const program = bundled(resolve(import.meta.dirname, 'child-main.ts'), { whole: true });
const start = async (args: readonly string[]) => fork(await program(), args, { execArgv: [] });

/** Kills at each step; the figure that is claimed is the one with GROUNDS_FUZZ. */
const EACH = process.env.GROUNDS_FUZZ === undefined ? 4 : 30;
/** Kills at a moment that nobody chose. */
const AT_RANDOM = process.env.GROUNDS_FUZZ === undefined ? 8 : 60;
/** Logs at once, each with its own processes, one after the other. */
const LANES = 4;

interface Lane {
  readonly file: string;
  readonly world: string;
  readonly acknowledged: string;
  readonly log: SqliteLog;
  readonly calls: readonly string[];
}

function lane(calls: number): Lane {
  const file = fresh();
  const log = openSqliteLogSync({ file, create: true });
  const at = new Date().toISOString();
  return {
    file,
    log,
    world: `${file}.world`,
    acknowledged: `${file}.acknowledged`,
    calls: Array.from({ length: calls }, () => judge(log, { at }).call),
  };
}

const linesOf = (file: string): string[][] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.split(' '))
    : [];

/** What must hold of a log and its world after any number of kills. */
function requireWhole({ log, world, acknowledged, calls }: Lane): void {
  const size = log.sizeSync();
  const check = rowChecker();
  for (const page of log.readSync({})) for (const row of page) expect(check(row)).toBeNull();
  for (const [, next] of linesOf(acknowledged)) expect(Number(next)).toBeLessThanOrEqual(size);

  const sent = linesOf(world);
  expect(new Set(sent.map(([call]) => call)).size).toBe(sent.length);
  for (const [call = '', key] of sent) {
    const starts = dataOf(log, streamOf.call(call), 'CallStarted');
    expect(starts.map(({ idempotency_key }) => idempotency_key)).toEqual([key]);
  }
  const unfinished = [...unfinishedStarts(log)].map(({ start: id }) => id).sort();
  const open: string[] = [];
  for (const call of calls) {
    const stream = streamOf.call(call);
    const ended = new Set(dataOf(log, stream, 'CallSucceeded').map(({ start: id }) => id));
    for (const { idempotency_key } of dataOf(log, stream, 'CallStarted'))
      if (idempotency_key !== null && !ended.has(idempotency_key)) open.push(idempotency_key);
  }
  expect(unfinished).toEqual(open.sort());
}

/** What the rest of the world finds afterwards: whatever may have happened is not done again. */
async function goOn({ log, world, calls }: Lane): Promise<number> {
  const before = new Set(linesOf(world).map(([call]) => call));
  let made = 0;
  const executor = createExecutor({
    log,
    name: 'after/1',
    maxAge: 86_400_000,
    call: (_tool, _args, { call }) => {
      expect(before.has(call)).toBe(false);
      made++;
      return { result: 1, failed: false };
    },
  });
  for (const call of calls) await executor.execute({ call });
  return made;
}

describe('kill -9', () => {
  it(`${EACH * STEPS.length} times, at every step between verdict and end: no call without a durable start, nothing acknowledged is lost, every unfinished start is reported`, async () => {
    const kills = Array.from({ length: EACH }, () => STEPS).flat();
    const shares = Array.from({ length: LANES }, (_, n) => kills.filter((_kill, k) => k % LANES === n));
    const began = performance.now();
    const done = await Promise.all(
      shares.map(async (steps) => {
        const one = lane(steps.length);
        for (const [n, step] of steps.entries()) {
          const child = await start(['dies', one.file, one.world, step, String(n), one.acknowledged]);
          const [code, signal] = await once(child, 'close');
          expect({ step, code, signal }).toEqual({ step, code: null, signal: 'SIGKILL' });
          const call = one.calls[n] as string;
          const stream = streamOf.call(call);
          const found = {
            started: dataOf(one.log, stream, 'CallStarted').length,
            sent: linesOf(one.world).filter(([sent]) => sent === call).length,
            ended: dataOf(one.log, stream, 'CallSucceeded').length,
          };
          expect({ step, ...found }).toEqual({
            step,
            started: has(BEFORE_START, step) ? 0 : 1,
            sent: has(SENT, step) ? 1 : 0,
            ended: has(AFTER_END, step) ? 1 : 0,
          });
        }
        return { one, steps };
      }),
    );
    const took = Math.round(performance.now() - began);
    for (const { one, steps } of done) {
      requireWhole(one);
      expect(await goOn(one)).toBe(steps.filter((step) => has(BEFORE_START, step)).length);
      requireWhole(one);
      await one.log.close();
    }
    console.info(`${kills.length} kills at ${STEPS.length} steps in ${took} ms`);
  }, 600_000);

  it(`${AT_RANDOM} times, at moments that nobody chose`, async () => {
    const one = lane(AT_RANDOM * 8);
    let killed = 0;
    let seed = 7;
    for (let n = 0; n < AT_RANDOM; n++) {
      const begun = linesOf(one.acknowledged).length >> 1;
      const child = await start(['dies', one.file, one.world, 'never', String(begun), one.acknowledged]);
      const closed = once(child, 'close');
      await once(child, 'message');
      seed = (seed * 48_271) % 2_147_483_647;
      await new Promise((wait) => setTimeout(wait, seed % 40));
      child.kill('SIGKILL');
      const [, signal] = await closed;
      if (signal === 'SIGKILL') killed++;
      requireWhole(one);
    }
    await goOn(one);
    requireWhole(one);
    expect(killed).toBeGreaterThan(AT_RANDOM / 2);
    await one.log.close();
  }, 600_000);
});

function has(steps: readonly Step[], step: Step): boolean {
  return steps.includes(step);
}
