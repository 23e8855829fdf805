import type { Reader } from './reader.ts';
import { cutsToken } from './tokens.ts';
import { type Hit, typedReader } from './typed-reader.ts';

const ADDRESS =
  /https?:\/\/[^ \t-\r\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f"<>`\u00ab\u00bb\u2018-\u201f\u3000-\u3011\uff08\uff09\uff0c]+/gi;
const SENTENCE_END = /[.,;:!?'*…]/;
const OPENS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** How much of it is the address, without the sentence's punctuation and brackets that were opened before it. */
function trimmedLength(address: string, before: string): number {
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

/** The addresses that a pattern begins, whole and trimmed. */
export function addressesIn(text: string, pattern: RegExp): readonly (Hit & { readonly value: string })[] {
  return [...text.matchAll(pattern)].flatMap(({ 0: found, index: start }) => {
    const value = found.slice(0, trimmedLength(found, text.charAt(start - 1)));
    return cutsToken(text, start) ? [] : [{ start, end: start + value.length, value }];
  });
}

/** An http or https address, compared exactly: no case, slash or escape is made equal to another. */
export const url: Reader = typedReader({
  name: 'url',
  version: 1,
  hits: (text) => addressesIn(text, ADDRESS).filter(({ value }) => value.length >= 'http://x'.length),
  same: (a, b) => typeof a === 'string' && a === b,
});
