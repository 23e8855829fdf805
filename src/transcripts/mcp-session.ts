import { DEFAULT_SERVER } from '../declarations/tool.ts';
import { encode } from '../events/canonical.ts';
import { isArray, isObject, type Json, type JsonObject } from '../events/json.ts';
import type { Pointer } from '../events/pointer.ts';
import type { Origin } from './conversation.ts';
import type { Received } from './received.ts';
import { leftOut, nameAt, objectAt, textOrNull } from './shape.ts';
import { structure } from './structured.ts';
import type { Telling } from './telling.ts';

const NO_USER = 'MCP logs hold no conversation: what the user said to the agent is not in them.';
const URL_MODE = 'An elicitation by URL was answered elsewhere: what the person gave there is not recorded.';
const SAMPLING = 'What a server asked a model (sampling) is no part of the conversation and was left out.';
const NO_CALL =
  'An elicitation came while several calls were open: which of them it was for is not recorded.';
const RETRIED = 'A call that needed input was sent again with it: both are calls here.';
const FORMS = ['accept', 'decline', 'cancel'] as const;

interface Place {
  readonly index: number;
  readonly pointer: Pointer;
  readonly at: string | null;
  readonly by: 'client' | 'server' | null;
}

type Open =
  | { readonly is: 'call'; readonly call: number }
  | { readonly is: 'form'; readonly asked: string | null; readonly call: number | null }
  | { readonly is: 'initialize' | 'other' };

/** Tells the messages of an MCP session. Each side counts its own requests, so that ids of both may be equal. */
export function mcpSession(tale: Telling, received: Received, origin: Origin) {
  const open = { client: new Map<string, Open>(), server: new Map<string, Open>() };
  /** Calls without a final answer, in order. */
  const running = new Set<number>();
  /** By the state that a server gave back with its questions, what it asked by the key of each question. */
  const questions = new Map<string, string | null>();
  let server: string | null = null;
  tale.note(NO_USER);

  const standing = (pointer: Pointer, value: Json | undefined) => ({ from: received, pointer, value });

  function tell(message: JsonObject, place: Place): void {
    if (typeof message.method === 'string') request(message, message.method, place);
    else if ('result' in message || 'error' in message) response(message, place);
  }

  function request(message: JsonObject, method: string, place: Place): void {
    const id = idOf(message.id);
    if (id === null) return;
    const params = isObject(message.params) ? message.params : {};
    const pointer = `${place.pointer}/params`;
    if (method === 'tools/call') {
      objectAt(message.params, pointer, origin, 'what is called');
      answersIn(params, place, null);
      const call = tale.propose({
        message: place.index,
        id: String(message.id),
        tool: nameAt(params, 'name', pointer, origin),
        server,
        arguments: standing(`${pointer}/arguments`, params.arguments),
      });
      running.add(call);
      open.client.set(id, { is: 'call', call });
    } else if (method === 'elicitation/create') {
      const asked = textOrNull(params.message);
      if (asked !== null) ask(asked, place);
      if (running.size > 1) tale.note(NO_CALL);
      const [only = null] = running;
      open.server.set(id, { is: 'form', asked, call: running.size === 1 ? only : null });
    } else {
      if (method === 'sampling/createMessage') tale.note(SAMPLING);
      const side =
        place.by ?? (method === 'sampling/createMessage' || method === 'roots/list' ? 'server' : 'client');
      open[side].set(id, { is: method === 'initialize' ? method : 'other' });
    }
  }

  function ask(text: string, place: Place): void {
    tale.say({ author: 'tool', text, message: place.index, at: place.at, origin: server });
  }

  /** The request that a response answers: of the other side where the log says who sent it, else of the side that waits. */
  function answered(id: string, message: JsonObject, by: Place['by']): Open | undefined {
    const isForm = isObject(message.result) && typeof message.result.action === 'string';
    const sides =
      by === 'server'
        ? (['client'] as const)
        : by === 'client'
          ? (['server'] as const)
          : isForm
            ? (['server', 'client'] as const)
            : (['client', 'server'] as const);
    for (const side of sides) {
      const found = open[side].get(id);
      if (!found || (isForm && by === null && found.is !== 'form')) continue;
      open[side].delete(id);
      return found;
    }
    return undefined;
  }

  function response(message: JsonObject, place: Place): void {
    const id = idOf(message.id);
    const of = id === null ? undefined : answered(id, message, place.by);
    const result = message.result;
    if (of?.is === 'form') {
      if (isObject(result)) answer({ asked: of.asked, call: of.call }, result, place);
    } else if (of?.is === 'call') ended(of.call, message, place);
    else if (of === undefined && looksLikeResult(message)) ended(null, message, place);
    else if (of?.is === 'initialize' && isObject(result) && isObject(result.serverInfo)) {
      server = textOrNull(result.serverInfo.name);
    } else if (isObject(result) && isArray(result.tools)) declare(result.tools);
  }

  function ended(call: number | null, message: JsonObject, place: Place): void {
    const { result, error } = message;
    const of = call === null ? null : (tale.calls[call]?.id ?? null);
    if (call !== null) running.delete(call);
    if (isObject(result) && result.resultType === 'input_required') {
      required(result, place);
      return;
    }
    const key = error === undefined ? 'result' : 'error';
    const bodies = error === undefined ? bodiesOf(result, place) : [errorBody(error, place)];
    tale.result({
      message: place.index,
      id: of,
      name: null,
      call,
      bodies,
      // `isError` is false where it is missing, says the protocol; an error in its stead is a failure.
      failed: key === 'error' || (isObject(result) && result.isError === true),
      at: place.at,
    });
  }

  function errorBody(error: Json, place: Place) {
    const pointer = `${place.pointer}/error`;
    return { body: error, part: null, at: standing(pointer, error) };
  }

  /** The structured value first; a text that only says the same is left out. */
  function bodiesOf(result: Json | undefined, place: Place) {
    if (!isObject(result)) return [];
    const pointer = `${place.pointer}/result`;
    const structured = result.structuredContent;
    const bodies: { body: Json; part: number | null; at?: ReturnType<typeof standing> }[] = [];
    if (structured !== undefined) {
      const at = `${pointer}/structuredContent`;
      bodies.push({ body: structured, part: null, at: standing(at, structured) });
    }
    const content = isArray(result.content) ? result.content : [];
    content.forEach((part, i) => {
      const text = isObject(part) ? textOf(part) : null;
      if (text === null) tale.note(leftOut(isObject(part) ? String(part.type) : 'unknown'));
      else if (structured === undefined || !same(text, structured)) bodies.push({ body: text, part: i });
    });
    return bodies;
  }

  function answer(
    of: { readonly asked: string | null; readonly call: number | null },
    result: JsonObject,
    place: Place,
  ): void {
    const action = FORMS.find((known) => known === result.action);
    if (!action) return;
    const content = action === 'accept' && isObject(result.content) ? result.content : {};
    const fields = Object.entries(content);
    if (action === 'accept' && fields.length === 0) tale.note(URL_MODE);
    const given = { message: place.index, kind: 'answer' as const, action, reason: null, ...of };
    if (fields.length === 0) tale.answer({ ...given, field: null, value: null });
    for (const [field, value] of fields) tale.answer({ ...given, field, value });
  }

  /** A result that asks first; the call is sent again with what a person gave. */
  function required(result: JsonObject, place: Place): void {
    const requests = isObject(result.inputRequests) ? result.inputRequests : {};
    for (const [key, request] of Object.entries(requests)) {
      if (!isObject(request) || !isObject(request.params)) continue;
      if (request.method !== 'elicitation/create') {
        tale.note(SAMPLING);
        continue;
      }
      const asked = textOrNull(request.params.message);
      questions.set(key, asked);
      if (asked !== null) ask(asked, place);
    }
  }

  function answersIn(params: JsonObject, place: Place, call: number | null): void {
    if (!isObject(params.inputResponses)) return;
    tale.note(RETRIED);
    for (const [key, result] of Object.entries(params.inputResponses)) {
      if (isObject(result))
        answer({ asked: questions.get(key) ?? null, call: call ?? tale.calls.length }, result, place);
    }
  }

  function declare(tools: readonly Json[]): void {
    for (const tool of tools) {
      if (!isObject(tool) || typeof tool.name !== 'string' || tool.name === '') continue;
      tale.declare({
        server: server ?? DEFAULT_SERVER,
        name: tool.name,
        description: typeof tool.description === 'string' ? tool.description : null,
        input_schema: tool.inputSchema ?? null,
        annotations: isObject(tool.annotations) ? tool.annotations : null,
      });
    }
  }

  return { tell };
}

/** 1 and "1" are two ids. */
function idOf(id: Json | undefined): string | null {
  if (typeof id === 'string') return id;
  return typeof id === 'number' ? `#${id}` : null;
}

function looksLikeResult({ result }: JsonObject): boolean {
  return isObject(result) && isArray(result.content) && !('role' in result);
}

function textOf(part: JsonObject): string | null {
  if (part.type === 'text') return typeof part.text === 'string' ? part.text : null;
  if (part.type !== 'resource' || !isObject(part.resource)) return null;
  return typeof part.resource.text === 'string' ? part.resource.text : null;
}

function same(text: string, value: Json): boolean {
  const read = structure(text);
  return read !== null && 'value' in read && encode(read.value) === encode(value);
}
