import { isArray, isObject, type Json, type JsonObject } from '../events/json.ts';
import { notExact, wrongShape } from './bad-input.ts';
import type { Conversation, Origin } from './conversation.ts';
import type { Format } from './format.ts';
import { CALLS_IN_PARTS } from './openai-content.ts';
import { readMessages } from './openai-messages.ts';
import { toolsOf } from './openai-tools.ts';
import { ancestorsOf, type Received } from './received.ts';

/** Where a wrapper of runs says which run this is. */
const RUN_IDS = ['id', 'run_id', 'task_id', 'trial', 'conversation_id', 'session_id', 'thread_id'];

/**
 * OpenAI chat messages: an array, `{messages, tools}`, tau-bench's `{traj, task_id, …}`, or one message a line.
 * `arguments` as a string or an object; the older `function_call`; a free-text `custom` tool.
 */
export const openaiChat: Format = {
  name: 'openai-chat',
  claims(value) {
    const list = messagesIn(value);
    if (list === null) return false;
    return list.messages.length === 0
      ? !isArray(value)
      : isMessage(list.messages[0]) && !isForeign(list.messages);
  },
  claimsPiece: (value) => isMessage(value) && !isForeign([value]),
  read,
};

function read(received: Received, origin: Origin): Conversation {
  const list = messagesIn(received.value);
  if (list === null) throw wrongShape(origin, '', 'holds no chat messages (an array, `messages` or `traj`)');
  const { pointer, messages } = list;
  const said = readMessages(received, list, origin);
  const ofCalls = new Set(said.calls.map((call) => call.pointer));
  const unreadable = received.faults.find(
    (fault) => !ancestorsOf(fault.pointer).some((pointer) => ofCalls.has(pointer)),
  );
  if (unreadable) throw notExact(unreadable, origin);
  const tools = toolsOf(received.value);
  return {
    format: openaiChat.name,
    origin,
    segments: said.segments,
    calls: said.calls.map(({ pointer: _, ...call }) => call),
    notes: [...new Set([...said.notes, ...tools.notes])],
    tools: tools.declared,
    identity: { run: runOf(received.value), messages: asReceived(received, pointer, messages) },
  };
}

function runOf(value: Json): Json {
  if (!isObject(value)) return null;
  const ids = RUN_IDS.filter((key) => ['string', 'number'].includes(typeof value[key]));
  return Object.fromEntries(ids.map((key) => [key, value[key] ?? null]));
}

/** Messages that hold what JSON can't keep stand in the identity as their own text. */
function asReceived(received: Received, pointer: string, messages: readonly Json[]): Json {
  if (received.faults.length === 0) return messages;
  return messages.map((message, i) => {
    const here = `${pointer}/${i}`;
    return received.faultIn(here) ? received.raw(here) : message;
  });
}

function messagesIn(value: Json): { messages: readonly Json[]; pointer: string } | null {
  if (isArray(value)) return { messages: value, pointer: '' };
  if (!isObject(value)) return null;
  for (const key of ['messages', 'traj']) {
    const messages = value[key];
    if (isArray(messages)) return { messages, pointer: `/${key}` };
  }
  return null;
}

function isMessage(value: Json | undefined): value is JsonObject {
  return isObject(value) && typeof value.role === 'string';
}

function isForeign(messages: readonly Json[]): boolean {
  return messages.some((message) => {
    if (!isObject(message)) return false;
    const parts = isArray(message.content) ? message.content : [];
    const calls = isArray(message.tool_calls) ? message.tool_calls : [];
    return (
      parts.some(
        (part) =>
          isObject(part) &&
          (CALLS_IN_PARTS.includes(String(part.type)) ||
            (part.type === 'text' && typeof part.content === 'string')),
      ) || calls.some((call) => isObject(call) && ('args' in call || typeof call.function === 'string'))
    );
  });
}
