import { isArray, isObject, type Json, type JsonObject } from '../events/json.ts';
import type { Pointer } from '../events/pointer.ts';
import type { Author } from '../events/segment.ts';
import { quoted, wrongShape } from './bad-input.ts';
import type { Conversation, Origin } from './conversation.ts';
import type { Format } from './format.ts';
import { isLangchainMessage, messagesOf, type PlacedMessage } from './langchain-messages.ts';
import type { Received } from './received.ts';
import { runOf } from './run-ids.ts';
import { arrayAt, leftOut, nameAt, objectAt, partsOf, textOrNull } from './shape.ts';
import { type Telling, telling } from './telling.ts';

const NO_TIMES = 'LangChain messages carry no times.';
const ALL_TYPED =
  'LangChain messages do not tell what a person typed: every human message is taken as typed by the user.';
const INTERRUPTED = 'The graph was interrupted for a decision; what was decided is not in a stream.';
const AUTHORS: ReadonlyMap<string, Author> = new Map([
  ['human', 'user'],
  ['ai', 'agent'],
  ['system', 'system'],
  ['developer', 'system'],
  ['chat', 'third_party'],
]);
const CALLS_IN_CONTENT = ['tool_use', 'tool_call', 'function_call', 'tool_call_chunk', 'input_json_delta'];

/**
 * LangChain messages, as `lc: 1` constructors or as dicts (`{type: human, content}`, `{type: human, data}`): an array,
 * `{messages}`, a LangGraph state `{values: {messages}}`, or a LangGraph stream `[[mode, payload], …]` (one a line,
 * too), of which the states and updates are read.
 */
export const langchain: Format = {
  name: 'langchain',
  claims(value) {
    const found = messagesOf(value);
    return (
      found !== null &&
      found.messages.length > 0 &&
      found.messages.every(({ value: each }) => isLangchainMessage(each))
    );
  },
  claimsPiece: (value) => isArray(value) && value.length === 2 && isStreamMode(value[0]),
  read,
};

function read(received: Received, origin: Origin, run: Json): Conversation {
  const found = messagesOf(received.value);
  if (!found) throw wrongShape(origin, '', 'holds no LangChain messages');
  const tale = telling({ format: langchain.name, typed: 'assumed', onePrompt: false });
  tale.note(NO_TIMES);
  if (found.interrupted) tale.note(INTERRUPTED);
  found.messages.forEach((placed, i) => {
    tellMessage(tale, received, placed, i, origin);
  });
  return tale.finish(origin, run ?? runOf(received.value));
}

function tellMessage(
  tale: Telling,
  received: Received,
  placed: PlacedMessage,
  index: number,
  origin: Origin,
): void {
  if (!isLangchainMessage(placed.value)) throw wrongShape(origin, placed.pointer, 'is no LangChain message');
  tale.rests({ from: received, pointer: placed.pointer, value: placed.value });
  const { kind, body, pointer } = opened(placed, origin);
  if (kind === 'remove') return;
  if (kind === 'tool' || kind === 'function') {
    tellResult(tale, received, body, index, pointer, origin);
    return;
  }
  const author = kind === 'chat' ? authorOfRole(body.role) : (AUTHORS.get(kind) ?? 'third_party');
  if (author === 'third_party') {
    tale.note(`The message type ${quoted(kind)} is not known: what it said is taken as a third party's.`);
  }
  if (author === 'user') tale.note(ALL_TYPED);
  for (const { part, index: at } of partsOf(body.content, `${pointer}/content`, origin)) {
    const text = part.type === 'refusal' ? part.refusal : part.text;
    if (['text', 'output_text', 'input_text', 'refusal'].includes(part.type) && typeof text === 'string') {
      tale.say({ author, text, message: index, part: at });
    } else if (!CALLS_IN_CONTENT.includes(part.type)) tale.note(leftOut(part.type));
  }
  if (author === 'agent') tellCalls(tale, received, body, index, pointer, origin);
}

/** Calls that were read, those that could not be, or (where there are neither) those of an older provider message. */
function tellCalls(
  tale: Telling,
  received: Received,
  body: JsonObject,
  index: number,
  pointer: Pointer,
  origin: Origin,
): void {
  const calls = arrayAt(body.tool_calls ?? [], `${pointer}/tool_calls`, origin);
  const invalid = arrayAt(body.invalid_tool_calls ?? [], `${pointer}/invalid_tool_calls`, origin);
  calls.forEach((value, i) => {
    const at = `${pointer}/tool_calls/${i}`;
    const call = objectAt(value, at, origin, 'a call');
    const tool = nameAt(call, 'name', at, origin);
    const args = { from: received, pointer: `${at}/args`, value: call.args };
    tale.propose({ message: index, id: textOrNull(call.id), tool, arguments: args });
  });
  invalid.forEach((value, i) => {
    const at = `${pointer}/invalid_tool_calls/${i}`;
    const call = objectAt(value, at, origin, 'a call');
    const tool = textOrNull(call.name) ?? 'unknown';
    const args = { from: received, pointer: `${at}/args`, value: call.args ?? undefined };
    tale.propose({ message: index, id: textOrNull(call.id), tool, arguments: args });
  });
  const older = isObject(body.additional_kwargs) ? body.additional_kwargs.tool_calls : undefined;
  if (calls.length > 0 || invalid.length > 0 || !isArray(older)) return;
  older.forEach((value, i) => {
    const at = `${pointer}/additional_kwargs/tool_calls/${i}`;
    const call = objectAt(value, at, origin, 'a call');
    const inner = objectAt(call.function, `${at}/function`, origin, 'a function');
    const args = { from: received, pointer: `${at}/function/arguments`, value: inner.arguments };
    const tool = nameAt(inner, 'name', `${at}/function`, origin);
    tale.propose({ message: index, id: textOrNull(call.id), tool, arguments: args });
  });
}

function tellResult(
  tale: Telling,
  received: Received,
  body: JsonObject,
  index: number,
  pointer: Pointer,
  origin: Origin,
): void {
  const { content } = body;
  const at = `${pointer}/content`;
  const inParts =
    isArray(content) && content.every((part) => isObject(part) && typeof part.type === 'string');
  const bodies =
    typeof content === 'string' || inParts
      ? partsOf(content, at, origin).flatMap(({ part, index: i }) => {
          if (typeof part.text === 'string') return [{ body: part.text, part: i }];
          tale.note(leftOut(part.type));
          return [];
        })
      : content === undefined || content === null
        ? []
        : [{ body: content, part: null, at: { from: received, pointer: at, value: content } }];
  tale.result({
    message: index,
    id: textOrNull(body.tool_call_id),
    name: textOrNull(body.name),
    bodies,
    failed: body.status === 'error' ? true : body.status === 'success' ? false : null,
  });
}

function authorOfRole(role: Json | undefined): Author {
  if (role === 'user') return 'user';
  if (role === 'assistant') return 'agent';
  return role === 'system' || role === 'developer' ? 'system' : 'third_party';
}

/** What a message of either notation holds. */
function opened(
  { value, pointer }: PlacedMessage,
  origin: Origin,
): { kind: string; body: JsonObject; pointer: Pointer } {
  const message = objectAt(value, pointer, origin, 'a message');
  if (message.lc === 1 && isArray(message.id)) {
    const name = String(message.id.at(-1));
    const kind = name.replace(/Message(?:Chunk)?$/, '').toLowerCase();
    const at = `${pointer}/kwargs`;
    return { kind, body: objectAt(message.kwargs, at, origin, 'what the message holds'), pointer: at };
  }
  const kind = String(message.type)
    .replace(/MessageChunk$/, '')
    .toLowerCase();
  return isObject(message.data)
    ? { kind, body: message.data, pointer: `${pointer}/data` }
    : { kind, body: message, pointer };
}

function isStreamMode(value: Json | undefined): boolean {
  return (
    typeof value === 'string' &&
    ['values', 'updates', 'messages', 'custom', 'debug', 'tasks', 'checkpoints'].includes(value)
  );
}
