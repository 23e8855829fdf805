import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCErrorResponse, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { faultMessage, type IngressFault } from '../events/ingress.ts';
import type { Json } from '../events/json.ts';

/** A request that came in, and can't be read exactly. */
export interface Faulty {
  readonly id: RequestId;
  readonly method: string;
  /** As it was received. */
  readonly text: string;
  /** With marks where numbers are not exact; of two equal keys the last. */
  readonly value: Json;
  readonly fault: IngressFault;
}

/** Towards a host. A request that can't be read exactly never becomes a message. */
export interface HostTransport extends Transport {
  /** The answer to such a request. */
  onfaulty?: ((faulty: Faulty) => Promise<JSONRPCErrorResponse>) | undefined;
}

/** Towards a server. */
export interface ServerTransport extends Transport {
  /** The connection that was to bring the answer to this request is gone, and nothing else will bring it. */
  onlost?: ((id: RequestId) => void) | undefined;
}

/** How much that was sent may wait for a side that does not read it, in bytes, before another message: then it is given up. */
export const MOST_UNREAD = 64 * 1024 * 1024;
export const UNREAD = `The host does not read what it is sent, and more than ${MOST_UNREAD} bytes wait for it: its session is closed.`;

/** A message was never handed over: the server can't have seen it. */
export class NeverSent extends Error {
  override readonly name = 'NeverSent';
}

export const JSON_RPC = {
  parse: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  internal: -32603,
  /** The SDK's code for a connection that is gone. */
  closed: -32000,
} as const;

export function errorResponse(
  id: RequestId | undefined,
  code: number,
  message: string,
  data?: unknown,
): JSONRPCErrorResponse {
  return {
    jsonrpc: '2.0',
    ...(id === undefined ? {} : { id }),
    error: { code, message, ...(data === undefined ? {} : { data }) },
  };
}

/** What a reader is told of a text that can't be read exactly: it quotes what was received. */
export function inexact(whose: string, fault: IngressFault): { message: string; data: Json } {
  const { code, pointer, lexeme, line, column } = fault;
  return {
    message: `${whose} can't be read exactly, so nothing was done with it. ${faultMessage(fault)}`,
    data: { grounds: { fault: { code, pointer, lexeme, line, column } } },
  };
}
