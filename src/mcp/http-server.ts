import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import { sheltered, unmarked, unsheltered } from './exact-message.ts';
import { messageOf } from './server-message.ts';
import { sseMarked } from './sse.ts';
import { NeverSent, type ServerTransport } from './transport.ts';

export interface ServerAddress {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Codes of a connection that never came to be. */
const REFUSED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** How long a server may take to hear that a session is over, in milliseconds. */
const FAREWELL = 2000;

/**
 * A server behind streamable HTTP. The SDK's transport does the protocol; what goes out and comes in is made exact around it. An
 * answer whose stream ends without it is lost, unless the server gave a place to take it up again: then it is read on from
 * there. Nothing is ever posted twice.
 */
export function httpServer({ url, headers = {} }: ServerAddress): ServerTransport {
  const waiting = new Set<RequestId>();
  const exactFetch: FetchLike = async (to, init) => {
    const body = typeof init?.body === 'string' ? unmarked(init.body) : init?.body;
    const id = init?.method === 'POST' && typeof body === 'string' ? requestIn(body) : null;
    if (id !== null) waiting.add(id);
    let response: Response;
    try {
      response = await fetch(to, body === undefined ? init : { ...init, body });
    } catch (error) {
      if (id !== null) waiting.delete(id);
      throw isRefused(error) ? new NeverSent('The server could not be reached.', { cause: error }) : error;
    }
    const type = response.headers.get('content-type') ?? '';
    if (type.includes('application/json') && response.ok) {
      const { message } = messageOf(await response.text());
      if (message === null) throw new Error('The server answered with what is no JSON-RPC message.');
      return new Response(JSON.stringify(sheltered(message)), response);
    }
    if (!type.includes('text/event-stream') || response.body === null) return response;
    const resumable = { value: false };
    const stream = response.body.pipeThrough(sseMarked(messageOf, resumable));
    const ended = (): void => {
      // What the stream brought is handed on in the same turn or the next ones.
      if (id === null || resumable.value) return;
      setTimeout(() => {
        if (waiting.delete(id)) transport.onlost?.(id);
      }, 50).unref();
    };
    return new Response(watched(stream, ended), response);
  };

  const inner = new StreamableHTTPClientTransport(url, {
    fetch: exactFetch,
    requestInit: { headers: { ...headers } },
  });
  const transport: ServerTransport = {
    async start() {
      inner.onmessage = (message) => {
        if ('id' in message && !('method' in message) && message.id !== undefined) waiting.delete(message.id);
        transport.onmessage?.(unsheltered(message));
      };
      inner.onerror = (error) => transport.onerror?.(error);
      inner.onclose = () => transport.onclose?.();
      await inner.start();
    },
    send: (message) => inner.send(message),
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, FAREWELL).unref());
      await Promise.race([inner.terminateSession().catch(() => {}), late]);
      await inner.close();
    },
    setProtocolVersion: (version) => inner.setProtocolVersion(version),
  };
  return transport;
}

function requestIn(body: string): RequestId | null {
  const { message } = messageOf(body);
  return message !== null && 'method' in message && 'id' in message ? message.id : null;
}

function isRefused(error: unknown): boolean {
  const cause =
    error instanceof Error ? (error.cause as { code?: unknown; errors?: { code?: unknown }[] }) : undefined;
  const codes = [cause?.code, ...(cause?.errors ?? []).map(({ code }) => code)];
  return codes.some((code) => typeof code === 'string' && REFUSED.has(code));
}

function watched(stream: ReadableStream<Uint8Array>, ended: () => void): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        ended();
        controller.close();
      } catch (error) {
        ended();
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
