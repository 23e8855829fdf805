import { isArray, isObject, type Json, type JsonObject } from '../events/json.ts';
import type { Pointer } from '../events/pointer.ts';
import { wrongShape } from './bad-input.ts';
import type { Conversation, Origin } from './conversation.ts';
import type { Format } from './format.ts';
import { mcpSession } from './mcp-session.ts';
import type { Received } from './received.ts';
import { arrayAt, objectAt, textOrNull } from './shape.ts';
import { telling } from './telling.ts';

/** Where a recorder wraps a message of the protocol. */
const WRAPPED = ['message', 'payload', 'data', 'frame'];
const TIMES = ['ts', 'timestamp', 'time', 'at'];

/**
 * MCP JSON-RPC logs: one message a line, bare or wrapped as `{ts, direction, message}`, or an array of them. There is
 * no user's text in them, only what was called and what a person answered to an elicitation.
 */
export const mcpLog: Format = {
  name: 'mcp-jsonrpc',
  claims: (value) => isArray(value) && value.length > 0 && value.every((each) => messageIn(each) !== null),
  claimsPiece: (value) => messageIn(value) !== null,
  read,
};

function read(received: Received, origin: Origin, run: Json): Conversation {
  const tale = telling({ format: mcpLog.name, typed: 'told', onePrompt: false });
  const session = mcpSession(tale, received, origin);
  arrayAt(received.value, '', origin).forEach((value, i) => {
    const found = messageIn(value);
    if (!found) throw wrongShape(origin, `/${i}`, 'is no JSON-RPC message');
    const pointer: Pointer = `/${i}${found.pointer}`;
    const wrapper = found.pointer === '' ? {} : objectAt(value, `/${i}`, origin, 'a line of a log');
    const time = TIMES.map((key) => textOrNull(wrapper[key])).find((at) => at !== null) ?? null;
    tale.rests({ from: received, pointer, value: found.message });
    session.tell(found.message, { index: i, pointer, at: time, by: directionOf(wrapper.direction) });
  });
  return tale.finish(origin, run);
}

function messageIn(value: Json): { message: JsonObject; pointer: Pointer } | null {
  if (!isObject(value)) return null;
  if (value.jsonrpc === '2.0') return { message: value, pointer: '' };
  for (const key of WRAPPED) {
    const inner = value[key];
    if (isObject(inner) && inner.jsonrpc === '2.0') return { message: inner, pointer: `/${key}` };
  }
  return null;
}

/** Who sent it, where the recorder says so. */
function directionOf(direction: Json | undefined): 'client' | 'server' | null {
  if (typeof direction !== 'string') return null;
  if (/^(?:client|c2s)/.test(direction)) return 'client';
  return /^(?:server|s2c)/.test(direction) ? 'server' : null;
}
