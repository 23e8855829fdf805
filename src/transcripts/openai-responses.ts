import { isArray, isObject, type Json, type JsonObject } from '../events/json.ts';
import type { Pointer } from '../events/pointer.ts';
import { wrongShape } from './bad-input.ts';
import type { Conversation, Origin } from './conversation.ts';
import type { Format } from './format.ts';
import { responsesItem } from './openai-responses-items.ts';
import { toolsOf } from './openai-tools.ts';
import type { Received } from './received.ts';
import { runOf } from './run-ids.ts';
import { arrayAt } from './shape.ts';
import { telling } from './telling.ts';

/** Items that only the Responses API has. */
const ITEMS =
  /^(?:function_call|function_call_output|custom_tool_call|custom_tool_call_output|mcp_[a-z_]+|[a-z_]+_call|[a-z_]+_call_output|reasoning|item_reference)$/;

/**
 * OpenAI Responses: a response `{object: response, output}`, a request `{input: [items], instructions, tools}`, both
 * as `{request, response}`, or an array of items. An approval request of an MCP server proposes the call; the
 * `mcp_call` that follows it is the same call.
 */
export const openaiResponses: Format = {
  name: 'openai-responses',
  claims(value) {
    if (isArray(value)) return value.length > 0 && value.every(isItem) && value.some(isTellingItem);
    if (!isObject(value)) return false;
    if (value.object === 'response') return isArray(value.output);
    if ('request' in value && 'response' in value)
      return isRequest(value.request) && isResponse(value.response);
    return isRequest(value) && !('messages' in value);
  },
  claimsPiece: isTellingItem,
  read,
};

function read(received: Received, origin: Origin, run: Json): Conversation {
  const { value } = received;
  const tale = telling({ format: openaiResponses.name, typed: 'assumed', onePrompt: false });
  const item = responsesItem(tale, received, origin);
  let index = 0;
  const lists = listsIn(value, '');
  if (lists.length === 0)
    throw wrongShape(origin, '', 'holds no Responses items (`input`, `output` or an array)');
  for (const { body, pointer, key } of lists) {
    if (isObject(body)) {
      const instructions = body.instructions;
      if (key !== 'output' || !lists.some((other) => other.body === body && other.key === 'input')) {
        if (typeof instructions === 'string')
          tale.say({ author: 'system', text: instructions, message: index });
      }
      for (const tool of toolsOf(functionsOf(body)).declared) tale.declare(tool);
    }
    const content = key === null ? body : isObject(body) ? body[key] : undefined;
    const at = key === null ? pointer : `${pointer}/${key}`;
    if (typeof content === 'string') {
      tale.rests({ from: received, pointer: at, value: content });
      item.said('user', content, index++);
      continue;
    }
    for (const [i, each] of arrayAt(content, at, origin).entries()) item.tell(each, index++, `${at}/${i}`);
  }
  return tale.finish(origin, run ?? runOf(value, ['previous_response_id']));
}

interface List {
  readonly body: Json;
  readonly pointer: Pointer;
  readonly key: 'input' | 'output' | null;
}

function listsIn(value: Json, pointer: Pointer): List[] {
  if (isArray(value)) return [{ body: value, pointer, key: null }];
  if (!isObject(value)) return [];
  if (isObject(value.request) && isObject(value.response)) {
    return [
      ...listsIn(value.request, `${pointer}/request`),
      ...listsIn(value.response, `${pointer}/response`),
    ];
  }
  const lists: List[] = [];
  // Some recorders write an empty `input` beside `output`; a chat request has neither.
  const asked = typeof value.input === 'string' && (typeof value.model === 'string' || isArray(value.output));
  if (isArray(value.input) || asked) lists.push({ body: value, pointer, key: 'input' });
  if (isArray(value.output)) lists.push({ body: value, pointer, key: 'output' });
  return lists;
}

/** Hosted tools and MCP servers stand in the same list, and declare no arguments. */
function functionsOf(body: JsonObject): JsonObject {
  const tools = isArray(body.tools) ? body.tools : [];
  return { tools: tools.filter((tool) => isObject(tool) && typeof tool.name === 'string') };
}

function isRequest(value: Json | undefined): boolean {
  if (!isObject(value)) return false;
  const { input } = value;
  if (typeof input === 'string') return typeof value.model === 'string' && !('intermediate_steps' in value);
  return (
    isArray(input) &&
    input.length > 0 &&
    input.every(isItem) &&
    ('model' in value || input.some(isTellingItem))
  );
}

function isResponse(value: Json | undefined): boolean {
  return isObject(value) && isArray(value.output);
}

function isItem(value: Json): boolean {
  if (!isObject(value)) return false;
  if (typeof value.type === 'string') return value.type === 'message' || ITEMS.test(value.type);
  return typeof value.role === 'string';
}

function isTellingItem(value: Json): boolean {
  if (!isObject(value) || typeof value.type !== 'string') return false;
  if ('lc' in value || 'jsonrpc' in value || 'uuid' in value || 'parts' in value) return false;
  if (value.type === 'message') return typeof value.role === 'string' && isArray(value.content);
  return ITEMS.test(value.type);
}
