/**
 * A gate in front of any MCP server: `grounds/mcp`. It stands between a host and a server, passes on what they say to each other,
 * and lets a call that can't be put back run only from an executable verdict in the log.
 *
 * @module
 */

export { CONTEXT_KEY, contextSchema, HostContext, IDEMPOTENCY_KEY } from './context.ts';
export { type Listening, type ListenOptions, listenForHosts } from './http-host.ts';
export { httpServer, type ServerAddress } from './http-server.ts';
export type { GatewayOptions } from './options.ts';
export { type OpenQuestion, REFUSAL_KEY } from './refusal.ts';
export { serveHttp, serveStdio } from './serve.ts';
export { openSession, type Session } from './session.ts';
export { stdioHost } from './stdio-host.ts';
export { type ServerCommand, stdioServer } from './stdio-server.ts';
export type { Faulty, HostTransport, ServerTransport } from './transport.ts';
