import pkg from '../../../package.json' with { type: 'json' };
import { keyStore, keysFolder } from '../../keys/index.ts';
import { NO_HOOKS } from '../../preflight/world.ts';
import { type DeclaredOptions, declaredBy } from '../declared.ts';
import type { Io } from '../io.ts';
import { recordingInto } from '../recording-into.ts';
import { usage } from '../report-error.ts';
import { DEFAULT_LOG } from '../which-log.ts';

export interface McpCommandOptions extends DeclaredOptions {
  readonly checklists?: readonly string[];
  readonly db?: string;
  readonly user?: string;
  readonly name?: string;
  readonly keys?: string;
  readonly key?: string;
  readonly listen?: number;
  readonly address?: string;
  readonly upstream?: string;
  readonly header?: readonly string[];
  readonly timeout?: number;
  readonly patience?: number;
  readonly maxPages?: number;
}

/**
 * Stands between an MCP host and an MCP server until one of them goes away, or a signal comes. stdout carries the protocol and
 * nothing else.
 * @returns 0; 1 where the server went away by itself
 */
export async function mcp(io: Io, command: readonly string[], options: McpCommandOptions): Promise<number> {
  const [program, ...args] = command;
  if ((program === undefined) === (options.upstream === undefined)) {
    throw usage(
      program === undefined ? 'There is no server to stand in front of.' : 'Two servers are named.',
      'Give the server’s command after --, or its address with --upstream.',
    );
  }
  const declared = declaredBy({
    ...options,
    checklist: [...(options.checklist ?? []), ...(options.checklists ?? [])],
  });
  const url = options.upstream === undefined ? null : addressOf(options.upstream);
  const headers = Object.fromEntries((options.header ?? []).map(headerOf));
  const key = options.key === undefined ? undefined : keyStore(keysFolder(options.keys)).signer(options.key);
  const { httpServer, serveHttp, serveStdio, stdioServer } = await import('../../mcp/index.ts');
  // From now on, so that no signal finds a log open and nobody to close it.
  const signalled = new Promise<void>((resolve) => onSignal(resolve));
  const { log, ...recording } = recordingInto(options.db ?? DEFAULT_LOG, declared, options.maxPages);
  const server = () =>
    url === null ? stdioServer({ command: program as string, args }) : httpServer({ url, headers });
  const gateway = {
    around: { log, ...recording, world: NO_HOOKS },
    name: `grounds-mcp/${pkg.version}`,
    ...(key === undefined ? {} : { key }),
    ...(options.name === undefined ? {} : { server: options.name }),
    ...(options.user === undefined ? {} : { user: options.user }),
    ...(options.timeout === undefined ? {} : { timeout: options.timeout * 1000 }),
    ...(options.patience === undefined ? {} : { patience: options.patience * 1000 }),
    onerror: (error: Error) => io.err(`grounds mcp: ${error.message}\n`),
  };
  try {
    if (options.listen !== undefined) {
      const { port, address } = { port: options.listen, address: options.address ?? '127.0.0.1' };
      const listening = await serveHttp(server, gateway, { port, address });
      io.err(`grounds mcp: listening on ${listening.url}\n`);
      await signalled;
      await listening.close();
      return 0;
    }
    const session = await serveStdio(server, gateway, { input: process.stdin, output: process.stdout });
    void signalled.then(() => session.close());
    const { by } = await session.ended;
    if (by === 'server') io.err('grounds mcp: The server went away.\n');
    return by === 'server' ? 1 : 0;
  } finally {
    await log.close();
    // A pipe that nobody reads any more would keep this process.
    process.stdin.destroy();
  }
}

/** Once: a second signal ends the process as it always does. */
function onSignal(stop: () => void): void {
  const once = (): void => {
    process.off('SIGINT', once).off('SIGTERM', once);
    stop();
  };
  process.on('SIGINT', once).on('SIGTERM', once);
}

function addressOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw usage(`${text} is no address of a server.`, 'Give its URL, for example http://localhost:3001/mcp.');
  return url;
}

function headerOf(text: string): [string, string] {
  const colon = text.indexOf(':');
  if (colon < 1) throw usage(`${text} is no header.`, 'Write it as name: value.');
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
}
