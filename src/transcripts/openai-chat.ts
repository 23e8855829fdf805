import { isArray, isObject, type Json, type JsonObject } from '../events/json.ts';
import { wrongShape } from './bad-input.ts';
import type { Conversation, Origin } from './conversation.ts';
import type { Format } from './format.ts';
import { CALLS_IN_PARTS } from './openai-content.ts';
import { tellMessages } from './openai-messages.ts';
import { toolsOf } from './openai-tools.ts';
import type { Received } from './received.ts';
import { runOf } from './run-ids.ts';
import { telling } from './telling.ts';

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

function read(received: Received, origin: Origin, run: Json): Conversation {
  const list = messagesIn(received.value);
  if (list === null) throw wrongShape(origin, '', 'holds no chat messages (an array, `messages` or `traj`)');
  const tale = telling({ format: openaiChat.name, typed: 'assumed', onePrompt: false });
  tale.rests({ from: received, pointer: '', value: null }, true);
  tellMessages(tale, received, list, origin);
  const tools = toolsOf(received.value);
  for (const note of tools.notes) tale.note(note);
  for (const tool of tools.declared) tale.declare(tool);
  return tale.finish(origin, run ?? runOf(received.value));
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
