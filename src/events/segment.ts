import { z } from 'zod';
import { JsonContent } from './content-schema.ts';

export const Author = z.enum(['user', 'agent', 'tool', 'hook', 'system', 'third_party']);
export type Author = z.infer<typeof Author>;

/**
 * One piece of the conversation, stored once. Author, `typed` and origin are set when it arrives, never by a model.
 * A structured tool result is stored as the value it denotes; prose is stored as the text that was received.
 */
export const Segment = z.strictObject({
  /** When the piece was said, if the source tells. */
  at: z.string().nullable(),
  author: Author,
  /** Only what the user typed can confirm an instruction. Text pasted by a harness in a user role is not typed. */
  typed: z.boolean(),
  /** Where third-party text came from; null where the author is its origin. */
  origin: z.string().nullable(),
  body: JsonContent,
  /** Of a tool's or hook's result: which call it answers. */
  observes: z
    .strictObject({
      tool: z.string(),
      arguments: JsonContent,
      /** null where the format can't tell; then a declared error form decides. */
      failed: z.boolean().nullable(),
      /** A result that could not be read exactly (a duplicate key, an inexact number): it measures nothing. */
      fault: z.string().nullable(),
    })
    .nullable(),
});
export type Segment = z.infer<typeof Segment>;
