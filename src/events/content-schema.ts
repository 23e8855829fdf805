import { z } from 'zod';
import { isGroundsError } from '../errors.ts';
import { encode } from './canonical.ts';
import type { Content, Sc1 as Sealed } from './content.ts';
import type { Json } from './json.ts';
import { segmentsOf } from './pointer.ts';

export const Sc1: z.ZodType<Sealed> = z.strictObject({
  alg: z.literal('sc1'),
  c: z.string(),
  t: z.string(),
  k: z.string(),
  type: z.string(),
});

/** Any JSON, held to what the canonical encoder takes: anything else could not be stored. */
export const JsonValue: z.ZodType<Json, Json> = z.unknown().superRefine((value, context) => {
  try {
    encode(value);
  } catch (error) {
    if (!isGroundsError(error)) throw error;
    context.addIssue({
      code: 'custom',
      message: String(error.facts.reason),
      path: [...segmentsOf(String(error.facts.pointer))],
    });
  }
}) as unknown as z.ZodType<Json, Json>;

const sealed = z.strictObject({ sealed: Sc1 });

export const JsonContent: z.ZodType<Content<Json>> = z.union([z.strictObject({ plain: JsonValue }), sealed]);
export const TextContent: z.ZodType<Content<string>> = z.union([
  z.strictObject({ plain: z.string() }),
  sealed,
]);
