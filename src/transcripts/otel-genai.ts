import { encode } from '../events/canonical.ts';
import { isArray, isObject, type Json } from '../events/json.ts';
import { wrongShape } from './bad-input.ts';
import type { Conversation, Origin } from './conversation.ts';
import type { Format, Piece } from './format.ts';
import { isOtelMessage, otelTale } from './otel-messages.ts';
import { isBatch, isGenAiSpan, jsonAttribute, type Span, spanOf, spansIn } from './otel-spans.ts';
import { joined, partOf, type Received } from './received.ts';
import { telling } from './telling.ts';

const NO_TIMES = 'GenAI spans carry no times of single messages.';
const NOT_CAPTURED = 'A span of a model call holds no messages: content was not captured.';
const UNREADABLE = 'An attribute that should hold messages is no JSON; it was left out.';
const APART = 'A span does not continue the messages before it: its messages are read after them.';

/**
 * OpenTelemetry spans of generative AI (`gen_ai.input.messages`, `gen_ai.output.messages`, execute_tool spans): OTLP
 * JSON, exported spans (one a line, too), or the messages of one span. Spans of one conversation (`gen_ai.conversation.id`,
 * else one trace) are read in time order, each message once, however often a later span repeats the history.
 */
export const otelGenai: Format = {
  name: 'otel-genai',
  claims: (value) =>
    isArray(value) && value.length > 0 && (value.every(isOtelMessage) || value.every(isGenAiSpan)),
  claimsPiece: (value) => isBatch(value) || isGenAiSpan(value),
  split,
  read,
};

function split(received: Received, origin: Origin): Piece[] {
  const { value } = received;
  if (isArray(value) && value.length > 0 && value.every(isOtelMessage)) {
    return [{ received, pointer: null, run: null }];
  }
  const groups = new Map<string, { run: Json; parts: Received[] }>();
  for (const { pointer, value: span } of spansIn(value)) {
    if (!isGenAiSpan(span)) continue;
    const part = partOf(received, pointer);
    if (!part) continue;
    const { attributes, trace } = spanOf(part);
    const conversation = attributes.get('gen_ai.conversation.id');
    const run: Json = typeof conversation === 'string' ? { conversation } : { trace };
    const group = groups.get(encode(run)) ?? { run, parts: [] };
    groups.set(encode(run), group);
    group.parts.push(part);
  }
  if (groups.size === 0) throw wrongShape(origin, '', 'holds no spans of generative AI');
  return [...groups.values()].map(({ run, parts }) => ({ received: joined(parts), pointer: null, run }));
}

function read(received: Received, origin: Origin, run: Json): Conversation {
  const { value } = received;
  if (!isArray(value) || value.length === 0) throw wrongShape(origin, '', 'holds neither spans nor messages');
  const tale = telling({ format: otelGenai.name, typed: 'assumed', onePrompt: false });
  tale.note(NO_TIMES);
  const teller = otelTale(tale, origin);
  if (value.every(isOtelMessage)) {
    value.forEach((_, i) => {
      teller.tell(received, `/${i}`);
    });
    return tale.finish(origin, run);
  }
  if (!value.every(isGenAiSpan)) throw wrongShape(origin, '', 'holds neither spans nor messages');
  const spans = value
    .flatMap((_, i) => partOf(received, `/${i}`) ?? [])
    .map(spanOf)
    .sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
  let history: string[] = [];
  for (const span of spans) {
    tale.rests({ from: span.received, pointer: '', value: null }, true);
    if (
      span.attributes.get('gen_ai.operation.name') === 'execute_tool' ||
      span.attributes.has('gen_ai.tool.name')
    ) {
      teller.executed(span);
      continue;
    }
    const listed = ['gen_ai.system_instructions', 'gen_ai.input.messages', 'gen_ai.output.messages'];
    const [system, input, output] = listed.map((key) => messagesOf(span, key));
    for (const key of listed) if (span.attributes.has(key) && !messagesOf(span, key)) tale.note(UNREADABLE);
    if (!input && !output) tale.note(NOT_CAPTURED);
    for (const tool of toolsIn(span)) teller.declare(tool);
    if (system && history.length === 0) teller.instructions(system);
    history = continued(history, input, output);
  }
  teller.end();
  return tale.finish(origin, run);

  /** Tells what is new in a span: what its input adds to the history, then its output. */
  function continued(
    before: string[],
    input: Received | null | undefined,
    output: Received | null | undefined,
  ): string[] {
    const keys = keysOf(input);
    let known = 0;
    while (known < before.length && known < keys.length && before[known] === keys[known]) known++;
    // A span may be of an earlier state (a retry): nothing of it is new then but its output.
    if (known < before.length && known < keys.length) {
      tale.note(APART);
      known = 0;
    }
    if (input) for (let i = known; i < keys.length; i++) teller.tell(input, `/${i}`);
    const said = keysOf(output);
    if (output) for (let i = 0; i < said.length; i++) teller.tell(output, `/${i}`);
    return [...keys, ...said];
  }
}

function messagesOf(span: Span, key: string): Received | null {
  const read = jsonAttribute(span, key);
  return read && isArray(read.value) ? read : null;
}

/** A message is the same whatever its finish reason. */
function keysOf(messages: Received | null | undefined): string[] {
  if (!messages || !isArray(messages.value)) return [];
  return messages.value.map((message) =>
    isObject(message) ? encode([message.role ?? null, message.parts ?? null]) : encode(message),
  );
}

function toolsIn(span: Span): readonly Json[] {
  const read = jsonAttribute(span, 'gen_ai.tool.definitions');
  return read && isArray(read.value) ? read.value : [];
}
