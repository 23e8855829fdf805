import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { faultMessage } from '../events/ingress.ts';
import type { Json } from '../events/json.ts';
import { headOf, markedText, sheltered, unmarked, unsheltered } from './exact-message.ts';
import { LONGEST_LINE } from './lines.ts';
import { errorResponse, type HostTransport, inexact, JSON_RPC, MOST_UNREAD, UNREAD } from './transport.ts';

export interface Listening {
  readonly url: string;
  readonly close: () => Promise<void>;
}

export interface ListenOptions {
  readonly port: number;
  /** Default 127.0.0.1: whoever can reach it can propose calls. */
  readonly address?: string;
  /** Called for each host that connects. */
  readonly accept: (host: HostTransport) => Promise<void>;
  readonly onerror?: (error: Error) => void;
  /** A host that has no request and no stream open for so long is gone, in milliseconds. Default an hour. */
  readonly idle?: number;
}

const IDLE = 60 * 60_000;
const PATH = '/mcp';

/**
 * Hosts over streamable HTTP, each a session of its own. The SDK's transport does the protocol; each body is read exactly before
 * it gets there, and marked numbers are written as they came. Only requests that name this address are answered, so that a page
 * in a browser can't reach it under another name.
 */
export async function listenForHosts(options: ListenOptions): Promise<Listening> {
  const sessions = new Map<string, Session>();
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      options.onerror?.(error instanceof Error ? error : new Error(String(error)));
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = request.url ?? '/';
    if (!URL.canParse(asked, 'http://localhost')) return plain(response, 400, 'This is no address.');
    if (new URL(asked, 'http://localhost').pathname !== PATH) return plain(response, 404, 'Not found.');
    if (!isOwnName(request, server)) return plain(response, 403, 'This address does not go by that name.');
    const name = request.headers['mcp-session-id'];
    const known = typeof name === 'string' ? sessions.get(name) : undefined;
    let body: Json | undefined;
    if (request.method === 'POST') {
      const text = await textOf(request);
      if (text === null) return plain(response, 413, 'The body is too long.');
      const { text: marked, fatal, faults } = markedText(text);
      if (fatal !== null)
        return json(response, 400, errorResponse(undefined, JSON_RPC.parse, faultMessage(fatal)));
      const value = JSON.parse(marked) as Json;
      const { id, method } = headOf(value);
      const fault = faults.find(
        ({ code }) => code === 'duplicate_key' || method === 'tools/call' || Array.isArray(value),
      );
      if (fault !== undefined) {
        const told = inexact('This request', fault);
        const refused = errorResponse(id ?? undefined, JSON_RPC.invalidRequest, told.message, told.data);
        const faulty = id === null || method === null ? null : { id, method, text, value, fault };
        const said = faulty === null ? undefined : known?.host.onfaulty?.(faulty);
        return json(response, 200, (await said) ?? refused);
      }
      body = sheltered(value);
    }
    let session = known;
    if (session === undefined) {
      if (name !== undefined)
        return json(response, 404, errorResponse(undefined, -32001, 'Session not found'));
      if (!isInitializeRequest(body))
        return json(
          response,
          400,
          errorResponse(undefined, JSON_RPC.invalidRequest, 'No session: initialize first.'),
        );
      session = opened();
    }
    const of = session;
    of.open.add(response);
    response.once('close', () => {
      of.open.delete(response);
      of.seen = Date.now();
    });
    await handled(of, request, response, body);
  };

  const idle = options.idle ?? IDLE;
  const reaper = setInterval(
    () => {
      for (const { host, open, seen } of [...sessions.values()])
        if (open.size === 0 && Date.now() - seen > idle) void host.close();
    },
    Math.min(idle, 60_000),
  ).unref();

  const opened = (): Session => {
    const web = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      // Only now: whoever is turned away before this has no server started for them.
      onsessioninitialized: (id) => {
        sessions.set(id, session);
        session.accepted = options.accept(host).catch((error: unknown) => {
          sessions.delete(id);
          throw error;
        });
        return session.accepted;
      },
    });
    const host: HostTransport = {
      async start() {
        web.onmessage = (message) => host.onmessage?.(unsheltered(message));
        web.onerror = (error) => host.onerror?.(error);
        web.onclose = () => {
          if (web.sessionId !== undefined) sessions.delete(web.sessionId);
          host.onclose?.();
        };
        await web.start();
      },
      send: (message, related) =>
        web.send(
          message,
          related?.relatedRequestId === undefined ? {} : { relatedRequestId: related.relatedRequestId },
        ),
      close: () => web.close(),
    };
    const session: Session = { web, host, accepted: Promise.resolve(), open: new Set(), seen: Date.now() };
    return session;
  };

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.address ?? '127.0.0.1', resolve);
  });
  return {
    url: urlOf(server),
    async close() {
      clearInterval(reaper);
      for (const { host } of [...sessions.values()]) await host.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

interface Session {
  readonly web: WebStandardStreamableHTTPServerTransport;
  readonly host: HostTransport;
  /** Rejects where there can be no session, and so no server either. */
  accepted: Promise<void>;
  /** Responses that are not over. */
  readonly open: Set<ServerResponse>;
  /** When the last one was. */
  seen: number;
}

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}${PATH}`;
}

/** The name in the request's head is this address, or that of this machine; and so is the page's that sent it. */
function isOwnName({ headers }: IncomingMessage, server: Server): boolean {
  const { address } = server.address() as AddressInfo;
  const own = new Set([address, `[${address}]`, 'localhost', '127.0.0.1', '[::1]']);
  const any = address === '0.0.0.0' || address === '::';
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  if (!any && !own.has(host)) return false;
  if (headers.origin === undefined) return true;
  try {
    const from = new URL(headers.origin).hostname;
    return own.has(from) || (any && from === host);
  } catch {
    return false;
  }
}

async function textOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LONGEST_LINE) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Hands a request to the SDK's transport, and its response back, chunk by chunk: each is one whole event. */
async function handled(
  session: Session,
  request: IncomingMessage,
  response: ServerResponse,
  body: Json | undefined,
): Promise<void> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  const asked = new Request(`http://localhost${PATH}`, { method: request.method ?? 'GET', headers });
  const answered = await session.web.handleRequest(asked, body === undefined ? {} : { parsedBody: body });
  // The SDK would tell the host that its message can't be read.
  await session.accepted;
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  if (answered.body === null) {
    response.end();
    return;
  }
  response.flushHeaders();
  const reader = answered.body.getReader();
  response.once('close', () => void reader.cancel().catch(() => {}));
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (unreadOf(session) > MOST_UNREAD) return giveUp(session);
    response.write(unmarked(decoder.decode(value)));
  }
  response.end();
}

function unreadOf({ open }: Session): number {
  return [...open].reduce((sum, { writableLength }) => sum + writableLength, 0);
}

async function giveUp({ host, open }: Session): Promise<void> {
  host.onerror?.(new Error(UNREAD));
  for (const response of open) response.destroy();
  await host.close();
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(unmarked(JSON.stringify(body)));
}
