import { z } from 'zod';
import { JsonContent } from './content-schema.ts';
import { Responder } from './responder.ts';
import { Satisfies } from './satisfies.ts';

/**
 * `setting/<user>/<name>`: what a user settled earlier, with consent; the newest event is what holds, and an executor
 * sees a revocation through the commit's read set. The user stands in the stream as an opaque id.
 */
export const SETTING_EVENTS = {
  SettingStored: z.strictObject({
    value: JsonContent,
    /** Settled that there is none. */
    none: z.boolean(),
    /** The user who settled it, and how that is known. */
    consent: Responder,
    /** The standing ranges that come with it (R9). */
    satisfies: z.array(Satisfies),
  }),
  SettingRevoked: z.strictObject({ by: Responder }),
};
