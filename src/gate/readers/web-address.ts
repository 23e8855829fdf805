import type { Reader } from './reader.ts';
import { cutsToken } from './tokens.ts';
import { type Hit, typedReader } from './typed-reader.ts';
import { trimmedLength } from './url.ts';

const ADDRESS =
  /(?:https?:\/\/|(?=www\.))[^ \t-\r\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f"<>`\u00ab\u00bb\u2018-\u201f\u3000-\u3011\uff08\uff09\uff0c]+/gi;
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
  hits: (text) => {
    const hits: Hit[] = [];
    for (const match of text.matchAll(ADDRESS)) {
      const start = match.index;
      const value = match[0].slice(0, trimmedLength(match[0], text.charAt(start - 1)));
      const rest = withoutScheme(value);
      if (rest === '' || /^www\.?$/i.test(rest) || cutsToken(text, start)) continue;
      hits.push({ start, end: start + value.length, value });
    }
    return hits;
  },
  same: (a, b) => typeof a === 'string' && typeof b === 'string' && withoutScheme(a) === withoutScheme(b),
});
