import { foldedUnit, foldPhrase, matchPhrase } from './phrases.ts';
import type { Reader, Span } from './reader.ts';
import { ofText, renderingOf, sameText } from './text.ts';
import { isWhole } from './tokens.ts';

/** Text in which ASCII case doesn't matter, and runs of spaces, `_` and `-` are equal: "One Way" is `one_way`. */
export const textFold: Reader = {
  name: 'text_fold',
  version: 1,
  find: (where, value) => {
    const wanted = renderingOf(value);
    const folded = wanted === null ? '' : foldPhrase(wanted);
    const spans: Span[] = [];
    if (folded === '') return spans;
    const first = folded.charCodeAt(0);
    for (let start = 0; start < where.length; start++) {
      if (foldedUnit(where, start) !== first) continue;
      const end = matchPhrase(where, start, folded, false);
      if (end >= 0) spans.push({ start, end });
    }
    return spans;
  },
  scan: () => null,
  readAt: (where, span) => (isWhole(where, span) ? where.slice(span.start, span.end) : undefined),
  fromJson: ofText,
  same: (a, b) => {
    const left = renderingOf(a);
    const right = renderingOf(b);
    if (left === null || right === null) return sameText(a, b);
    return left === right || (foldPhrase(left) !== '' && foldPhrase(left) === foldPhrase(right));
  },
};
