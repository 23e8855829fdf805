import { z } from 'zod';
import { Place } from './place.ts';
import { SOURCES } from './vocabulary.ts';

const Source = z.enum(SOURCES);

/** A slot, or one instance of a fact (`index`: of the element that a fact declared with `each` belongs to). */
export const Subject = z.union([
  z.strictObject({ slot: z.string() }),
  z.strictObject({ fact: z.string(), index: z.number().int().nonnegative().nullable() }),
]);
export type Subject = z.infer<typeof Subject>;

/**
 * What a lookup asks. `key` says by what a fact is keyed: each reference (a slot, `fact#/field`) with the place at which
 * its value was settled, or `typed` with null. Identity and order of a request are its canonical bytes.
 */
export const LookupRequest = z.strictObject({
  subject: Subject,
  source: Source,
  key: z.record(z.string(), Place.nullable()),
});
export type LookupRequest = z.infer<typeof LookupRequest>;

/** `at` is where the value is read; `by`, where there is one, are the words that consent to it or name it. */
export const Claim = z.strictObject({ at: Place, by: Place.optional() });
export type Claim = z.infer<typeof Claim>;

export const Outcome = z.discriminatedUnion('said', [
  /** At most four places are kept; `also` counts all that were found. */
  z.strictObject({ said: z.literal('claim'), claims: z.array(Claim).min(1), also: z.number().int() }),
  /** One who can say so said that there is none, at this place. */
  z.strictObject({ said: z.literal('nothing'), place: Place }),
  /** Looked, and there is nothing here. */
  z.strictObject({ said: z.literal('absent') }),
  /** The source has no place for this. */
  z.strictObject({ said: z.literal('no_place') }),
  /** Stale, or still running. */
  z.strictObject({ said: z.literal('unfinished') }),
  /** A code, never a message text. */
  z.strictObject({ said: z.literal('failed'), code: z.string() }),
]);
export type Outcome = z.infer<typeof Outcome>;

export const AnsweredBy = z.enum(['locator', 'log', 'hook']);
export type AnsweredBy = z.infer<typeof AnsweredBy>;

export const Lookup = z.strictObject({ request: LookupRequest, by: AnsweredBy, outcome: Outcome });
export type Lookup = z.infer<typeof Lookup>;
