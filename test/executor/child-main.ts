import { appendFileSync } from 'node:fs';
import { createExecutor, type ExecutorOptions } from '../../src/executor/index.ts';
import { openSqliteLogSync, type SyncLog } from '../../src/log/index.ts';
import type { Step } from './steps.ts';

/** The other process of the tests: bundled and forked by child-program.ts. */
const [job, file = '', world = '', ...more] = process.argv.slice(2);

/** The world is a file that is only added to: a line for each time that money was sent. */
function sends(name: string): ExecutorOptions['call'] {
  return (_tool, _args, { call, idempotencyKey }) => {
    appendFileSync(world, `${call} ${idempotencyKey} ${name}\n`);
    return { result: { sent: true }, failed: false };
  };
}

function callsIn(log: SyncLog): string[] {
  const calls = new Set<string>();
  for (const page of log.readSync({ types: ['RunStarted'] }))
    for (const { stream } of page) calls.add(stream.slice('call/'.length));
  return [...calls];
}

/** Tries to execute every call that the log holds, once it is told to. */
async function race(): Promise<unknown> {
  const [name = '', apart = '', seconds = ''] = more;
  const log = openSqliteLogSync({ file, busyTimeout: 60_000 });
  const calls = callsIn(log);
  const executor = createExecutor({
    log,
    name: 'bank-executor/1',
    call: sends(name),
    maxAge: Number(seconds) * 1000,
  });
  process.send?.('ready');
  await new Promise((go) => process.once('message', go));
  const found: Record<string, number> = {};
  // Each begins somewhere else, so that the winners are not all the same; they meet all the same.
  const first = Math.floor((Number(apart) * calls.length) / 64);
  for (let n = 0; n < calls.length; n++) {
    const execution = await executor.execute({ call: calls[(first + n) % calls.length] as string });
    const what = execution.decision === 'execute' ? execution.outcome : execution.refused.join();
    found[what] = (found[what] ?? 0) + 1;
  }
  await log.close();
  return found;
}

/**
 * Executes calls from the n-th on, and dies at a step of the first: by its own hand, with the signal that nobody can catch;
 * or, where the step is none of these, whenever it is killed. Each commit is told once it is acknowledged, synchronously, since
 * nothing is sent after death.
 */
async function dies(): Promise<unknown> {
  const [step = '', nth = '0', acknowledged = ''] = more;
  const log = openSqliteLogSync({ file });
  const die = (here: Step): void => {
    if (here === step) process.kill(process.pid, 'SIGKILL');
  };
  let commits = 0;
  const watched: SyncLog = {
    ...log,
    versionSync(stream) {
      die('reading');
      return log.versionSync(stream);
    },
    async append(commit) {
      const starts = commits % 2 === 0;
      die(starts ? 'start written to nowhere yet' : 'outcome written to nowhere yet');
      const appending = log.append(commit);
      // The commit is in the queue; the disk has not been asked.
      die(starts ? 'start in the queue' : 'outcome in the queue');
      const appended = await appending;
      commits++;
      appendFileSync(acknowledged, `${appended.first} ${appended.next}\n`);
      die(starts ? 'start durable' : 'outcome durable');
      return appended;
    },
  };
  const executor = createExecutor({
    log: watched,
    name: 'bank-executor/1',
    maxAge: 86_400_000,
    call: async (tool, args, context) => {
      die('call begun');
      await new Promise(setImmediate);
      const answer = await sends('x')(tool, args, context);
      die('money sent');
      await new Promise(setImmediate);
      die('about to answer');
      return answer;
    },
  });
  process.send?.('ready');
  for (const call of callsIn(log).slice(Number(nth))) await executor.execute({ call });
  await log.close();
  return 'alive';
}

const jobs: Record<string, () => Promise<unknown>> = { race, dies };
try {
  process.send?.(await jobs[job ?? '']?.());
} catch (error) {
  process.send?.({ error: String(error), code: (error as { code?: unknown }).code ?? null });
}
process.disconnect?.();
