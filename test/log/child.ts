import { type ChildProcess, fork } from 'node:child_process';
import { resolve } from 'node:path';
import { bundled } from '../bundled.ts';

const program = bundled(resolve(import.meta.dirname, 'child-main.ts'));

export async function start(args: readonly string[], uid?: number): Promise<ChildProcess> {
  return fork(await program(), args, { execArgv: [], ...(uid === undefined ? {} : { uid, gid: uid }) });
}

/** Runs one job of the child's and gives what it reports. */
export async function run(job: string, args: readonly string[], uid?: number): Promise<unknown> {
  const child = await start([job, ...args], uid);
  return new Promise((done, fail) => {
    child.once('message', done);
    child.once('error', fail);
    child.once('exit', (code) => fail(new Error(`the child ended with ${code} before it reported`)));
  });
}

/** As a user without rights of its own. */
export function runAs(job: string, args: readonly string[]): Promise<unknown> {
  return run(job, args, process.getuid?.() === 0 ? 65_534 : undefined);
}
