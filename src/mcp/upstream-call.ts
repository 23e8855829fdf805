import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { GroundsError } from '../errors.ts';
import { isObject, type Json, type JsonObject } from '../events/json.ts';
import { type Answer, type CallContext, NotReached } from '../executor/index.ts';
import { IDEMPOTENCY_KEY } from './context.ts';
import { type Peer, RemoteError } from './peer.ts';
import { resultBody } from './result-body.ts';
import { UNREADABLE_ANSWER } from './server-message.ts';
import { NeverSent } from './transport.ts';

/** What the server answered, for the host: as it came. */
export type ServerAnswer =
  | { readonly result: CallToolResult }
  | { readonly error: { readonly code: number; readonly message: string; readonly data: unknown } };

/**
 * Makes one recorded call at the server, once. `isError` and an error response are failures that the server declares; an answer
 * that can't be read exactly, a lost connection and a time-out leave the outcome unknown; only where nothing was ever sent is
 * the server known not to have been reached. CASES 14, 16.
 *
 * @param more what the host sent beside the name and the arguments, without its context
 * @param heard gets the answer as it came
 */
export async function callServer(
  server: Peer,
  name: string,
  args: Json,
  { idempotencyKey, signal }: CallContext,
  more: JsonObject,
  heard: (answer: ServerAnswer) => void,
): Promise<Answer> {
  const meta = isObject(more._meta) ? more._meta : {};
  const params = { ...more, name, arguments: args, _meta: { ...meta, [IDEMPOTENCY_KEY]: idempotencyKey } };
  try {
    const result = await server.ask('tools/call', params, { signal });
    heard({ result: result as unknown as CallToolResult });
    const failed = result.isError === true;
    return { result: resultBody(result), failed, ...(failed ? { code: 'tool/is-error' } : {}) };
  } catch (error) {
    if (error instanceof NeverSent) throw new NotReached(error.message, { cause: error });
    if (!(error instanceof RemoteError)) throw lost(error);
    const { code, message, data } = error;
    heard({ error: { code, message, data } });
    if (isObject(data as Json) && (data as JsonObject)[UNREADABLE_ANSWER] === true) {
      throw new GroundsError('tool/unreadable-answer', message, {
        hint: 'The server was called. Look whether the effect is there, and reconcile the start.',
      });
    }
    return { result: { code, message }, failed: true, code: 'tool/error-response' };
  }
}

function lost(cause: unknown): GroundsError {
  return new GroundsError('tool/connection-lost', 'The connection to the server was lost during the call.', {
    hint: 'Look whether the effect is there, and reconcile the start.',
    cause,
  });
}
