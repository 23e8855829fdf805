import type { Span } from './reader.ts';

/**
 * Where a token may end. A token character is an ASCII letter or digit, or any code unit from 0x80 up that is not in the
 * explicit list below: no Unicode tables, which change between releases of the engine. So a run of CJK letters is one
 * token, and an identifier that touches one (`HAT136을`) is not exact; numbers have a boundary of their own.
 * A cut is a property of the text and a position alone, never of the value looked for. RULES R8.
 */

export const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;
export const isLetter = (unit: number): boolean => (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90);
const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** ASCII only, on purpose: other case pairs differ between languages and releases. */
export const foldUnit = (unit: number): number => (unit >= 65 && unit <= 90 ? unit + 32 : unit);

const UPPER = /[A-Z]/;

export function foldAscii(text: string): string {
  if (!UPPER.test(text)) return text;
  let out = '';
  for (let i = 0; i < text.length; i++) out += String.fromCharCode(foldUnit(text.charCodeAt(i)));
  return out;
}

/** Inclusive ranges of spaces, marks and symbols from 0x80 up that stand between words. */
const MARKS: readonly (readonly [number, number])[] = [
  [0x85, 0x85],
  [0xa0, 0xa5], // NBSP ¡ ¢ £ ¤ ¥
  [0xa7, 0xa7],
  [0xab, 0xab],
  [0xb6, 0xb7],
  [0xbb, 0xbb],
  [0xbf, 0xbf],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2010, 0x2022], // dashes, quotes, bullets
  [0x2026, 0x2029],
  [0x202f, 0x202f],
  [0x2039, 0x203d],
  [0x205f, 0x205f],
  [0x20a0, 0x20bf], // currency
  [0x2190, 0x21ff], // arrows
  [0x2212, 0x2212], // minus
  [0x2500, 0x27bf], // lines, shapes, signs
  [0x3000, 0x3003],
  [0x3008, 0x3011],
  [0x3014, 0x301f],
  [0xff01, 0xff01],
  [0xff08, 0xff09],
  [0xff0c, 0xff0c],
  [0xff1a, 0xff1b],
  [0xff1f, 0xff1f],
  [0xff3b, 0xff3b],
  [0xff3d, 0xff3d],
  [0xff5b, 0xff5b],
  [0xff5d, 0xff5d],
  [0xff5f, 0xff65],
  [0xffe0, 0xffe6],
];

function isMark(unit: number): boolean {
  for (const [low, high] of MARKS) {
    if (unit < low) return false;
    if (unit <= high) return true;
  }
  return false;
}

/** One code unit; half of an emoji counts as a token character here, see `tokenBefore` and `tokenAt`. */
export function isToken(unit: number): boolean {
  if (unit < 0x80) return isLetter(unit) || isDigit(unit);
  return unit >= 0x80 && !isMark(unit);
}

/** The planes of pictures, U+1F000 to U+1FBFF: a picture is no part of a word. */
const isPicture = (high: number): boolean => high >= 0xd83c && high <= 0xd83e;

export function tokenAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return isToken(unit) && !isPicture(unit);
}

export function tokenBefore(text: string, at: number): boolean {
  const unit = text.charCodeAt(at - 1);
  if (!isToken(unit)) return false;
  return !(isLow(unit) && isPicture(text.charCodeAt(at - 2)));
}

/** Kana, ideographs and Hangul: numbers are written into them without a space. */
export const isCjk = (unit: number): boolean =>
  (unit >= 0x3040 && unit <= 0x30ff) ||
  (unit >= 0x3400 && unit <= 0x4dbf) ||
  (unit >= 0x4e00 && unit <= 0x9fff) ||
  (unit >= 0xac00 && unit <= 0xd7a3) ||
  (unit >= 0xf900 && unit <= 0xfaff);

export const isSpace = (unit: number): boolean =>
  unit === 32 ||
  (unit >= 9 && unit <= 13) ||
  unit === 0x85 ||
  unit === 0xa0 ||
  unit === 0x1680 ||
  (unit >= 0x2000 && unit <= 0x200a) ||
  unit === 0x2028 ||
  unit === 0x2029 ||
  unit === 0x202f ||
  unit === 0x205f ||
  unit === 0x3000;

const units = (text: string): ReadonlySet<number> =>
  new Set(text.split('').map((mark) => mark.charCodeAt(0)));
/** Between two token characters, also several in a row, these make one token of them. */
const GLUE = units('_-./\\&+?~%@#\u2010\u2011\u2212');
/** These belong to what follows them, whatever stands before: `#W1`, `@ann`, `/etc`. */
const PREFIX = units('#@/');
/** Before a digit these are part of the number. */
const SIGN = units('-+.\u2212');
/** Between two digits these are structure: `1,500`, `10:30`, `5*3`, `10–20`. */
const IN_NUMBER = units(',:*\u2013');
const APOSTROPHE = units("'\u2019");

/** A longer run of glue than this is taken as glued: fail closed, and no quadratic time. */
const LONGEST_RUN = 64;

function gluedAfter(text: string, at: number): boolean {
  let i = at;
  while (GLUE.has(text.charCodeAt(i))) if (++i - at > LONGEST_RUN) return true;
  return tokenAt(text, i);
}

function gluedBefore(text: string, at: number): boolean {
  let i = at;
  while (GLUE.has(text.charCodeAt(i - 1))) if (at - --i > LONGEST_RUN) return true;
  return tokenBefore(text, i);
}

function cutsAfterToken(text: string, at: number, left: number, right: number): boolean {
  if (APOSTROPHE.has(right)) {
    const possessive = foldUnit(text.charCodeAt(at + 1)) === 115 && !tokenAt(text, at + 2);
    return tokenAt(text, at + 1) && !possessive;
  }
  if (right === 35 || right === 43) return true; // C#, A+
  if (right === 37 && isDigit(left)) return true; // 50%
  if (IN_NUMBER.has(right)) return isDigit(left) && isDigit(text.charCodeAt(at + 1));
  return GLUE.has(right) && gluedAfter(text, at);
}

function cutsBeforeToken(text: string, at: number, left: number, right: number): boolean {
  if (APOSTROPHE.has(left)) return tokenBefore(text, at - 1);
  if (PREFIX.has(left)) return true;
  if (SIGN.has(left) && isDigit(right)) return true;
  if (left === 36) return isLetter(right); // $name
  if (IN_NUMBER.has(left)) return isDigit(right) && isDigit(text.charCodeAt(at - 2));
  return GLUE.has(left) && gluedBefore(text, at);
}

/** Whether an edge of a span at this position would cut a token, or a surrogate pair. */
export function cutsToken(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  const left = text.charCodeAt(at - 1);
  const right = text.charCodeAt(at);
  if (isHigh(left) && isLow(right)) return true;
  const after = tokenBefore(text, at);
  const before = tokenAt(text, at);
  if (after) return before || cutsAfterToken(text, at, left, right);
  if (before) return cutsBeforeToken(text, at, left, right);
  return GLUE.has(left) && GLUE.has(right) && gluedBefore(text, at) && gluedAfter(text, at);
}

/** A non-empty span within the text whose edges cut nothing. */
export function isWhole(text: string, span: Span): boolean {
  const { start, end } = span;
  return (
    Number.isInteger(start) &&
    Number.isInteger(end) &&
    start >= 0 &&
    start < end &&
    end <= text.length &&
    !cutsToken(text, start) &&
    !cutsToken(text, end)
  );
}
