import { isArray, isObject, type Json, type JsonObject } from '../events/json.ts';
import type { Pointer } from '../events/pointer.ts';
import { quoted, wrongShape } from './bad-input.ts';
import type { Conversation, Origin } from './conversation.ts';
import type { Format } from './format.ts';
import type { Received } from './received.ts';
import { runOf } from './run-ids.ts';
import { arrayAt, leftOut, nameAt, objectAt, partsOf, textOrNull } from './shape.ts';
import { type Telling, telling } from './telling.ts';

const NO_TIMES = 'AgentDojo messages carry no times.';
const ONLY_RESULT = 'A result stands without its call: the call is taken from what the result repeats of it.';
const WRAPPER = [
  'suite_name',
  'pipeline_name',
  'user_task_id',
  'injection_task_id',
  'attack_type',
  'evaluation_timestamp',
];
const AUTHORS = { system: 'system', user: 'user', assistant: 'agent' } as const;

/**
 * Runs of AgentDojo and AgentDyn: `{suite_name, messages, …}` or the messages. Text parts hold `content`, calls
 * `{function, args}`. The user's prompt is typed (its authors wrote it); what a pipeline repeats of it is not.
 */
export const agentdojo: Format = {
  name: 'agentdojo',
  claims(value) {
    const messages = isObject(value) ? value.messages : value;
    if (!isArray(messages)) return false;
    if (isObject(value) && 'suite_name' in value && 'user_task_id' in value) return true;
    return messages.some(isTelling);
  },
  claimsPiece: () => false,
  read,
};

function read(received: Received, origin: Origin, run: Json): Conversation {
  const { value } = received;
  const pointer = isObject(value) ? '/messages' : '';
  const messages = arrayAt(isObject(value) ? value.messages : value, pointer, origin);
  const tale = telling({ format: agentdojo.name, typed: 'told', onePrompt: true });
  tale.note(NO_TIMES);
  messages.forEach((message, i) => {
    tellMessage(tale, received, message, i, `${pointer}/${i}`, origin);
  });
  return tale.finish(origin, run ?? runOf(value, WRAPPER));
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
  tale.rests({ from: received, pointer, value });
  const texts = textsOf(tale, message, pointer, origin);
  if (message.role === 'tool') {
    tellResult(tale, received, message, texts, index, pointer, origin);
    return;
  }
  const author = Object.entries(AUTHORS).find(([role]) => role === message.role)?.[1];
  if (!author) throw wrongShape(origin, pointer, `has the role ${quoted(String(message.role))}`);
  for (const { text, part } of texts) tale.say({ author, text, message: index, part });
  const calls = message.tool_calls ?? [];
  arrayAt(calls, `${pointer}/tool_calls`, origin).forEach((call, i) => {
    propose(tale, received, call, index, `${pointer}/tool_calls/${i}`, origin, false);
  });
}

function propose(
  tale: Telling,
  received: Received,
  value: Json | undefined,
  message: number,
  pointer: Pointer,
  origin: Origin,
  alone: boolean,
): number {
  const call = objectAt(value, pointer, origin, 'a call');
  return tale.propose({
    message,
    id: textOrNull(call.id),
    tool: nameAt(call, 'function', pointer, origin),
    arguments: { from: received, pointer: `${pointer}/args`, value: call.args },
    cannot: alone ? ['no_proposal'] : [],
  });
}

/** A failed call has no content but its error; then that is what the agent was shown. */
function tellResult(
  tale: Telling,
  received: Received,
  message: JsonObject,
  texts: readonly { text: string; part: number | null }[],
  index: number,
  pointer: Pointer,
  origin: Origin,
): void {
  const { error, tool_call: repeated } = message;
  const shown = texts.filter(({ text }) => text !== '');
  const bodies = shown.map(({ text, part }) => ({ body: text, part }));
  if (bodies.length === 0 && typeof error === 'string') bodies.push({ body: error, part: null });
  const of = isObject(repeated) ? repeated : {};
  const id = textOrNull(message.tool_call_id) ?? textOrNull(of.id);
  const name = textOrNull(of.function);
  const failed = error === undefined ? null : error !== null;
  const known = tale.answers({ id, name });
  if (known === null && name !== null) {
    tale.note(ONLY_RESULT);
    const call = propose(tale, received, repeated, index, `${pointer}/tool_call`, origin, true);
    tale.result({ message: index, id, name, call, bodies, failed });
  } else tale.result({ message: index, id, name, call: known, bodies, failed });
}

function textsOf(
  tale: Telling,
  message: JsonObject,
  pointer: Pointer,
  origin: Origin,
): { text: string; part: number | null }[] {
  return partsOf(message.content, `${pointer}/content`, origin, 'content').flatMap(
    ({ part, index, pointer: at }) => {
      if (part.type !== 'text') {
        tale.note(leftOut(part.type));
        return [];
      }
      if (typeof part.content !== 'string') throw wrongShape(origin, at, 'has no content');
      return [{ text: part.content, part: index }];
    },
  );
}

function isTelling(message: Json): boolean {
  if (!isObject(message) || typeof message.role !== 'string') return false;
  const parts = isArray(message.content) ? message.content : [];
  const calls = isArray(message.tool_calls) ? message.tool_calls : [];
  return (
    parts.some((part) => isObject(part) && part.type === 'text' && typeof part.content === 'string') ||
    calls.some((call) => isObject(call) && typeof call.function === 'string' && isObject(call.args))
  );
}
