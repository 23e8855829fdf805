import { type ChildProcess, spawn } from 'node:child_process';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { GroundsError } from '../errors.ts';
import { exactText } from './exact-message.ts';
import { linesOf } from './lines.ts';
import { messageOf } from './server-message.ts';
import { MOST_UNREAD, NeverSent, type ServerTransport } from './transport.ts';

/** A server to be started: a command, never a shell's line. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** Beside this process's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where its stderr goes: by default where this process's does. */
  readonly stderr?: 'inherit' | 'ignore';
}

/** How long a server may take to end after its input was closed, and again after it was told to. Milliseconds. */
const PATIENCE = 2000;

/** A server as a child of this process, over its stdin and stdout. Closing ends the child and waits until it is gone. */
export function stdioServer(server: ServerCommand): ServerTransport & { readonly pid: () => number | null } {
  let child: ChildProcess | null = null;
  let closed = false;
  const gone = (): void => {
    if (closed) return;
    closed = true;
    transport.onclose?.();
  };
  const lines = linesOf(
    (line) => {
      const { message, error } = messageOf(line);
      if (error !== null) transport.onerror?.(error);
      if (message !== null) transport.onmessage?.(message);
    },
    () => {
      transport.onerror?.(new Error('A line of the server is too long.'));
      void transport.close();
    },
  );

  const transport: ServerTransport & { pid: () => number | null } = {
    pid: () => child?.pid ?? null,
    start: () =>
      new Promise((resolve, reject) => {
        const started = spawn(server.command, [...server.args], {
          cwd: server.cwd,
          env: { ...process.env, ...server.env },
          stdio: ['pipe', 'pipe', server.stderr ?? 'inherit'],
          windowsHide: true,
        });
        child = started;
        started.once('spawn', resolve);
        started.once('error', (error) => {
          reject(notStarted(server.command, error));
          gone();
        });
        started.once('close', gone);
        started.stdin?.on('error', (error) => transport.onerror?.(error));
        started.stdout?.on('data', (chunk: Buffer) => lines.push(chunk));
        started.stdout?.on('error', (error) => transport.onerror?.(error));
      }),
    send(message: JSONRPCMessage) {
      const input = child?.stdin;
      if (closed || input == null || !input.writable)
        return Promise.reject(new NeverSent('The server is not running.'));
      if (input.writableLength > MOST_UNREAD)
        return Promise.reject(new NeverSent('The server does not read what it is sent.'));
      return new Promise((resolve, reject) => {
        // Once bytes went into the pipe the server may have read them, whatever the pipe says afterwards.
        input.write(`${exactText(message)}\n`, (error) => (error == null ? resolve() : reject(error)));
      });
    },
    async close() {
      const running = child;
      if (running === null || running.exitCode !== null || running.signalCode !== null) return gone();
      const ended = new Promise<true>((resolve) => running.once('close', () => resolve(true)));
      running.stdin?.end();
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        if (await Promise.race([ended, after(PATIENCE)])) return gone();
        running.kill(signal);
      }
      await Promise.race([ended, after(PATIENCE)]);
      gone();
    },
  };
  return transport;
}

function notStarted(command: string, cause: NodeJS.ErrnoException): GroundsError {
  return new GroundsError('mcp/server-not-started', `The server ${command} could not be started.`, {
    facts: { command, cause: cause.code ?? 'unknown' },
    hint: 'Check its path; it is started as a program, without a shell.',
  });
}

function after(milliseconds: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), milliseconds).unref());
}
