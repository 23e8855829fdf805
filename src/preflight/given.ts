import { z } from 'zod';
import { DEFAULT_SERVER, ToolDeclaration } from '../declarations/tool.ts';
import { toolOf } from '../declarations/tools.ts';
import { GroundsError, isGroundsError } from '../errors.ts';
import { encode } from '../events/canonical.ts';
import { Uuid, ZonedTime } from '../events/identity.ts';
import { isObject, type Json, type JsonObject } from '../events/json.ts';
import { segmentsOf } from '../events/pointer.ts';
import { Author, Segment } from '../events/segment.ts';
import { structure } from '../transcripts/structured.ts';
import type { Trigger } from './deferral.ts';
import type { Proposed } from './proposed.ts';
import type { McpTool } from './skeleton-input.ts';

/** One piece of the conversation as `grounds check` takes it, or as the log stores it (then with all of its members). */
export type GivenSegment =
  | Segment
  | {
      readonly author: Author;
      /** The text, or the value that a tool or hook returned. */
      readonly body: Json;
      /** The user's own hands wrote this very text. Left out: they did not. */
      readonly typed?: boolean | undefined;
      /** ISO 8601 with a zone. */
      readonly at?: string | null | undefined;
      /** Where a third party's text came from. */
      readonly origin?: string | null | undefined;
      /** Of a result: the call that it answers. Without it a result measures nothing. */
      readonly observes?:
        | {
            readonly tool: string;
            readonly arguments: JsonObject;
            readonly failed?: boolean | null | undefined;
          }
        | null
        | undefined;
    };

/** A tool as MCP lists it (OpenAI's and Anthropic's forms are read as well), or as the log stores it. */
export type GivenTool = ToolDeclaration | McpTool;

/** A proposed call, and what its hooks are told beside it. */
export type ProposedCall = Omit<Proposed, 'tool' | 'segments'> & {
  readonly tool: GivenTool;
  readonly segments?: readonly GivenSegment[];
  readonly measured_data?: Json;
};

/** A trigger that fired, and what hooks are told beside it. */
export type FiredTrigger = Omit<Trigger, 'tool'> & {
  readonly tool?: GivenTool;
  readonly measured_data?: Json;
};

/** What can be stored exactly: said with the place of what can't. */
const json = z.unknown().superRefine((value, context) => {
  if (value === undefined) return context.addIssue('is missing');
  try {
    encode(value);
  } catch (thrown) {
    if (!isGroundsError(thrown)) throw thrown;
    const { pointer, reason } = thrown.facts as { pointer: string; reason: string };
    context.addIssue({ code: 'custom', path: [...segmentsOf(pointer)], message: `is not JSON: ${reason}` });
  }
});
const object = json.refine((value) => isObject(value as Json), {
  error: 'is not an object',
  when: ({ issues }) => issues.length === 0,
});
const name = z.string().min(1);

const Spoken = z.strictObject({
  author: Author,
  body: json,
  typed: z.boolean().optional(),
  at: ZonedTime.nullish(),
  origin: z.string().nullish(),
  observes: z.strictObject({ tool: name, arguments: object, failed: z.boolean().nullish() }).nullish(),
});

const Call = z.strictObject({
  conversation: Uuid,
  request: Uuid,
  call: Uuid,
  tool: z.unknown().optional(),
  arguments: json,
  segments: z.unknown().optional(),
  user: name.optional(),
  settings: object.optional(),
  opens: z.boolean().optional(),
  phase: z.enum(['at_instruction', 'at_trigger']).optional(),
  now: ZonedTime.nullish(),
  measured_data: json.optional(),
});

const Fired = z.strictObject({
  call: Uuid,
  by: z.enum(['clock', 'event', 'threshold']),
  detail: json.optional(),
  tool: z.unknown().optional(),
  user: name.optional(),
  settings: object.optional(),
  now: ZonedTime.nullish(),
  measured_data: json.optional(),
});

const Opened = z.strictObject({
  conversation: Uuid,
  request: Uuid.optional(),
  from: z.int().nonnegative().optional(),
});

/** @throws GroundsError `preflight/input` (facts: `path`, `problems`), before any hook is asked; so do the others */
export function proposedGiven(given: ProposedCall): { proposed: Proposed; measured_data: Json } {
  checked(Call, given, []);
  const { measured_data = null, tool, segments, ...rest } = given;
  const read = { ...rest, tool: toolGiven(tool) };
  const proposed = segments === undefined ? read : { ...read, segments: segmentsGiven(segments) };
  return { proposed, measured_data };
}

export function firedGiven(given: FiredTrigger): { fired: Trigger; measured_data: Json } {
  checked(Fired, given, []);
  const { measured_data = null, tool, ...rest } = given;
  return { fired: tool === undefined ? rest : { ...rest, tool: toolGiven(tool) }, measured_data };
}

export function openedGiven<T>(given: T): T {
  checked(Opened, given, []);
  return given;
}

export function conversationGiven(conversation: string): string {
  checked(Uuid, conversation, ['conversation']);
  return conversation;
}

export function segmentsGiven(given: readonly GivenSegment[]): readonly Segment[] {
  if (!Array.isArray(given)) throw refusal([{ path: ['segments'], message: 'is not a list' }]);
  return Array.from(given as readonly GivenSegment[], (segment, index) =>
    segmentGiven(segment, ['segments', index]),
  );
}

function segmentGiven(given: GivenSegment, path: Path): Segment {
  if (isStored(given)) {
    checked(Segment, given, path);
    checked(json, given, path);
    requireTypedByUser(given, path);
    return given;
  }
  checked(Spoken, given, path);
  requireTypedByUser(given, path);
  const { body, observes } = given as Exclude<GivenSegment, Segment>;
  if (observes == null && isContent(body)) {
    const message = 'is the stored form of a text, and the rest of the stored form is missing';
    throw refusal([{ path: [...path, 'body'], message }]);
  }
  const read = observes != null && typeof body === 'string' ? structure(body) : null;
  return {
    at: given.at ?? null,
    author: given.author,
    typed: given.typed ?? false,
    origin: given.origin ?? null,
    body: { plain: read !== null && 'value' in read ? read.value : (body as Json) },
    observes:
      observes == null
        ? null
        : {
            tool: observes.tool,
            arguments: { plain: observes.arguments },
            failed: observes.failed ?? null,
            fault: read !== null && 'fault' in read ? read.fault : null,
          },
  };
}

/** What a model, a tool or a third party wrote is never typed: passed over in silence, its caller would believe that it counts. */
function requireTypedByUser({ author, typed }: GivenSegment, path: Path): void {
  if (typed !== true || author === 'user') return;
  throw refusal([
    { path: [...path, 'typed'], message: `is true of the ${author}: only what the user wrote can be typed` },
  ]);
}

/** Told by its envelope and never by what a tool returned: all members are there, and of a result `fault`. */
function isStored(given: unknown): given is Segment {
  if (!isObject(given as Json)) return false;
  const segment = given as Record<string, unknown>;
  const { observes } = segment;
  if (!Object.keys(Segment.shape).every((key) => Object.hasOwn(segment, key))) return false;
  if (observes === null) return isContent(segment.body);
  return isObject(observes as Json) && Object.hasOwn(observes as object, 'fault');
}

function isContent(body: unknown): boolean {
  if (!isObject(body as Json)) return false;
  const keys = Object.keys(body as object);
  return keys.length === 1 && (keys[0] === 'plain' || keys[0] === 'sealed');
}

export function toolGiven(given: GivenTool): ToolDeclaration {
  const path = ['tool'];
  if (given === undefined) throw refusal([{ path, message: 'is missing' }]);
  if (!isObject(given as Json)) throw refusal([{ path, message: 'is no definition of a tool' }]);
  checked(json, defined(given), path);
  // The very object, so that what the gate remembers of it holds.
  const stored = ToolDeclaration.safeParse(given);
  if (stored.success) return given as ToolDeclaration;
  const entry = defined(given) as JsonObject & { readonly server?: Json };
  const { server = DEFAULT_SERVER } = entry;
  if (typeof server !== 'string') throw refusal([{ path: [...path, 'server'], message: 'is not a text' }]);
  const tool = toolOf(entry, server);
  if (tool !== null) return tool;
  const body = isObject(entry.function) ? entry.function : entry;
  const named = typeof body.name === 'string' && body.name !== '';
  throw refusal([
    named
      ? { path, message: 'has no schema that is an object' }
      : { path: [...path, 'name'], message: body.name === undefined ? 'is missing' : 'is no name' },
  ]);
}

/** A member that is `undefined` says no less than none. */
function defined(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

type Path = readonly PropertyKey[];
interface Problem {
  readonly path: Path;
  readonly message: string;
}

/**
 * What was given, where it is of this shape.
 *
 * @param hint what to do, by the first member that is wrong
 * @throws GroundsError `preflight/input`
 */
export function checked<T>(
  shape: z.ZodType,
  given: T,
  within: Path,
  hint: (first: string | undefined) => string = hintFor,
): T {
  const read = shape.safeParse(given);
  if (read.success) return given;
  throw refusal(
    read.error.issues.map(({ path, message, code }) => ({
      path: [...within, ...path],
      message:
        code === 'custom'
          ? message
          : valueAt(given, path) === undefined
            ? 'is missing'
            : `is not as it should be: ${message}`,
    })),
    hint,
  );
}

function valueAt(given: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    given,
  );
}

/** All that is wrong in one error, and what to do about the first of it. */
function refusal(
  found: readonly Problem[],
  hint: (first: string | undefined) => string = hintFor,
): GroundsError {
  const problems = found.map(({ path, message }) => ({ path: written(path), message }));
  const first = found[0]?.path[0];
  const told = problems.map(({ path, message }) => `${path === '' ? 'what was given' : path} ${message}`);
  return new GroundsError('preflight/input', `${told.join('; ')}.`, {
    facts: { path: problems[0]?.path ?? '', problems },
    hint: hint(first === undefined ? undefined : String(first)),
  });
}

function written(path: Path): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${String(key)}`))
    .join('');
}

function hintFor(first: string | undefined): string {
  switch (first) {
    case 'conversation':
    case 'request':
    case 'call':
      return 'Ids are lower-case UUIDs: make one with randomId(), and a request with openRequest().';
    case 'segments':
      return 'Give a list of pieces: [{ author: "user", typed: true, body: "the very text" }]; a tool’s result has `observes: { tool, arguments }`.';
    case 'tool':
      return 'Give the definition as MCP lists it: { name, description, inputSchema, annotations }.';
    case 'arguments':
      return 'Give plain JSON, or the text as the model wrote it; null where nothing is proposed, and each value comes from where it was said.';
    case 'now':
      return 'Give ISO 8601 with a zone (2026-01-31T09:30:00-05:00), or leave it out: then the clock says.';
    default:
      return 'docs/preflight.md has a complete example, and says what each method takes.';
  }
}
