import { z } from 'zod';
import type { Json } from './json.ts';

/**
 * Wherever a person's data can stand. A sealed value keeps only a salted commitment and an equality tag in the hashed
 * bytes; the ciphertext lies outside them, so that erasing it changes nothing that is hashed.
 */
export const Sc1 = z.strictObject({
  alg: z.literal('sc1'),
  c: z.string(),
  t: z.string(),
  k: z.string(),
  type: z.string(),
});
export type Sc1 = z.infer<typeof Sc1>;

export type Content<T = Json> = { readonly plain: T } | { readonly sealed: Sc1 };

export const JsonValue: z.ZodType<Json> = z.json() as z.ZodType<Json>;
const sealed = z.strictObject({ sealed: Sc1 });

export const JsonContent: z.ZodType<Content<Json>> = z.union([z.strictObject({ plain: JsonValue }), sealed]);
export const TextContent: z.ZodType<Content<string>> = z.union([
  z.strictObject({ plain: z.string() }),
  sealed,
]);
