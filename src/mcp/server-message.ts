import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { faultMessage } from '../events/ingress.ts';
import { headOf, lossOf, readMessage } from './exact-message.ts';
import { errorResponse, inexact, JSON_RPC } from './transport.ts';

/** The code of an answer that a server gave and that can't be read exactly; the server did what it was asked to. */
export const UNREADABLE_ANSWER = 'unreadable_answer';

/**
 * What a server sent, from its text. A number that is not exact travels marked; where a doubled key would lose something, a
 * response becomes an error that quotes it, and anything else is dropped.
 */
export function messageOf(text: string): {
  readonly message: JSONRPCMessage | null;
  readonly error: Error | null;
} {
  const arrived = readMessage(text);
  if (arrived.message === null) {
    const why = arrived.fault === null ? 'It is no JSON-RPC message.' : faultMessage(arrived.fault);
    return { message: null, error: new Error(`A message of the server was dropped. ${why}`) };
  }
  const loss = lossOf(arrived.faults);
  if (loss === undefined) return { message: arrived.message, error: null };
  const { id, method } = headOf(arrived.value);
  const told = inexact("The server's answer", loss);
  if (id === null || method !== null) return { message: null, error: new Error(told.message) };
  const data = { ...(told.data as object), [UNREADABLE_ANSWER]: true };
  return { message: errorResponse(id, JSON_RPC.internal, told.message, data), error: null };
}
