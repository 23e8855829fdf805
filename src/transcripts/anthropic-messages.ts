import { isArray, isObject, type Json, type JsonObject } from '../events/json.ts';
import type { Pointer } from '../events/pointer.ts';
import { wrongShape } from './bad-input.ts';
import type { Conversation, Origin } from './conversation.ts';
import type { Format } from './format.ts';
import { toolsOf } from './openai-tools.ts';
import type { Received } from './received.ts';
import { runOf } from './run-ids.ts';
import { arrayAt, leftOut, nameAt, objectAt, type PlacedPart, partsOf, textOrNull } from './shape.ts';
import { type Telling, telling } from './telling.ts';

const NO_TIMES = 'Anthropic messages carry no times.';
const ALL_TYPED =
  'Anthropic messages do not tell what a person typed: text in a user message is taken as typed by the user.';
/** Parts that hold what the model thought, or what is no text. */
const CALLS = ['tool_use', 'server_tool_use', 'mcp_tool_use'];

/**
 * Anthropic messages: an array, a request `{system, messages, tools}`, or one response `{type: message, content}`. A
 * `tool_result` in a user message is a tool's result, never the user's text. Calls of hosted tools and MCP servers
 * have their results in the same message.
 */
export const anthropicMessages: Format = {
  name: 'anthropic-messages',
  claims(value) {
    if (isArray(value)) return isMessage(value[0]) && value.some(hasCalls);
    if (!isObject(value)) return false;
    if (value.type === 'message' && value.role === 'assistant') return isArray(value.content);
    const { messages } = value;
    if (!isArray(messages) || !messages.every(isMessage)) return false;
    return messages.some(hasCalls) || 'system' in value || toolsAreAnthropic(value.tools);
  },
  claimsPiece: () => false,
  read,
};

function read(received: Received, origin: Origin, run: Json): Conversation {
  const { value } = received;
  const tale = telling({ format: anthropicMessages.name, typed: 'assumed', onePrompt: false });
  tale.note(NO_TIMES);
  if (isObject(value) && value.type === 'message') {
    tellMessage(tale, received, value, 0, '', origin);
  } else {
    const pointer = isArray(value) ? '' : '/messages';
    const messages = isObject(value) ? value.messages : value;
    if (isObject(value)) tellSystem(tale, received, value.system, origin);
    arrayAt(messages, pointer, origin).forEach((message, i) => {
      tellMessage(tale, received, message, i, `${pointer}/${i}`, origin);
    });
  }
  const tools = toolsOf(value);
  for (const note of tools.notes) tale.note(note);
  for (const tool of tools.declared) tale.declare(tool);
  return tale.finish(origin, run ?? runOf(value));
}

function tellSystem(tale: Telling, received: Received, system: Json | undefined, origin: Origin): void {
  if (system === undefined) return;
  tale.rests({ from: received, pointer: '/system', value: system });
  for (const { part, index } of partsOf(system, '/system', origin)) {
    const text = textOrNull(part.text);
    if (text !== null) tale.say({ author: 'system', text, message: 0, part: index });
  }
}

function tellMessage(
  tale: Telling,
  received: Received,
  value: Json,
  index: number,
  pointer: Pointer,
  origin: Origin,
): void {
  const message = objectAt(value, pointer, origin, 'a message');
  if (message.role !== 'user' && message.role !== 'assistant') {
    throw wrongShape(origin, pointer, 'has neither role user nor assistant');
  }
  if ('tool_calls' in message)
    throw wrongShape(origin, pointer, 'has tool_calls, which Anthropic messages do not have');
  tale.rests({ from: received, pointer, value });
  if (message.role === 'user') tale.note(ALL_TYPED);
  tellContent(tale, received, message, { index, pointer, at: null }, origin);
}

export interface MessagePlace {
  readonly index: number;
  readonly pointer: Pointer;
  /** When it was said, where the wrapper tells. */
  readonly at: string | null;
  /** How the text of a user is told, where that is not simply typed. */
  readonly sayUser?: (text: string, part: number | null) => void;
}

/**
 * What a message holds, in its order; but its text comes before the calls that no result parts from it, so that calls
 * proposed together see the same.
 */
export function tellContent(
  tale: Telling,
  received: Received,
  message: JsonObject,
  place: MessagePlace,
  origin: Origin,
): void {
  let calls: PlacedPart[] = [];
  const propose = () => {
    for (const { part, pointer } of calls) {
      tale.propose({
        message: place.index,
        id: textOrNull(part.id),
        tool: nameAt(part, 'name', pointer, origin),
        server: textOrNull(part.server_name),
        arguments: { from: received, pointer: `${pointer}/input`, value: part.input },
      });
    }
    calls = [];
  };
  const author = message.role === 'user' ? 'user' : 'agent';
  for (const placed of partsOf(message.content, `${place.pointer}/content`, origin)) {
    const { part, index, pointer } = placed;
    if (CALLS.includes(part.type)) calls.push(placed);
    else if (part.type === 'tool_result' || part.type.endsWith('_tool_result')) {
      propose();
      tellResult(tale, received, placed, place, origin);
    } else if (part.type === 'text') {
      if (typeof part.text !== 'string') throw wrongShape(origin, pointer, 'has no text');
      if (author === 'user' && place.sayUser) place.sayUser(part.text, index);
      else tale.say({ author, text: part.text, message: place.index, part: index, at: place.at });
    } else tale.note(leftOut(part.type));
  }
  propose();
}

function tellResult(
  tale: Telling,
  received: Received,
  { part, index, pointer }: PlacedPart,
  place: MessagePlace,
  origin: Origin,
): void {
  const { content } = part;
  const at = { from: received, pointer: `${pointer}/content`, value: content };
  // A hosted tool's result is an object of its own type, or a list of such.
  const hosted = part.type !== 'tool_result' && part.type !== 'mcp_tool_result';
  const bodies =
    hosted && typeof content === 'object'
      ? [{ body: content, part: index, at }]
      : partsOf(content, `${pointer}/content`, origin).flatMap((inner) => {
          if (inner.part.type === 'text' && typeof inner.part.text === 'string') {
            return [{ body: inner.part.text, part: index }];
          }
          tale.note(leftOut(inner.part.type));
          return [];
        });
  tale.result({
    message: place.index,
    id: textOrNull(part.tool_use_id),
    name: null,
    bodies,
    failed: failureOf(part),
    at: place.at,
  });
}

/** `is_error` tells where it stands; so does the error type of a hosted tool. Where it is missing nothing tells. */
function failureOf({ is_error: isError, content }: JsonObject): boolean | null {
  if (typeof isError === 'boolean') return isError;
  if (isObject(content) && typeof content.type === 'string') return content.type.endsWith('_error');
  return null;
}

function isMessage(value: Json | undefined): boolean {
  return isObject(value) && (value.role === 'user' || value.role === 'assistant') && !('tool_calls' in value);
}

function hasCalls(message: Json): boolean {
  if (!isObject(message) || !isArray(message.content)) return false;
  return message.content.some(
    (part) =>
      isObject(part) &&
      typeof part.type === 'string' &&
      ((CALLS.includes(part.type) && isObject(part.input)) ||
        (part.type.endsWith('tool_result') && typeof part.tool_use_id === 'string')),
  );
}

function toolsAreAnthropic(tools: Json | undefined): boolean {
  return isArray(tools) && tools.some((tool) => isObject(tool) && isObject(tool.input_schema));
}
