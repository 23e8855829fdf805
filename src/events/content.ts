import { GroundsError } from '../errors.ts';
import type { Json } from './json.ts';

/**
 * What stands for a sealed value in the hashed bytes: a salted commitment `c` and an equality tag `t` (hex), the id `k`
 * of the key, and the type the tag was made for. The ciphertext lies outside them, so that erasing it changes nothing
 * that is hashed.
 */
export interface Sc1 {
  readonly alg: 'sc1';
  readonly c: string;
  readonly t: string;
  readonly k: string;
  readonly type: string;
}

/** Wherever a person's data can stand. */
export type Content<T = Json> = { readonly plain: T } | { readonly sealed: Sc1 };

/**
 * The value itself.
 *
 * @throws GroundsError `events/sealed` where it is sealed: open it first, with its key.
 */
export function plainOf<T>(content: Content<T>): T {
  if ('plain' in content) return content.plain;
  throw new GroundsError('events/sealed', 'This value is sealed.', {
    facts: { key: content.sealed.k, type: content.sealed.type },
    hint: 'Open the event with the key that sealed it; once that key is erased, only equality can be checked.',
  });
}
