import { randomUUID } from 'node:crypto';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '../events/json.ts';

/** The other side answered with an error. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The connection went away before the answer came: whether the other side did what it was asked to is not known. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

export interface AskOptions {
  /** Tells the other side that nobody waits any more, and rejects. */
  readonly signal?: AbortSignal;
  /** Milliseconds; then the same. */
  readonly timeout?: number;
  /** The request of the other side that this one belongs to. */
  readonly related?: RequestId;
}

/** The gateway's own requests to one side, beside those that it only passes on. */
export interface Peer {
  /** @throws RemoteError; ConnectionLost; NeverSent where the other side can't have seen it; the signal's reason */
  ask(method: string, params: JsonObject | undefined, options?: AskOptions): Promise<JsonObject>;
  /** Takes an answer to one of these; false: it answers somebody else's. */
  takes(message: JSONRPCMessage): boolean;
  /** The answer to this request will not come. */
  lose(id: RequestId): void;
  /** No answer will. */
  loseAll(): void;
}

interface Waiting {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: unknown) => void;
}

export function peerOf(transport: Transport): Peer {
  // Ids that no other requester on this connection uses, and that tell nothing.
  const prefix = randomUUID();
  const waiting = new Map<RequestId, Waiting>();
  let asked = 0;

  return {
    ask(method, params, { signal, timeout, related } = {}) {
      const id = `${prefix}/${asked++}`;
      return new Promise((resolve, reject) => {
        let timer: NodeJS.Timeout | undefined;
        const settle = (): void => {
          waiting.delete(id);
          clearTimeout(timer);
          signal?.removeEventListener('abort', aborted);
        };
        const giveUp = (reason: unknown): void => {
          if (!waiting.has(id)) return;
          settle();
          reject(reason);
          const params = { requestId: id, reason: 'Nobody waits for the answer any more.' };
          void transport
            .send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }, relatedTo(related))
            .catch(() => {});
        };
        const aborted = (): void => giveUp(signal?.reason);
        if (signal?.aborted === true) return reject(signal.reason);
        waiting.set(id, {
          resolve: (result) => {
            settle();
            resolve(result);
          },
          reject: (error) => {
            settle();
            reject(error);
          },
        });
        signal?.addEventListener('abort', aborted, { once: true });
        if (timeout !== undefined)
          timer = setTimeout(() => giveUp(new Error(`No answer to ${method} in ${timeout} ms.`)), timeout);
        transport
          .send(
            { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params: { ...params } }) },
            relatedTo(related),
          )
          .catch((error: unknown) => waiting.get(id)?.reject(error));
      });
    },
    takes(message) {
      if ('method' in message || message.id === undefined) return false;
      const of = waiting.get(message.id);
      if (of === undefined) return typeof message.id === 'string' && message.id.startsWith(`${prefix}/`);
      if ('result' in message) of.resolve(message.result as JsonObject);
      else of.reject(new RemoteError(message.error.code, message.error.message, message.error.data));
      return true;
    },
    lose: (id) =>
      waiting.get(id)?.reject(new ConnectionLost('The connection that was to bring the answer is gone.')),
    loseAll() {
      for (const { reject } of [...waiting.values()]) reject(new ConnectionLost('The connection is gone.'));
    },
  };
}

function relatedTo(related: RequestId | undefined): { relatedRequestId?: RequestId } {
  return related === undefined ? {} : { relatedRequestId: related };
}
