import { foldedUnit, foldPhrase, matchPhrase } from './phrases.ts';
import { type Reader, readerFrom, type Span } from './reader.ts';
import { ofText, renderingOf, sameText } from './text.ts';
import { isWhole } from './tokens.ts';

/** Text in which ASCII case doesn't matter, and runs of spaces, `_` and `-` are equal: "One Way" is `one_way`. */
export const textFold: Reader = readerFrom({
  name: 'text_fold',
  version: 1,
  over: (where) => {
    // A conversation's runs look for the same few words again and again.
    const known = new Map<string, readonly Span[]>();
    return {
      find: (value) => {
        const wanted = renderingOf(value);
        const folded = wanted === null ? '' : foldPhrase(wanted);
        let spans = known.get(folded);
        if (spans === undefined) {
          spans = folded === '' ? [] : spansOf(where, folded);
          known.set(folded, spans);
        }
        return spans;
      },
      scan: () => null,
      readAt: (span) => (isWhole(where, span) ? where.slice(span.start, span.end) : undefined),
    };
  },
  fromJson: ofText,
  same: (a, b) => {
    const left = renderingOf(a);
    const right = renderingOf(b);
    if (left === null || right === null) return sameText(a, b);
    return left === right || (foldPhrase(left) !== '' && foldPhrase(left) === foldPhrase(right));
  },
});

function spansOf(where: string, folded: string): Span[] {
  const spans: Span[] = [];
  const first = folded.charCodeAt(0);
  for (let start = 0; start < where.length; start++) {
    if (foldedUnit(where, start) !== first) continue;
    const end = matchPhrase(where, start, folded, false);
    if (end >= 0) spans.push({ start, end });
  }
  return spans;
}
