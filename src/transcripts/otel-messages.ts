import { isArray, isObject, type Json, type JsonObject } from '../events/json.ts';
import { type Pointer, at as valueAt } from '../events/pointer.ts';
import type { Author } from '../events/segment.ts';
import { quoted, wrongShape } from './bad-input.ts';
import type { Origin } from './conversation.ts';
import { toolsOf } from './openai-tools.ts';
import { jsonAttribute, type Span } from './otel-spans.ts';
import type { Received } from './received.ts';
import { leftOut, nameAt, objectAt, textOrNull } from './shape.ts';
import type { Telling } from './telling.ts';

const ALL_TYPED =
  'GenAI spans do not tell what a person typed: text in a user message is taken as typed by the user.';
const ONLY_SPAN = 'A tool was executed in a span of its own, and no message proposes the call.';
const AUTHORS: ReadonlyMap<string, Author> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'agent'],
  ['tool', 'tool'],
]);

export function isOtelMessage(value: Json): boolean {
  return isObject(value) && typeof value.role === 'string' && isArray(value.parts);
}

/** Tells messages in parts, and what spans of executed tools add. */
export function otelTale(tale: Telling, origin: Origin) {
  const byId = new Map<string, number>();
  /** What execute_tool spans said of calls; their results, where no message holds one. */
  const executions = new Map<number, Span>();
  const known = new Set<string>();
  let index = -1;

  function tell(received: Received, pointer: Pointer): void {
    index++;
    const value = valueAt(received.value, pointer);
    const message = objectAt(value, pointer, origin, 'a message');
    const role = nameAt(message, 'role', pointer, origin);
    if (!isArray(message.parts)) throw wrongShape(origin, pointer, 'has no parts');
    tale.rests({ from: received, pointer, value });
    const author = AUTHORS.get(role) ?? 'third_party';
    if (author === 'third_party') {
      tale.note(`The role ${quoted(role)} is not known: what it said is taken as a third party's.`);
    }
    if (author === 'user') tale.note(ALL_TYPED);
    let waiting: [JsonObject, Pointer][] = [];
    const propose = () => {
      for (const [part, at] of waiting) proposePart(received, part, at);
      waiting = [];
    };
    message.parts.forEach((each, i) => {
      const at = `${pointer}/parts/${i}`;
      const part = objectAt(each, at, origin, 'a part');
      const type = nameAt(part, 'type', at, origin);
      if (type === 'tool_call' || type === 'server_tool_call') waiting.push([part, at]);
      else if (type === 'tool_call_response' || type === 'server_tool_call_response') {
        propose();
        respond(received, part, at, i);
      } else if (type === 'text') {
        if (typeof part.content !== 'string') throw wrongShape(origin, at, 'has no content');
        if (author === 'tool') respond(received, { response: part.content }, at, i);
        else tale.say({ author, text: part.content, message: index, part: i });
      } else tale.note(leftOut(type));
    });
    propose();
  }

  function proposePart(received: Received, part: JsonObject, pointer: Pointer): void {
    const key = part.type === 'tool_call' ? 'arguments' : 'server_tool_call';
    const id = textOrNull(part.id);
    const call = tale.propose({
      message: index,
      id,
      tool: nameAt(part, 'name', pointer, origin),
      arguments: { from: received, pointer: `${pointer}/${key}`, value: part[key] },
    });
    if (id !== null) byId.set(id, call);
  }

  function respond(received: Received, part: JsonObject, pointer: Pointer, place: number): void {
    const key =
      ['response', 'result', 'server_tool_call_response'].find((name) => name in part) ?? 'response';
    const body = part[key] ?? null;
    const id = textOrNull(part.id);
    const call = tale.answers({ id, name: null });
    tale.result({
      message: index,
      id,
      name: null,
      call,
      bodies:
        body === null
          ? []
          : [{ body, part: place, at: { from: received, pointer: `${pointer}/${key}`, value: body } }],
      failed: call === null ? null : (executions.get(call)?.failed ?? null),
    });
  }

  /** A span of a tool: more about a call that a message proposed, or all there is of one. */
  function executed(span: Span): void {
    const id = textOrNull(span.attributes.get('gen_ai.tool.call.id'));
    const tool = textOrNull(span.attributes.get('gen_ai.tool.name'));
    const proposed = id === null ? undefined : byId.get(id);
    if (proposed !== undefined) {
      executions.set(proposed, span);
      return;
    }
    if (tool === null) return;
    tale.note(ONLY_SPAN);
    index++;
    const args = jsonAttribute(span, 'gen_ai.tool.call.arguments');
    const from = args ?? span.received;
    const call = tale.propose({
      message: index,
      id,
      tool,
      arguments: args
        ? { from, pointer: '', value: args.value }
        : { from, pointer: '/arguments', value: undefined },
      cannot: ['no_proposal'],
    });
    if (id !== null) byId.set(id, call);
    const attributes = valueAt(span.received.value, '/attributes') ?? span.id;
    tale.rests({ from: span.received, pointer: '/attributes', value: attributes });
    executions.set(call, span);
    resulted(call, span);
  }

  function resulted(call: number, span: Span): void {
    const result = span.attributes.get('gen_ai.tool.call.result');
    if (result === undefined || result === null || tale.calls[call]?.result !== null) return;
    const bodies = [{ body: result, part: null }];
    tale.result({ message: index, id: null, name: null, call, bodies, failed: span.failed });
  }

  /** Results that only a span of a tool holds. */
  function end(): void {
    for (const [call, span] of executions) resulted(call, span);
  }

  function instructions(received: Received): void {
    index++;
    tale.rests({ from: received, pointer: '', value: received.value });
    for (const [i, part] of (isArray(received.value) ? received.value : []).entries()) {
      if (isObject(part) && typeof part.content === 'string') {
        tale.say({ author: 'system', text: part.content, message: index, part: i });
      }
    }
  }

  function declare(tool: Json): void {
    for (const declared of toolsOf({ tools: [tool] }).declared) {
      if (known.has(declared.name)) continue;
      known.add(declared.name);
      tale.declare(declared);
    }
  }

  return { tell, executed, end, instructions, declare };
}
