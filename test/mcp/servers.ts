import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type ServerCommand, stdioServer } from '../../src/mcp/stdio-server.ts';
import type { ServerTransport } from '../../src/mcp/transport.ts';

const require = createRequire(import.meta.url);

/** The file that a server's package runs. */
function entryOf(name: string): string {
  return join(dirname(require.resolve(`@modelcontextprotocol/${name}/package.json`)), 'dist/index.js');
}

export const SERVERS = {
  filesystem: (folder: string): ServerCommand => node(entryOf('server-filesystem'), [folder]),
  memory: (file: string): ServerCommand => node(entryOf('server-memory'), [], { MEMORY_FILE_PATH: file }),
  everything: (): ServerCommand => node(entryOf('server-everything'), ['stdio']),
  everythingHttp: (port: number): ServerCommand =>
    node(entryOf('server-everything'), ['streamableHttp'], { PORT: String(port) }),
};

function node(file: string, args: readonly string[], env: Record<string, string> = {}): ServerCommand {
  return { command: process.execPath, args: [file, ...args], env, stderr: 'ignore' };
}

/** A server's process that serves one session after the other: to start one takes longer than all that is asked of it. */
export interface KeptServer {
  readonly session: () => ServerTransport;
  readonly end: () => Promise<void>;
}

export function keptServer(command: ServerCommand): KeptServer {
  const inner = stdioServer(command);
  let started: Promise<void> | null = null;
  return {
    session() {
      const outer: ServerTransport = {
        async start() {
          inner.onmessage = (message) => outer.onmessage?.(message);
          inner.onerror = (error) => outer.onerror?.(error);
          inner.onclose = () => outer.onclose?.();
          started ??= inner.start();
          await started;
        },
        send: (message) => inner.send(message),
        close: async () => outer.onclose?.(),
      };
      return outer;
    },
    end: () => inner.close(),
  };
}
