import { z } from 'zod';
import type { Content, Sc1 as Sealed } from './content.ts';
import type { Json } from './json.ts';

export const Sc1: z.ZodType<Sealed> = z.strictObject({
  alg: z.literal('sc1'),
  c: z.string(),
  t: z.string(),
  k: z.string(),
  type: z.string(),
});

/**
 * Any JSON. What can't be stored is refused by the encoder, once for a whole event (`makeEvent`, and every append): to walk
 * each value here as well would double the cost of reading a log.
 */
export const JsonValue: z.ZodType<Json, Json> = z
  .unknown()
  .refine((value) => value !== undefined, 'a JSON value') as z.ZodType<Json, Json>;

const sealed = z.strictObject({ sealed: Sc1 });

export const JsonContent: z.ZodType<Content<Json>> = z.union([z.strictObject({ plain: JsonValue }), sealed]);
export const TextContent: z.ZodType<Content<string>> = z.union([
  z.strictObject({ plain: z.string() }),
  sealed,
]);
