import { z } from 'zod';

/**
 * A claim is a place, never a value: everything a verdict rests on points into something the log holds.
 * `segment` and `entry` are indexes into the run's own lists, so that the same run under other ids has the same bytes.
 */
export const TextPlace = z.strictObject({
  in: z.literal('text'),
  segment: z.number().int().nonnegative(),
  /** UTF-16 code units, half-open. */
  start: z.number().int().nonnegative(),
  end: z.number().int().nonnegative(),
});

export const JsonPlace = z.strictObject({
  in: z.literal('json'),
  segment: z.number().int().nonnegative(),
  of: z.enum(['arguments', 'result']),
  pointer: z.string(),
});

export const EntryPlace = z.strictObject({
  in: z.literal('entry'),
  entry: z.number().int().nonnegative(),
  pointer: z.string(),
});

export const Place = z.discriminatedUnion('in', [TextPlace, JsonPlace, EntryPlace]);

export type TextPlace = z.infer<typeof TextPlace>;
export type JsonPlace = z.infer<typeof JsonPlace>;
export type EntryPlace = z.infer<typeof EntryPlace>;
export type Place = z.infer<typeof Place>;
