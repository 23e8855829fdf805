import { z } from 'zod';
import { JsonValue } from '../events/content-schema.ts';
import { Uuid, ZonedTime } from '../events/identity.ts';
import type { Json } from '../events/json.ts';
import { Author } from '../events/segment.ts';

/** The key in a `tools/call` request's `_meta` under which a host tells what the call comes from. It never reaches the server. */
export const CONTEXT_KEY = 'grounds/context';
/** The key under which a server gets the id of the start, so that it can recognise a call that comes twice. */
export const IDEMPOTENCY_KEY = 'grounds/idempotency-key';

const HostSegment = z
  .strictObject({
    author: Author.exclude(['hook']),
    typed: z
      .boolean()
      .default(false)
      .describe('The user typed it. Only the host can say so, and only of what its user typed.'),
    body: z.union([z.string(), JsonValue]).describe('The text, or a structured result as it is'),
    at: z.iso
      .datetime({ offset: true })
      .nullable()
      .default(null)
      .describe('When it was said: ISO 8601 with a zone. Relative dates are read against it.'),
    origin: z.string().nullable().default(null).describe('Where third-party text came from'),
    observes: z
      .strictObject({
        tool: z.string().min(1),
        arguments: JsonValue,
        failed: z.boolean().default(false),
      })
      .nullable()
      .default(null)
      .describe('Of a result: the call that it answers'),
  })
  .refine(({ typed, author }) => !typed || author === 'user', {
    message: 'only what the user wrote can be typed',
    path: ['typed'],
  });

export const HostContext = z
  .strictObject({
    conversation: z
      .string()
      .min(1)
      .optional()
      .describe("The host's own name of the conversation; opaque in the log. Left out: the session's own"),
    request: z
      .string()
      .min(1)
      .optional()
      .describe("The host's own name of what the user asked for. A name that is new opens a request."),
    new_request: z
      .literal(true)
      .optional()
      .describe('The user asks for something new: opens a request without a name'),
    call: Uuid.optional().describe(
      'An earlier call of this request, from a refusal: it is judged again, its answers are kept',
    ),
    user: z.string().min(1).optional().describe("The host's own id of the user; opaque in the log"),
    now: ZonedTime.optional().describe('What time it is; left out: the clock of the gate'),
    segments: z.array(HostSegment).default([]).describe('What is new of the conversation, in order'),
    segments_from: z
      .number()
      .int()
      .nonnegative()
      .optional()
      .describe(
        'How many segments the host brought before the first of these. What was brought before is compared and not added again. Left out: all are new.',
      ),
  })
  .refine(({ request, new_request }) => request === undefined || new_request === undefined, {
    message: 'a request has a name or is new without one, not both',
    path: ['new_request'],
  })
  .meta({ title: 'Grounds context: _meta["grounds/context"] of a tools/call request' });

export type HostContext = z.output<typeof HostContext>;
export type HostSegment = HostContext['segments'][number];

/** The published schema of the key. */
export function contextSchema(): unknown {
  return z.toJSONSchema(HostContext, { io: 'input' });
}

/** What a host said under the key; `problem` where it can't be used. Nothing said is an empty context: nothing was typed. */
export function contextOf(
  meta: { readonly [key: string]: unknown } | undefined,
):
  | { readonly context: HostContext; readonly problem: null }
  | { readonly context: null; readonly problem: Json } {
  const read = HostContext.safeParse(meta?.[CONTEXT_KEY] ?? {});
  if (read.success) return { context: read.data, problem: null };
  const issues = read.error.issues.map(({ path, message }) => ({ path: path.map(String), message }));
  return { context: null, problem: { grounds: { context: issues } } };
}

/** The rest of a request's `_meta`: what the server may see. */
export function withoutContext(
  meta: { readonly [key: string]: unknown } | undefined,
): { [key: string]: unknown } | undefined {
  if (meta === undefined) return undefined;
  const { [CONTEXT_KEY]: _, ...rest } = meta;
  return Object.keys(rest).length === 0 ? undefined : rest;
}
