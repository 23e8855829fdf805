import type { Readable, Writable } from 'node:stream';
import { type Listening, type ListenOptions, listenForHosts } from './http-host.ts';
import type { GatewayOptions } from './options.ts';
import { openSession, type Session } from './session.ts';
import { stdioHost } from './stdio-host.ts';
import type { ServerTransport } from './transport.ts';

/** Stands between the host on these streams and one server. */
export function serveStdio(
  server: () => ServerTransport,
  options: GatewayOptions,
  streams: { readonly input: Readable; readonly output: Writable },
): Promise<Session> {
  return openSession(stdioHost(streams.input, streams.output), server(), options);
}

/** Stands between any hosts that connect and a server of its own for each. */
export async function serveHttp(
  server: () => ServerTransport,
  options: GatewayOptions,
  listen: Pick<ListenOptions, 'port' | 'address' | 'idle'>,
): Promise<Listening> {
  const sessions = new Set<Session>();
  const { onerror } = options;
  const listening = await listenForHosts({
    ...listen,
    ...(onerror === undefined ? {} : { onerror }),
    async accept(host) {
      const session = await openSession(host, server(), options);
      sessions.add(session);
      void session.ended.finally(() => sessions.delete(session));
    },
  });
  return {
    url: listening.url,
    async close() {
      await Promise.all([...sessions].map((session) => session.close()));
      await listening.close();
    },
  };
}
