import type { Reader } from './reader.ts';
import { cutsToken } from './tokens.ts';
import { type Hit, typedReader } from './typed-reader.ts';

const ADDRESS =
  /https?:\/\/[^ \t-\r\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f"<>`\u00ab\u00bb\u2018-\u201f\u3000-\u3011\uff08\uff09\uff0c]+/gi;
const SENTENCE_END = /[.,;:!?'*…]/;
const OPENS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** How much of it is the address, without the sentence's punctuation and brackets that were opened before it. */
export function trimmedLength(address: string, before: string): number {
  const counts = new Map<string, number>();
  for (const mark of address) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  let end = address.length;
  for (; end > 0; end--) {
    const last = address.charAt(end - 1);
    const opens = OPENS[last];
    const loose = opens !== undefined && (counts.get(last) ?? 0) > (counts.get(opens) ?? 0);
    if (!loose && !SENTENCE_END.test(last) && !(last === '_' && before === '_')) break;
    counts.set(last, (counts.get(last) ?? 0) - 1);
  }
  return end;
}

/** An http or https address, compared exactly: no case, slash or escape is made equal to another. */
export const url: Reader = typedReader({
  name: 'url',
  version: 1,
  hits: (text) => {
    const hits: Hit[] = [];
    for (const match of text.matchAll(ADDRESS)) {
      const start = match.index;
      const value = match[0].slice(0, trimmedLength(match[0], text.charAt(start - 1)));
      if (value.length < 'http://x'.length || cutsToken(text, start)) continue;
      hits.push({ start, end: start + value.length, value });
    }
    return hits;
  },
  same: (a, b) => typeof a === 'string' && a === b,
});
