import { z } from 'zod';
import { Uuid } from './identity.ts';
import { Place } from './place.ts';

/** A place outside a run: its segments are those of this conversation. */
export const Said = z.strictObject({ conversation: Uuid, at: Place });
export type Said = z.infer<typeof Said>;

/**
 * Who answered, and how that is known. `user` is an opaque id, never an account or a name. `said` is the place of the
 * words, where the answer was typed into a conversation.
 */
export const Responder = z.strictObject({
  user: z.string().nullable(),
  known_by: z.enum([
    /** Typed into the conversation. */
    'typed',
    /** A field of the question's own form. */
    'form',
    /** A channel that authenticated the user for this answer. */
    'channel',
    /** Only the caller says so. */
    'caller',
  ]),
  said: Said.nullable(),
});
export type Responder = z.infer<typeof Responder>;
