import { type ChildProcess, fork } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll } from 'vitest';

export interface ChildProgram {
  start(args: readonly string[], uid?: number): Promise<ChildProcess>;
  /** Runs one job of the child's and gives what it reports. */
  run(job: string, args: readonly string[], uid?: number): Promise<unknown>;
}

/**
 * Another process for the tests of one file. Node 20 runs no TypeScript: the child's program is bundled once. `whole`: with
 * its packages in it, but for the native one, so that a process that is started often starts fast.
 */
export function childProgram(main: string, options: { readonly whole?: boolean } = {}): ChildProgram {
  const dir = mkdtempSync(join(tmpdir(), 'grounds-child-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  let built: Promise<string> | undefined;

  const program = (): Promise<string> => {
    built ??= (async () => {
      const file = join(dir, 'child.mjs');
      const bundle = await rolldown({
        input: main,
        platform: 'node',
        external: options.whole === true ? ['better-sqlite3'] : /^[^./]/,
      });
      await bundle.write({ file, format: 'esm', codeSplitting: false });
      await bundle.close();
      symlinkSync(resolve(import.meta.dirname, '../node_modules'), join(dir, 'node_modules'));
      chmodSync(dir, 0o755);
      return file;
    })();
    return built;
  };
  const start: ChildProgram['start'] = async (args, uid) =>
    fork(await program(), args, { execArgv: [], ...(uid === undefined ? {} : { uid, gid: uid }) });

  return {
    start,
    async run(job, args, uid) {
      const child = await start([job, ...args], uid);
      return new Promise((done, fail) => {
        child.once('message', done);
        child.once('error', fail);
        child.once('exit', (code) => fail(new Error(`the child ended with ${code} before it reported`)));
      });
    },
  };
}
