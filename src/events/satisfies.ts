import { z } from 'zod';
import { Digest } from './verdict.ts';

/** A standing range (R9): it may satisfy this [Verify] slot of this tool, within this expression over `args` and `now`. */
export const Satisfies = z.strictObject({ tool: Digest, slot: z.string(), within: z.string() });
export type Satisfies = z.infer<typeof Satisfies>;
