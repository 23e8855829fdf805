import type { Reader } from './reader.ts';
import { typedReader } from './typed-reader.ts';
import { addressesIn } from './url.ts';

const ADDRESS =
  /(?:https?:\/\/|(?=www\.))[^ \t-\r\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f"<>`\u00ab\u00bb\u2018-\u201f\u3000-\u3011\uff08\uff09\uff0c]+/gi;
/** Nothing but what every address begins with. */
const BARE = /^(?:www\.?)?$/i;
const SCHEME = /^https?:\/\//i;

const withoutScheme = (address: string): string => address.replace(SCHEME, '');

/**
 * A web address as people write it: `www.a.example` is what a browser opens as `https://www.a.example`. So the scheme, and
 * nothing else, says nothing: host, path and query are compared exactly, and an address is never part of another.
 * Without a scheme it begins with `www.`.
 */
export const webAddress: Reader = typedReader({
  name: 'web_address',
  version: 1,
  hits: (text) => addressesIn(text, ADDRESS).filter(({ value }) => !BARE.test(withoutScheme(value))),
  same: (a, b) => typeof a === 'string' && typeof b === 'string' && withoutScheme(a) === withoutScheme(b),
});
