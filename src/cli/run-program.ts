import type * as ChildProcess from 'node:child_process';
import { GroundsError } from '../errors.ts';
import { NotReached, type ToolCall } from '../executor/index.ts';

/**
 * A program as a tool: the arguments as JSON on its stdin, the start's id as GROUNDS_IDEMPOTENCY_KEY and the tool's name as
 * GROUNDS_TOOL in its environment, its stdout as the result. An exit code other than 0 is the tool's failure; a program that
 * can't be started was never reached; one that a signal ended leaves nobody knowing.
 *
 * @param err takes what it writes to stderr
 */
export function programCall(command: readonly string[], err: (text: string) => void): ToolCall {
  return (tool, args, { idempotencyKey, signal }) =>
    new Promise((resolve, reject) => {
      const [file = '', ...rest] = command;
      const child = childProcess().spawn(file, rest, {
        stdio: ['pipe', 'pipe', 'pipe'],
        env: { ...process.env, GROUNDS_IDEMPOTENCY_KEY: idempotencyKey, GROUNDS_TOOL: tool.name },
      });
      const out: Buffer[] = [];
      const stop = (): void => {
        child.kill('SIGTERM');
      };
      signal.addEventListener('abort', stop, { once: true });
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
      child.stderr.setEncoding('utf8').on('data', err);
      // A program that doesn't read its stdin may well be right; how it ends is what counts.
      child.stdin.on('error', () => {});
      child.once('error', (error: NodeJS.ErrnoException) => {
        signal.removeEventListener('abort', stop);
        if (child.pid === undefined)
          reject(
            new NotReached(`${file} could not be started (${error.code ?? 'unknown'}).`, { cause: error }),
          );
        else reject(error);
      });
      child.once('close', (code, killed) => {
        signal.removeEventListener('abort', stop);
        if (code === null) reject(endedBy(killed));
        else resolve({ result: textOf(Buffer.concat(out)), failed: code !== 0, code: `tool/exit-${code}` });
      });
      child.stdin.end(JSON.stringify(args));
    });
}

/** The bundle leaves this module out of every start, and has a stub in its place: see build/no-child-process.js. */
function childProcess(): typeof ChildProcess {
  return process.getBuiltinModule('node:child_process');
}

/** Bytes that are no text are kept as such: they can't be stored as they are, and the record says so. */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes as unknown as string;
  }
}

function endedBy(signal: string | null): GroundsError {
  return new GroundsError('tool/killed', 'The program was ended by a signal.', {
    facts: { signal },
    hint: 'Look whether it had its effect, then settle the start with grounds reconcile.',
  });
}
