import { type ChildProcess, fork } from 'node:child_process';
import { resolve } from 'node:path';
import { bundled } from '../bundled.ts';

const program = bundled(resolve(import.meta.dirname, 'import-main.ts'));

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
