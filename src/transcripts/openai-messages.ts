import { isArray, isObject, type Json, type JsonObject } from '../events/json.ts';
import type { Author, Segment } from '../events/segment.ts';
import { quoted, wrongShape } from './bad-input.ts';
import { argumentsAt } from './call-arguments.ts';
import type { ConversationCall, ConversationSegment, Origin } from './conversation.ts';
import { contentOf, resultOf } from './openai-content.ts';
import { type Pairing, pairing } from './pairing.ts';
import type { Received } from './received.ts';
import { structure } from './structured.ts';

const NO_TIMES = 'OpenAI chat messages carry no times.';
const ALL_TYPED =
  'OpenAI chat messages do not tell what a person typed: every user message is taken as typed by the user.';
const NO_FAILURES = 'OpenAI chat messages do not tell whether a call failed.';
const UNASKED = 'A tool result answers no call before it: it measures nothing.';
const OTHER_NAME = 'A tool result names another tool than the call that it answers: the call is believed.';

const AUTHORS: ReadonlyMap<string, Author> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'agent'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);

/** A call, and where its arguments stand in the received value. */
export interface PlacedCall extends ConversationCall {
  readonly pointer: string;
}

interface Said {
  readonly pairs: Pairing;
  readonly segments: ConversationSegment[];
  readonly calls: PlacedCall[];
  readonly notes: Set<string>;
}

/** Reads messages in order. Throws `transcript/shape` at the first that can't be one. */
export function readMessages(
  received: Received,
  list: { readonly messages: readonly Json[]; readonly pointer: string },
  origin: Origin,
): Said {
  const said: Said = { pairs: pairing(), segments: [], calls: [], notes: new Set([NO_TIMES]) };
  list.messages.forEach((message, index) => {
    const pointer = `${list.pointer}/${index}`;
    if (!isObject(message)) throw wrongShape(origin, pointer, 'is not a message (an object)');
    const { role } = message;
    if (typeof role !== 'string') throw wrongShape(origin, pointer, 'has no role');
    const author = AUTHORS.get(role) ?? 'third_party';
    if (author === 'third_party') {
      said.notes.add(`The role ${quoted(role)} is not known: what it said is taken as a third party's.`);
    }
    if (author === 'tool') readResult(said, message, index, pointer, origin);
    else readText(said, message, author, index, pointer, origin);
    readCalls(said, received, message, index, pointer, origin);
  });
  return said;
}

function readText(
  said: Said,
  message: JsonObject,
  author: Author,
  index: number,
  pointer: string,
  origin: Origin,
): void {
  const content = contentOf(message.content, `${pointer}/content`, origin);
  const refusal = typeof message.refusal === 'string' ? [{ body: message.refusal, part: null }] : [];
  for (const note of content.notes) said.notes.add(note);
  if (author === 'user') said.notes.add(ALL_TYPED);
  for (const { body, part } of [...content.parts, ...refusal]) {
    if (body === '') continue;
    const typed = author === 'user';
    const segment: Segment = { at: null, author, typed, origin: null, body: { plain: body }, observes: null };
    said.segments.push({ segment, message: index, part });
  }
}

function readResult(said: Said, message: JsonObject, index: number, pointer: string, origin: Origin): void {
  const name = textOrNull(message.name);
  const answers = said.pairs.answer({ id: textOrNull(message.tool_call_id), name });
  const call = answers === null ? undefined : said.calls[answers];
  said.notes.add(NO_FAILURES);
  if (!call) said.notes.add(UNASKED);
  else if (name !== null && name !== call.tool) said.notes.add(OTHER_NAME);
  const content = resultOf(message.content, `${pointer}/content`, origin);
  for (const note of content.notes) said.notes.add(note);
  const first = said.segments.length;
  const parts = content.parts.length > 0 ? content.parts : [{ body: '', part: null }];
  for (const { body, part } of parts) {
    const read = typeof body === 'string' ? structure(body) : { value: body };
    const segment: Segment = {
      at: null,
      author: 'tool',
      typed: false,
      origin: null,
      body: { plain: read && 'value' in read ? read.value : body },
      observes: call
        ? {
            tool: call.tool,
            arguments: { plain: call.arguments.value },
            failed: null,
            fault: read && 'fault' in read ? read.fault.code : null,
          }
        : null,
    };
    said.segments.push({ segment, message: index, part });
  }
  if (call && answers !== null) said.calls[answers] = { ...call, result: first };
}

/** All calls of one message are proposed together, after its own text. */
function readCalls(
  said: Said,
  received: Received,
  message: JsonObject,
  index: number,
  pointer: string,
  origin: Origin,
): void {
  const listed = message.tool_calls ?? [];
  if (!isArray(listed)) throw wrongShape(origin, `${pointer}/tool_calls`, 'is not an array');
  const found = listed.map((call, i): [Json, string] => [call, `${pointer}/tool_calls/${i}`]);
  const legacy = message.function_call ?? null;
  if (legacy !== null) found.push([{ function: legacy }, `${pointer}/function_call`]);
  const before = said.segments.length;
  found.forEach(([call, at], i) => {
    if (!isObject(call)) throw wrongShape(origin, at, 'is not a call (an object)');
    const custom = isObject(call.custom) ? call.custom : null;
    const body = custom ?? call.function;
    if (!isObject(body)) throw wrongShape(origin, at, 'has no function');
    if (typeof body.name !== 'string' || body.name === '') {
      throw wrongShape(origin, at, 'has a function without a name');
    }
    const key = custom ? 'input' : 'arguments';
    const inside = legacy !== null && i === listed.length ? at : `${at}/${custom ? 'custom' : 'function'}`;
    const named = { message: index, id: textOrNull(call.id), tool: body.name };
    said.pairs.propose(said.calls.length, named);
    said.calls.push({
      ...named,
      index: i,
      arguments: argumentsAt(received, `${inside}/${key}`, body[key]),
      before,
      result: null,
      pointer: `${inside}/${key}`,
    });
  });
}

function textOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
