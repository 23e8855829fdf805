import { isArray, isObject, type Json } from '../../events/json.ts';
import { type ReadContext, type Reader, readerFrom, type Span } from './reader.ts';
import { isWhole } from './tokens.ts';

const EXPONENT = /e/;

/** What is looked for in a text: a string as it is, a number in its shortest decimal form. */
export function renderingOf(value: Json): string | null {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return null;
  const shortest = String(value);
  return EXPONENT.test(shortest) ? null : shortest;
}

const isEmpty = (value: Json): boolean =>
  isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;

/** Strings, numbers, booleans, `[]` and `{}` are themselves; null and what holds leaves of its own are not text. */
export const ofText = (value: Json, _context: ReadContext): Json | undefined =>
  typeof value === 'object' && !isEmpty(value) ? undefined : value;

export function sameText(a: Json, b: Json): boolean {
  if (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null)
    return isArray(a) === isArray(b) && isEmpty(a) && isEmpty(b);
  const left = renderingOf(a);
  return left === null ? a === b : left === renderingOf(b);
}

/**
 * The exact string, whole: no prefix, suffix, case or fuzzy match, and a space is that very space. Marks of emphasis and
 * quotes around it don't matter. `""` stands nowhere. Overlapping spans are all given.
 */
export const text: Reader = readerFrom({
  name: 'text',
  version: 1,
  over: (where) => ({
    find: (value) => {
      const wanted = renderingOf(value);
      if (wanted === null || wanted === '') return [];
      const spans: Span[] = [];
      for (let start = where.indexOf(wanted); start >= 0; start = where.indexOf(wanted, start + 1)) {
        const span = { start, end: start + wanted.length };
        if (isWhole(where, span)) spans.push(span);
      }
      return spans;
    },
    scan: () => null,
    readAt: (span) => (isWhole(where, span) ? where.slice(span.start, span.end) : undefined),
  }),
  fromJson: ofText,
  same: sameText,
});
