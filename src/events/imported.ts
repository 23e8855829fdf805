import { z } from 'zod';
import { JsonContent } from './content-schema.ts';
import { Origin } from './run.ts';

/**
 * A record that another gate wrote, kept as it was: no verdict of ours, and nothing that a run may rest on. It stands alone
 * in its call's stream, since it does not say which call it is of.
 */
export const RecordImported = z.strictObject({
  /** As the record itself says it. */
  schema_version: z.string(),
  record: JsonContent,
  /** `message` is its index where the file is an array, else 0. */
  origin: Origin,
});
export type RecordImported = z.infer<typeof RecordImported>;
