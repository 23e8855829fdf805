import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomId } from '../../src/events/random-id.ts';
import { createExecutor } from '../../src/executor/index.ts';
import { type Commit, openSqliteLogSync, type SqliteLog } from '../../src/log/index.ts';
import type { Around } from '../../src/preflight/around.ts';
import { openRequest, say } from '../../src/preflight/conversation.ts';
import { judge } from '../../src/preflight/judge.ts';
import { NO_HOOKS, type World } from '../../src/preflight/world.ts';
import { live, result, TRANSFER, typed } from '../preflight/live.ts';
import { median } from './median.ts';

export interface LiveBench {
  readonly calls: number;
  /** Durable commits of one call, from its run to its outcome. Exactly 3. */
  readonly commits: number;
  /** Wall time of a whole call over that of one commit of the same bytes, medians of the same run. At most 3.3. */
  readonly ratio: number;
  readonly bytes: number;
}

const ARGUMENTS = { from_account: 'A-1', to_account: 'B-2', amount: 50 };
const ACCOUNT = { account_id: 'A-1', owner_id: 'u1', balance: 900, available: 900, status: 'open' };

/** Hooks that answer from memory: what remains is the gate and the log. */
const IN_MEMORY: World = {
  ...NO_HOOKS,
  measure: async (_, open) =>
    open.map((request) => ({
      request,
      found:
        '/from_account' in request.key
          ? { segment: result('get_account', { account_id: 'A-1' }, ACCOUNT, 'hook') }
          : null,
    })),
};

/** What is measured is the work, not the compiler's warming up. */
const FIRST = 2000;

/** One call after the other: judged, decided, started, called, ended; beside each, one commit of what it wrote. */
export async function benchLive(
  calls = 1000,
  print: (line: string) => void = console.log,
): Promise<LiveBench> {
  const dir = mkdtempSync(join(process.env.GROUNDS_BENCH_DIR ?? tmpdir(), 'grounds-bench-'));
  try {
    const log = openSqliteLogSync({ file: join(dir, 'live.db'), create: true });
    const beside = openSqliteLogSync({ file: join(dir, 'beside.db'), create: true });
    const counted = counting(log);
    const around = live({
      log: counted.log,
      world: IN_MEMORY,
      clock: () => new Date().toISOString(),
      newId: randomId,
    });
    const executor = createExecutor({
      log: counted.log,
      name: 'bench/1',
      call: async () => ({ result: { done: true }, failed: false }),
    });
    const whole: number[] = [];
    const single: number[] = [];
    let commits = 0;
    let bytes = 0;
    for (let done = -FIRST; done < calls; done++) {
      const conversation = randomId();
      const request = await openRequest(around, { conversation, from: 0 });
      await say(around, conversation, [typed('Please transfer 50 from A-1 to B-2.')]);
      const from = log.sizeSync();
      const before = counted.commits();
      const started = performance.now();
      await oneCall(around, { conversation, request }, executor);
      const took = performance.now() - started;
      commits = Math.max(commits, counted.commits() - before);
      const { commit, size } = asOneCommit(log, from);
      bytes = size;
      const again = performance.now();
      await beside.append(commit);
      const tookOne = performance.now() - again;
      if (done < 0) continue;
      whole.push(took);
      single.push(tookOne);
    }
    await log.close();
    await beside.close();
    const found = { calls, commits, bytes, ratio: median(whole) / median(single) };
    print(shown(found));
    return found;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function oneCall(
  around: Around,
  of: { readonly conversation: string; readonly request: string },
  executor: ReturnType<typeof createExecutor>,
): Promise<void> {
  const call = randomId();
  const { run, verdict } = await judge(around, { ...of, call, tool: TRANSFER, arguments: ARGUMENTS });
  const execution = await executor.execute({ run, call });
  if (verdict.kind !== 'executable' || execution.decision !== 'execute' || execution.outcome !== 'succeeded')
    throw new Error('The call did not run: nothing was measured.');
}

function counting(log: SqliteLog): { readonly log: SqliteLog; readonly commits: () => number } {
  let commits = 0;
  const append: SqliteLog['append'] = (commit) => {
    commits++;
    return log.append(commit);
  };
  const wrapped = new Proxy(log, {
    get: (target, name) => (name === 'append' ? append : Reflect.get(target, name, target)),
  });
  return { log: wrapped, commits: () => commits };
}

/** What stands in a log from here on, as one commit. */
function asOneCommit(log: SqliteLog, from: number): { readonly commit: Commit; readonly size: number } {
  const writes: { stream: string; expected: 'any'; events: Commit['writes'][number]['events'][number][] }[] =
    [];
  let size = 0;
  for (const page of log.readSync({ from })) {
    for (const { event, bytes } of page) {
      size += bytes.length;
      const last = writes.at(-1);
      if (last?.stream === event.stream) last.events.push(event);
      else writes.push({ stream: event.stream, expected: 'any', events: [event] });
    }
  }
  return { commit: { writes }, size };
}

function shown({ calls, commits, ratio, bytes }: LiveBench): string {
  const holds = (kept: boolean): string => (kept ? 'holds' : 'MISSED');
  return [
    `live: ${calls} calls, ${(bytes / 1024).toFixed(1)} KiB each`,
    `  ${commits} durable commits a call (exactly 3) ${holds(commits === 3)}`,
    `  ${ratio.toFixed(2)} x one commit of the same bytes (at most 3.3) ${holds(ratio <= 3.3)}`,
  ].join('\n');
}
