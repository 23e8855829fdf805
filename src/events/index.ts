import { z } from 'zod';
import { GroundsError, isGroundsError } from '../errors.ts';
import { encode } from './canonical.ts';
import type { Envelope } from './envelope.ts';
import { Instant, Uuid } from './identity.ts';
import type { Json } from './json.ts';
import { pointerOf, segmentsOf } from './pointer.ts';
import { type DataOf, EVENT_TYPES, EVENTS, type EventType, isEventType } from './registry.ts';
import { parseStream } from './streams.ts';
import { upcast } from './upcasters.ts';

export { type DataOf, EVENT_TYPES, EVENTS, type EventDefinition, type EventType } from './registry.ts';
export { parseStream, type StreamKind, type StreamName, settingsUnder, streamOf } from './streams.ts';

/** As deep as it goes, since what travels is never mutated. */
export type Frozen<T> = T extends readonly (infer E)[]
  ? readonly Frozen<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;

/** An event to append: the log adds the stream. */
export interface Made<T extends EventType = EventType> {
  readonly type: T;
  readonly schema: number;
  readonly id: string;
  readonly at: string;
  readonly data: Frozen<DataOf<T>>;
}

/** An event as it was read, in its newest shape; `type` tells which. */
export type AnyEvent = { [T in EventType]: Envelope<T, DataOf<T>> }[EventType];

/**
 * An event of the newest shape, checked: what is once written can't be taken back.
 *
 * @param of its id, and when it is recorded (UTC, milliseconds).
 * @throws GroundsError `events/invalid`, facts `{ type, path, reason }`.
 */
export function makeEvent<T extends EventType>(
  type: T,
  data: Frozen<DataOf<T>>,
  of: { readonly id: string; readonly at: string },
): Made<T> {
  const event = { at: of.at, data, id: of.id, schema: EVENTS[type].schema, type };
  check(type, Head, { id: of.id, at: of.at }, []);
  check(type, EVENTS[type].data, data, ['data']);
  storable(type, data);
  return event;
}

/** What the canonical encoder refuses could not be stored: said here, with the path, before anything is appended. */
function storable(type: string, data: unknown): void {
  try {
    encode(data);
  } catch (error) {
    if (!isGroundsError(error)) throw error;
    throw invalid(type, ['data', ...segmentsOf(String(error.facts.pointer))], String(error.facts.reason));
  }
}

/**
 * A stored event, checked and brought to its newest shape. The stored bytes stay what they are.
 *
 * @throws GroundsError `events/invalid` with the path at fault; `events/unknown-type`; `events/schema` where it is newer
 * than this version knows; `events/stream`.
 */
export function parseEvent(envelope: unknown): AnyEvent {
  const { type, schema, id, at, stream, data } = check('event', StoredEnvelope, envelope, []);
  if (!isEventType(type)) {
    throw new GroundsError('events/unknown-type', `There is no event type '${type}'.`, {
      facts: { type, stream },
      hint: 'It was probably written by a newer version of grounds: read the log with that one.',
      exit: 3,
    });
  }
  const definition = EVENTS[type];
  if (!definition.streams.includes(parseStream(stream).kind)) {
    throw invalid(type, ['stream'], `${type} does not belong in ${stream}`);
  }
  const current = upcast(type, schema, definition.schema, data as Json);
  const event = { at, data: current, id, schema: definition.schema, stream, type };
  check(type, definition.data, current, ['data']);
  return event as AnyEvent;
}

/** The JSON Schema (2020-12) of each event's data and of the envelope around it, by name. */
export function publishedSchemas(): Readonly<Record<string, unknown>> {
  const schemas: Record<string, unknown> = { Envelope: z.toJSONSchema(StoredEnvelope) };
  for (const type of EVENT_TYPES) schemas[type] = z.toJSONSchema(EVENTS[type].data);
  return schemas;
}

const Head = z.strictObject({ id: Uuid, at: Instant });
/** An event as it is stored, whatever its type. */
export const StoredEnvelope = z.strictObject({
  type: z.string(),
  schema: z.number().int().positive(),
  id: Uuid,
  at: Instant,
  stream: z.string(),
  data: z.record(z.string(), z.unknown()),
});

/** Only checks: the schemas transform nothing, so what goes on is what came, `__proto__` keys and all. */
function check<S extends z.ZodType>(name: string, schema: S, value: unknown, under: string[]): z.infer<S> {
  if (fits(schema, value)) return value as z.infer<S>;
  const result = schema.safeParse(value);
  if (result.success) return value as z.infer<S>;
  const issue = deepest(result.error.issues[0]);
  throw invalid(name, [...under, ...issue.path], issue.message);
}

/**
 * A generated validator is several times as fast, and making it takes as long as some hundred checks: a command that reads a
 * call or two does without. A no is no verdict: the schema itself then says, and why.
 */
function fits(schema: z.ZodType, value: unknown): boolean {
  const known = checked.get(schema) ?? { times: 0, validator: null };
  checked.set(schema, known);
  if (known.validator === null) {
    if (++known.times < OFTEN) return false;
    known.validator = z.compile(schema);
  }
  return z.validate(known.validator, value);
}

const OFTEN = 100;
const checked = new Map<z.ZodType, { times: number; validator: z.ZodType | null }>();

function invalid(type: string, path: readonly PropertyKey[], reason: string): GroundsError {
  const pointer = pointerOf(path.map(String));
  return new GroundsError('events/invalid', `${type} is not valid at '${pointer}': ${reason}.`, {
    facts: { type, path: pointer, reason },
    hint: 'Compare it with the published schema of this event type.',
  });
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Of a union, the fault in the branch that went farthest: that is the one which was meant. */
function deepest(issue: z.core.$ZodIssue | undefined): Issue {
  if (issue === undefined) return { path: [], message: 'invalid' };
  let found: Issue = { path: issue.path, message: issue.message };
  if (issue.code !== 'invalid_union') return found;
  for (const branch of issue.errors) {
    const inner = deepest(branch[0]);
    const path = [...issue.path, ...inner.path];
    if (path.length > found.path.length) found = { path, message: inner.message };
  }
  return found;
}
