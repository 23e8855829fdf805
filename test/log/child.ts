import { type ChildProcess, fork } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll } from 'vitest';

const dir = mkdtempSync(join(tmpdir(), 'grounds-child-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

let built: Promise<string> | undefined;

/** Node 20 runs no TypeScript: the child's program is bundled once, with the packages beside it. */
function program(): Promise<string> {
  built ??= (async () => {
    const file = join(dir, 'child.mjs');
    const bundle = await rolldown({
      input: resolve(import.meta.dirname, 'child-main.ts'),
      platform: 'node',
      external: /^[^./]/,
    });
    await bundle.write({ file, format: 'esm' });
    await bundle.close();
    symlinkSync(resolve(import.meta.dirname, '../../node_modules'), join(dir, 'node_modules'));
    chmodSync(dir, 0o755);
    return file;
  })();
  return built;
}

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
