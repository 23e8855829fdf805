import { resolve } from 'node:path';
import { childProgram } from '../child-program.ts';

export const { start, run } = childProgram(resolve(import.meta.dirname, 'child-main.ts'));

/** As a user without rights of its own. */
export function runAs(job: string, args: readonly string[]): Promise<unknown> {
  return run(job, args, process.getuid?.() === 0 ? 65_534 : undefined);
}
