import { isArray, isObject, type Json, type JsonObject } from '../events/json.ts';
import type { Pointer } from '../events/pointer.ts';
import { quoted, wrongShape } from './bad-input.ts';
import type { Conversation, Origin } from './conversation.ts';
import type { Format, Piece } from './format.ts';
import { partOf, type Received } from './received.ts';
import { runOf } from './run-ids.ts';
import { arrayAt, leftOut, nameAt, objectAt, partsOf, textOrNull } from './shape.ts';
import { type Telling, telling } from './telling.ts';

const NO_TIMES = 'Messages of an Inspect log carry no times.';
const NOT_INPUT =
  "User messages that are not the sample's input come from the harness: they are not taken as typed.";
const ONLY_RESULT = 'A tool message stands without its call: only the tool and the result were recorded.';
const AUTHORS = { system: 'system', user: 'user', assistant: 'agent' } as const;

/**
 * Inspect AI logs: `{version, eval, samples}` holds one conversation a sample; a sample may also stand alone. A user
 * message is typed where its source is the input, or where it says what the sample's input says.
 */
export const inspectAi: Format = {
  name: 'inspect-ai',
  claims: (value) => isObject(value) && ((isObject(value.eval) && isArray(value.samples)) || isSample(value)),
  claimsPiece: () => false,
  split,
  read,
};

function split(received: Received, origin: Origin): Piece[] {
  const { value } = received;
  if (!isObject(value) || !isArray(value.samples)) return [{ received, pointer: null, run: null }];
  const of = isObject(value.eval) ? runOf(value.eval, ['task', 'created']) : null;
  if (value.samples.length === 0) throw wrongShape(origin, '/samples', 'holds no sample');
  return value.samples.flatMap((_, i) => {
    const pointer = `/samples/${i}`;
    const sample = partOf(received, pointer);
    return sample ? [{ received: sample, pointer, run: of }] : [];
  });
}

function read(received: Received, origin: Origin, run: Json): Conversation {
  const sample = objectAt(received.value, '', origin, 'a sample');
  if (!isSample(sample)) throw wrongShape(origin, '', 'is no sample (id, epoch, input and messages)');
  const messages = arrayAt(sample.messages, '/messages', origin);
  const tale = telling({ format: inspectAi.name, typed: 'told', onePrompt: true });
  tale.note(NO_TIMES);
  for (const key of ['input', 'attachments']) {
    if (key in sample) tale.rests({ from: received, pointer: `/${key}`, value: sample[key] }, true);
  }
  const context = { tale, received, origin, sample, inputs: inputsOf(sample.input) };
  messages.forEach((message, i) => {
    tellMessage(context, message, i, `/messages/${i}`);
  });
  return tale.finish(origin, { eval: run, sample: runOf(sample, ['epoch', 'uuid']) });
}

interface Context {
  readonly tale: Telling;
  readonly received: Received;
  readonly origin: Origin;
  readonly sample: JsonObject;
  /** The texts of the sample's input. */
  readonly inputs: ReadonlySet<string>;
}

function tellMessage(context: Context, value: Json, index: number, pointer: Pointer): void {
  const { tale, received, origin } = context;
  const message = objectAt(value, pointer, origin, 'a message');
  tale.rests({ from: received, pointer, value });
  if (message.role === 'tool') {
    tellResult(context, message, index, pointer);
    return;
  }
  const author = Object.entries(AUTHORS).find(([role]) => role === message.role)?.[1];
  if (!author) throw wrongShape(origin, pointer, `has the role ${quoted(String(message.role))}`);
  for (const { part, index: at, pointer: place } of partsOf(message.content, `${pointer}/content`, origin)) {
    if (part.type === 'tool_use') {
      tellHosted(context, part, index, at, place);
      continue;
    }
    if (part.type !== 'text') {
      tale.note(leftOut(part.type));
      continue;
    }
    if (typeof part.text !== 'string') throw wrongShape(origin, place, 'has no text');
    const text = attached(context, part.text);
    const given = author !== 'user' || message.source === 'input' || context.inputs.has(text.trim());
    if (!given) tale.note(NOT_INPUT);
    tale.say({ author, text, message: index, part: at, ...(given ? {} : { typed: false }) });
  }
  arrayAt(message.tool_calls ?? [], `${pointer}/tool_calls`, origin).forEach((each, i) => {
    const at = `${pointer}/tool_calls/${i}`;
    const call = objectAt(each, at, origin, 'a call');
    tale.propose({
      message: index,
      id: textOrNull(call.id),
      tool: nameAt(call, 'function', at, origin),
      arguments: { from: received, pointer: `${at}/arguments`, value: call.arguments },
      // What stands as arguments then is not what the model wrote.
      ...(textOrNull(call.parse_error) === null ? {} : { fault: 'not_json' as const }),
    });
  });
}

/** A tool of the provider's: the call and its result in one part. */
function tellHosted(
  { tale, received, origin }: Context,
  part: JsonObject,
  message: number,
  at: number | null,
  pointer: Pointer,
): void {
  const id = textOrNull(part.id);
  const call = tale.propose({
    message,
    id,
    tool: nameAt(part, 'name', pointer, origin),
    server: textOrNull(part.context),
    arguments: { from: received, pointer: `${pointer}/arguments`, value: part.arguments },
  });
  const error = part.error ?? null;
  const shown = error ?? part.result ?? null;
  if (shown === null) return;
  const place = {
    from: received,
    pointer: `${pointer}/${error === null ? 'result' : 'error'}`,
    value: shown,
  };
  tale.result({
    message,
    id,
    name: null,
    call,
    bodies: [{ body: shown, part: at, at: place }],
    failed: error !== null,
  });
}

function tellResult(context: Context, message: JsonObject, index: number, pointer: Pointer): void {
  const { tale, received, origin } = context;
  const id = textOrNull(message.tool_call_id);
  const name = textOrNull(message.function);
  const error = message.error ?? null;
  const bodies = partsOf(message.content, `${pointer}/content`, origin).flatMap(({ part, index: at }) => {
    if (part.type === 'text' && typeof part.text === 'string')
      return [{ body: attached(context, part.text), part: at }];
    tale.note(leftOut(part.type));
    return [];
  });
  const shown = bodies.some(({ body }) => body !== '') ? bodies : errorShown(error);
  // Inspect writes `error` only where there was one.
  const result = { message: index, id, name, bodies: shown, failed: error !== null };
  let call = tale.answers({ id, name });
  if (call === null && name !== null) {
    tale.note(ONLY_RESULT);
    const nowhere = { from: received, pointer: `${pointer}/arguments`, value: undefined };
    call = tale.propose({ message: index, id, tool: name, arguments: nowhere, cannot: ['no_proposal'] });
  }
  tale.result({ ...result, call });
}

function errorShown(error: Json): { body: string; part: null }[] {
  return isObject(error) && typeof error.message === 'string' ? [{ body: error.message, part: null }] : [];
}

/** Long texts stand once, beside the messages. */
function attached({ sample }: Context, text: string): string {
  const name = /^attachment:\/\/([0-9a-f]{32})$/.exec(text)?.[1];
  const found = name !== undefined && isObject(sample.attachments) ? sample.attachments[name] : undefined;
  return typeof found === 'string' ? found : text;
}

function inputsOf(input: Json | undefined): Set<string> {
  const texts = new Set<string>();
  if (typeof input === 'string') texts.add(input.trim());
  for (const message of isArray(input) ? input : []) {
    if (!isObject(message) || message.role !== 'user') continue;
    for (const part of isArray(message.content) ? message.content : [message.content ?? null]) {
      if (typeof part === 'string') texts.add(part.trim());
      else if (isObject(part) && typeof part.text === 'string') texts.add(part.text.trim());
    }
  }
  return texts;
}

function isSample(value: Json): boolean {
  return isObject(value) && 'epoch' in value && 'input' in value && isArray(value.messages);
}
