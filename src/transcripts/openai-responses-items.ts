import { DEFAULT_SERVER } from '../declarations/tool.ts';
import { isArray, isObject, type Json, type JsonObject } from '../events/json.ts';
import type { Pointer } from '../events/pointer.ts';
import type { Author } from '../events/segment.ts';
import { quoted, wrongShape } from './bad-input.ts';
import type { Origin } from './conversation.ts';
import type { Received } from './received.ts';
import { leftOut, nameAt, objectAt, partsOf, textOrNull } from './shape.ts';
import type { Telling } from './telling.ts';

const NO_TIMES = 'Responses items carry no times.';
const ALL_TYPED =
  'Responses items do not tell what a person typed: text in a user message is taken as typed by the user.';
const NOT_APPROVED = 'An approval response names no request that stands here.';

const AUTHORS: ReadonlyMap<string, Author> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'agent'],
]);
const TEXTS: Readonly<Record<string, string>> = {
  input_text: 'text',
  output_text: 'text',
  text: 'text',
  refusal: 'refusal',
};
/** Of hosted tools, what holds the arguments, where anything does. */
const HOSTED_ARGUMENTS = ['action', 'arguments', 'operation'];
/** A status that says the call did not end well; `completed` says of a hosted call that it did. */
const FAILED = ['failed', 'incomplete'];

export interface ResponsesItem {
  tell(value: Json, index: number, pointer: Pointer): void;
  said(role: string, text: string, index: number): void;
}

/** Tells Responses items one after another. */
export function responsesItem(tale: Telling, received: Received, origin: Origin): ResponsesItem {
  /** Calls by the id of their approval request, and which of them ran. */
  const asked = new Map<string, { call: number; shown: string; ran: boolean }>();
  tale.note(NO_TIMES);

  const standing = (pointer: Pointer, value: Json | undefined) => ({ from: received, pointer, value });

  function said(role: string, text: string, index: number, part: number | null = null): void {
    const author = AUTHORS.get(role) ?? 'third_party';
    if (author === 'third_party') {
      tale.note(`The role ${quoted(role)} is not known: what it said is taken as a third party's.`);
    }
    if (author === 'user') tale.note(ALL_TYPED);
    tale.say({ author, text, message: index, part });
  }

  function message(item: JsonObject, index: number, pointer: Pointer): void {
    const role = nameAt(item, 'role', pointer, origin);
    for (const { part, index: at, pointer: place } of partsOf(item.content, `${pointer}/content`, origin)) {
      const key = TEXTS[part.type];
      if (key === undefined) tale.note(leftOut(part.type));
      else if (typeof part[key] !== 'string') throw wrongShape(origin, place, `has no ${key}`);
      else said(role, part[key], index, at);
    }
  }

  function propose(
    item: JsonObject,
    index: number,
    pointer: Pointer,
    tool: string,
    id: string | null,
    key: string,
  ) {
    return tale.propose({
      message: index,
      id,
      tool,
      server: textOrNull(item.server_label),
      arguments: standing(`${pointer}/${key}`, item[key]),
    });
  }

  function output(item: JsonObject, index: number, pointer: Pointer, call: number | null | undefined): void {
    const error = item.error ?? null;
    const value = error !== null ? error : (item.output ?? item.results ?? item.outputs);
    const key =
      error !== null ? 'error' : 'output' in item ? 'output' : 'results' in item ? 'results' : 'outputs';
    const texts = isArray(value)
      ? value.filter((part) => isObject(part) && typeof part.text === 'string')
      : [];
    const bodies =
      isArray(value) && value.length > 0 && texts.length === value.length
        ? value.map((part, i) => ({ body: isObject(part) ? (part.text ?? '') : '', part: i }))
        : value === undefined || value === null
          ? []
          : [{ body: value, part: null, at: standing(`${pointer}/${key}`, value) }];
    tale.result({
      message: index,
      id: textOrNull(item.call_id),
      name: textOrNull(item.name),
      ...(call === undefined ? {} : { call }),
      bodies,
      failed: failureOf(item, call !== undefined),
    });
  }

  function approvalRequest(item: JsonObject, index: number, pointer: Pointer): void {
    const id = nameAt(item, 'id', pointer, origin);
    const tool = nameAt(item, 'name', pointer, origin);
    const call = propose(item, index, pointer, tool, id, 'arguments');
    const text = typeof item.arguments === 'string' ? item.arguments : JSON.stringify(item.arguments ?? null);
    asked.set(id, { call, shown: `${tool} ${text}`, ran: false });
  }

  function approvalResponse(item: JsonObject, index: number, pointer: Pointer): void {
    if (typeof item.approve !== 'boolean') throw wrongShape(origin, pointer, 'has no approve');
    const of = asked.get(textOrNull(item.approval_request_id) ?? '');
    if (!of) tale.note(NOT_APPROVED);
    tale.answer({
      message: index,
      kind: 'approval',
      action: item.approve ? 'accept' : 'decline',
      asked: of?.shown ?? null,
      field: null,
      value: null,
      reason: textOrNull(item.reason),
      call: of?.call ?? null,
    });
  }

  function mcpCall(item: JsonObject, index: number, pointer: Pointer): void {
    const tool = nameAt(item, 'name', pointer, origin);
    const of = asked.get(textOrNull(item.approval_request_id) ?? '');
    const approved = of && !of.ran ? of : undefined;
    if (approved) approved.ran = true;
    const call = approved?.call ?? propose(item, index, pointer, tool, textOrNull(item.id), 'arguments');
    const ended = 'output' in item || (item.error ?? null) !== null;
    if (ended) output(item, index, pointer, call);
  }

  /** A hosted tool's call; where the arguments are not kept as such, they were not recorded. */
  function hostedCall(item: JsonObject, type: string, index: number, pointer: Pointer): void {
    const key = HOSTED_ARGUMENTS.find((name) => isObject(item[name])) ?? 'action';
    const id = textOrNull(item.call_id) ?? textOrNull(item.id);
    const call = propose(item, index, pointer, type.replace(/_call$/, ''), id, key);
    const results = item.results ?? item.outputs ?? null;
    if (results === null) return;
    output(item, index, pointer, call);
  }

  function listTools(item: JsonObject): void {
    for (const tool of isArray(item.tools) ? item.tools : []) {
      if (!isObject(tool) || typeof tool.name !== 'string' || tool.name === '') continue;
      tale.declare({
        server: textOrNull(item.server_label) ?? DEFAULT_SERVER,
        name: tool.name,
        description: typeof tool.description === 'string' ? tool.description : null,
        input_schema: tool.input_schema ?? null,
        annotations: isObject(tool.annotations) ? tool.annotations : null,
      });
    }
  }

  function tell(value: Json, index: number, pointer: Pointer): void {
    const item = objectAt(value, pointer, origin, 'an item');
    const type = typeof item.type === 'string' ? item.type : 'message';
    tale.rests({ from: received, pointer, value });
    if ('tool_calls' in item || 'function' in item) {
      throw wrongShape(origin, pointer, 'has calls as chat messages have them');
    }
    if (type === 'message') message(item, index, pointer);
    else if (type === 'function_call' || type === 'custom_tool_call') {
      const tool = nameAt(item, 'name', pointer, origin);
      propose(
        item,
        index,
        pointer,
        tool,
        textOrNull(item.call_id),
        type === 'function_call' ? 'arguments' : 'input',
      );
    } else if (type === 'mcp_approval_request') approvalRequest(item, index, pointer);
    else if (type === 'mcp_approval_response') approvalResponse(item, index, pointer);
    else if (type === 'mcp_call') mcpCall(item, index, pointer);
    else if (type === 'mcp_list_tools') listTools(item);
    else if (type.endsWith('_call_output')) output(item, index, pointer, undefined);
    else if (type.endsWith('_call')) hostedCall(item, type, index, pointer);
    else tale.note(`Items of type ${quoted(type)} hold nothing that was said or called, and were left out.`);
  }

  return { tell, said };
}

/** `status` of a hosted call or an MCP call says how it ended; of a function's output it only says that it was sent. */
function failureOf(item: JsonObject, ended: boolean): boolean | null {
  if ((item.error ?? null) !== null) return true;
  if (typeof item.status === 'string' && FAILED.includes(item.status)) return true;
  if (!ended) return null;
  if (item.status === 'completed') return false;
  return item.type === 'mcp_call' && 'error' in item ? false : null;
}
