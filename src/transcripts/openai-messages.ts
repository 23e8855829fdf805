import { isObject, type Json, type JsonObject } from '../events/json.ts';
import type { Author } from '../events/segment.ts';
import { quoted, wrongShape } from './bad-input.ts';
import type { Origin } from './conversation.ts';
import { contentOf, resultOf } from './openai-content.ts';
import type { Received } from './received.ts';
import { arrayAt, objectAt, textOrNull } from './shape.ts';
import type { Telling } from './telling.ts';

const NO_TIMES = 'OpenAI chat messages carry no times.';
const ALL_TYPED =
  'OpenAI chat messages do not tell what a person typed: every user message is taken as typed by the user.';
const NO_FAILURES = 'OpenAI chat messages do not tell whether a call failed.';

const AUTHORS: ReadonlyMap<string, Author> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'agent'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);

/** Tells messages in order. Throws `transcript/shape` at the first that can't be one. */
export function tellMessages(
  tale: Telling,
  received: Received,
  list: { readonly messages: readonly Json[]; readonly pointer: string },
  origin: Origin,
): void {
  tale.note(NO_TIMES);
  list.messages.forEach((value, index) => {
    const pointer = `${list.pointer}/${index}`;
    const message = objectAt(value, pointer, origin, 'a message');
    const { role } = message;
    if (typeof role !== 'string') throw wrongShape(origin, pointer, 'has no role');
    const author = AUTHORS.get(role) ?? 'third_party';
    if (author === 'third_party') {
      tale.note(`The role ${quoted(role)} is not known: what it said is taken as a third party's.`);
    }
    tale.rests({ from: received, pointer, value: message });
    if (author === 'tool') tellResult(tale, received, message, index, pointer, origin);
    else tellText(tale, message, author, index, pointer, origin);
    tellCalls(tale, received, message, index, pointer, origin);
  });
}

function tellText(
  tale: Telling,
  message: JsonObject,
  author: Author,
  index: number,
  pointer: string,
  origin: Origin,
): void {
  const content = contentOf(message.content, `${pointer}/content`, origin);
  const refusal = typeof message.refusal === 'string' ? [{ body: message.refusal, part: null }] : [];
  for (const note of content.notes) tale.note(note);
  if (author === 'user') tale.note(ALL_TYPED);
  for (const { body, part } of [...content.parts, ...refusal]) {
    if (typeof body === 'string') tale.say({ author, text: body, message: index, part });
  }
}

function tellResult(
  tale: Telling,
  received: Received,
  message: JsonObject,
  index: number,
  pointer: string,
  origin: Origin,
): void {
  const content = resultOf(message.content, `${pointer}/content`, origin);
  for (const note of content.notes) tale.note(note);
  const failed = failureOf(message.error);
  if (failed === null) tale.note(NO_FAILURES);
  tale.result({
    message: index,
    id: textOrNull(message.tool_call_id),
    name: textOrNull(message.name),
    bodies: content.parts.map(({ body, part }) => ({
      body,
      part,
      at: { from: received, pointer: `${pointer}/content`, value: body },
    })),
    failed,
  });
}

/** OpenAI has no such field; recorders that add `error` say by null that there was none. */
function failureOf(error: Json | undefined): boolean | null {
  return error === undefined ? null : error !== null;
}

/** All calls of one message are proposed together, after its own text. */
function tellCalls(
  tale: Telling,
  received: Received,
  message: JsonObject,
  index: number,
  pointer: string,
  origin: Origin,
): void {
  const listed = arrayAt(message.tool_calls ?? [], `${pointer}/tool_calls`, origin);
  const found = listed.map((value, i): [Json, string] => [value, `${pointer}/tool_calls/${i}`]);
  const legacy = message.function_call ?? null;
  if (legacy !== null) found.push([{ function: legacy }, `${pointer}/function_call`]);
  found.forEach(([value, at], i) => {
    const call = objectAt(value, at, origin, 'a call');
    const custom = isObject(call.custom) ? call.custom : null;
    const body = custom ?? call.function;
    if (!isObject(body)) throw wrongShape(origin, at, 'has no function');
    if (typeof body.name !== 'string' || body.name === '') {
      throw wrongShape(origin, at, 'has a function without a name');
    }
    const key = custom ? 'input' : 'arguments';
    const inside = legacy !== null && i === listed.length ? at : `${at}/${custom ? 'custom' : 'function'}`;
    tale.propose({
      message: index,
      id: textOrNull(call.id),
      tool: body.name,
      arguments: { from: received, pointer: `${inside}/${key}`, value: body[key] },
    });
  });
}
