import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll } from 'vitest';

const dir = mkdtempSync(join(tmpdir(), 'grounds-import-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

let built: Promise<string> | undefined;

/** Node 20 runs no TypeScript: the child's program is bundled once, with the packages beside it. */
function program(): Promise<string> {
  built ??= (async () => {
    const file = join(dir, 'import.mjs');
    const bundle = await rolldown({
      input: resolve(import.meta.dirname, 'import-main.ts'),
      platform: 'node',
      external: /^[^./]/,
    });
    await bundle.write({ file, format: 'esm' });
    await bundle.close();
    symlinkSync(resolve(import.meta.dirname, '../../node_modules'), join(dir, 'node_modules'));
    return file;
  })();
  return built;
}

export interface Import {
  readonly log: string;
  readonly transcript: string;
  readonly checklist: string;
  /** TZ, LANG and the like. */
  readonly env?: Readonly<Record<string, string>>;
  /** The child is killed once it has told of so many conversations, in the middle of whatever it does then. */
  readonly killAfter?: number;
}

/** Imports in a process of its own; gives how many conversations it told of, and how it ended. */
export async function importElsewhere(
  job: Import,
): Promise<{ told: number; killed: boolean; code: number | null }> {
  const child: ChildProcess = fork(
    await program(),
    [job.log, job.transcript, job.checklist, job.killAfter ? 'stay' : 'end'],
    {
      execArgv: [],
      env: { ...process.env, ...job.env },
    },
  );
  let told = 0;
  return new Promise((done, fail) => {
    child.on('message', (message) => {
      if (message !== 'done') told++;
      if (told === job.killAfter) child.kill('SIGKILL');
    });
    child.once('error', fail);
    child.once('exit', (code, signal) => done({ told, killed: signal === 'SIGKILL', code }));
  });
}
