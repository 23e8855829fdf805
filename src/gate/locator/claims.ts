import type { Claim, Outcome } from '../../events/lookup.ts';

export const ABSENT: Outcome = { said: 'absent' };

/** A note of how often a value stands somewhere is enough; the verdict needs only a few places. RULES R8. */
const KEPT = 4;

/** The most recent places are kept: the words closest to the call are those that it most likely rests on. */
export function claim(claims: Claim[]): Outcome {
  if (claims.length === 0) return ABSENT;
  return {
    also: claims.length,
    claims: claims.length > KEPT ? claims.slice(-KEPT) : claims,
    said: 'claim',
  };
}
