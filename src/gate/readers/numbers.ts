import { canonicalDecimal, shiftDecimal } from './decimal-text.ts';
import { MONTH_NAMES, monthOf } from './month-names.ts';
import { NUMBER_WORDS, numberWordsAt, scaleAfter, wordBefore, wordEnd } from './number-words.ts';
import type { Span } from './reader.ts';
import { isScaled } from './scale-words.ts';
import { cutsToken, foldAscii, isCjk, isDigit, isLetter, isSpace, tokenBefore } from './tokens.ts';

/**
 * Numbers in text, each read whole or not at all. Not numbers: what is glued to letters or to other digits (identifiers,
 * dates, times, phone numbers, ranges), percentages, parts of a date in words, digits in groups without commas
 * ("4111 1111", "1 500"), leading zeros (`02134`), the numbers of a list's items ("2. Economy"), and an amount that the
 * next word changes ("2 dozen", "two point five").
 * Groups are commas with exactly three digits; the point is decimal. RULES R8.
 */
export interface Amount extends Span {
  /** Canonical decimal text. */
  readonly decimal: string;
  /** The number alone, where the span holds more. */
  readonly inner?: Span;
}

export interface NumberHit extends Amount {
  /** A German reader would read "1.500" as 1500: for those who count or pay it is ambiguous. */
  readonly ambiguous: boolean;
}

const GROUPED = /^(?:0|[1-9][0-9]*|[1-9][0-9]{0,2}(?:,[0-9]{3})+)(?:\.[0-9]+)?$/;
const EITHER = /^[1-9][0-9]{0,2}\.[0-9]{3}$/;
/** Words after a number that make it another amount, or no amount; beside those that multiply it. */
const CHANGING: ReadonlySet<string> = new Set('percent pct point half am pm x times'.split(' '));
const ORDINALS: ReadonlySet<string> = new Set(
  'first second third fourth fifth sixth seventh eighth ninth'.split(' '),
);
const HALF = /^ +and +a +(?:half|quarter|third)/i;
const CLOCK = /^ *(?:[ap]\.m\b|o['\u2019]clock|per +cent|%|\u2030)/i;
const MONTH_BEFORE = new RegExp(
  `(?:^|[^a-z])(?:${MONTH_NAMES})\\.? +(?:the +)?(?:[0-9]{1,2}(?:st|nd|rd|th)?,? +)?$`,
  'i',
);
const MONTH_AFTER = new RegExp(`^ +(?:of +)?(?:${MONTH_NAMES})(?![a-z])`, 'i');
const DATE_UNITS: ReadonlySet<string> = new Set('年月日년월일時时시分분点點時号第제'.split(''));
const CJK_NUMERALS: ReadonlySet<string> = new Set('一二三四五六七八九'.split(''));
const CJK_ZEROS: ReadonlyMap<string, number> = new Map([
  ...[...'십十'].map((unit): [string, number] => [unit, 1]),
  ...[...'백百'].map((unit): [string, number] => [unit, 2]),
  ...[...'천千'].map((unit): [string, number] => [unit, 3]),
  ...[...'만万萬'].map((unit): [string, number] => [unit, 4]),
  ...[...'억亿億'].map((unit): [string, number] => [unit, 8]),
]);

/** One space of any kind between digits, as in "1 500": then neither part is a number. */
const joinsDigits = (text: string, space: number): boolean =>
  isSpace(text.charCodeAt(space)) && text.charCodeAt(space) !== 10 && text.charCodeAt(space) !== 13;

/** Whether what follows a number makes it another. `round`: after it an ordinal would go on ("twenty first"). */
function changedAfter(text: string, at: number, round: boolean): boolean {
  if (isScaled(text, at)) return true;
  if (!joinsDigits(text, at)) return false;
  if (isDigit(text.charCodeAt(at + 1))) return true;
  let start = at;
  while (isSpace(text.charCodeAt(start))) start++;
  const next = text.charCodeAt(start);
  if (next === 37) return true;
  if (!isLetter(next)) return false;
  const word = foldAscii(text.slice(start, wordEnd(text, start)));
  if (CHANGING.has(word) || (round && ORDINALS.has(word))) return true;
  const ahead = text.slice(at, at + 24);
  if (word === 'and') return HALF.test(ahead);
  return monthOf(word) > 0 || word === 'of' ? MONTH_AFTER.test(ahead) : CLOCK.test(ahead);
}

function changedBefore(text: string, at: number): boolean {
  const space = at - 1;
  if (joinsDigits(text, space)) {
    const unit = text.charCodeAt(space - 1);
    const outer = text.charCodeAt(space - 2);
    if (isDigit(unit) || (unit === 41 && isDigit(outer))) return true;
    if (CJK_ZEROS.has(text.charAt(space - 1)) && (isDigit(outer) || CJK_ZEROS.has(text.charAt(space - 2))))
      return true;
    const { word } = wordBefore(text, at);
    if (word === 'point') return true;
    const near = word === '' || word.length === 2 || word === 'the' || monthOf(word) > 0;
    return near && MONTH_BEFORE.test(text.slice(at < 26 ? 0 : at - 26, at));
  }
  const opened = text.charCodeAt(space) === 40;
  return opened && /^\([0-9]+\) ?[0-9]/.test(text.slice(space, space + 24));
}

/** Sign and leading point belong to the number; undefined where the digits are glued to something before them. */
function beginning(
  text: string,
  at: number,
): { start: number; negative: boolean; point: boolean } | undefined {
  let start = at;
  let unit = text.charCodeAt(start - 1);
  const point = unit === 46;
  if (point) unit = text.charCodeAt(--start - 1);
  const signed = unit === 45 || unit === 43 || unit === 0x2212;
  if (signed) start--;
  const negative = signed && unit !== 43;
  if (signed || point) {
    const outer = text.charCodeAt(start - 1);
    const glued = outer === 41 || outer === 45 || outer === 43 || outer === 46 || outer === 95;
    return glued || tokenBefore(text, start) || cutsToken(text, start)
      ? undefined
      : { start, negative, point };
  }
  const before = text.charAt(start - 1);
  if (isCjk(unit)) {
    const counts = CJK_NUMERALS.has(before) || CJK_ZEROS.has(before) || before === '第' || before === '제';
    return counts ? undefined : { start, negative, point };
  }
  return cutsToken(text, start) ? undefined : { start, negative, point };
}

/** "50만", "1억5천": units of ten thousand and others, written on. null: no amount. */
function cjkAmount(text: string, at: number, digits: string): { decimal: string; end: number } | null {
  let total = 0;
  let below = Number.MAX_SAFE_INTEGER;
  let end = at;
  let part = digits;
  for (;;) {
    let unit = 1;
    for (
      let zeros = CJK_ZEROS.get(text.charAt(end));
      zeros !== undefined;
      zeros = CJK_ZEROS.get(text.charAt(end))
    ) {
      for (let i = 0; i < zeros; i++) unit *= 10;
      end++;
    }
    const amount = Number(part) * unit;
    if (!/^[0-9]+$/.test(part) || amount >= below || !Number.isSafeInteger(total + amount)) return null;
    total += amount;
    below = unit;
    if (unit === 1 || !isDigit(text.charCodeAt(end))) break;
    const start = end;
    while (isDigit(text.charCodeAt(end))) end++;
    part = text.slice(start, end);
  }
  const spaced = below > 1 && joinsDigits(text, end) && isDigit(text.charCodeAt(end + 1));
  return spaced ? null : { decimal: String(total), end };
}

/** The hit whose digits stand from `at` to `stop`; null if they are no number. */
function numberOf(text: string, at: number, stop: number): NumberHit | null {
  const raw = text.slice(at, stop);
  const begin = beginning(text, at);
  if (begin === undefined || changedBefore(text, begin.start)) return null;
  const literal = begin.point ? `0.${raw}` : raw;
  if (begin.point ? !/^[0-9]+$/.test(raw) : !GROUPED.test(raw)) return null;
  let end = stop;
  let decimal = literal.split(',').join('');
  if (isCjk(text.charCodeAt(stop))) {
    if (DATE_UNITS.has(text.charAt(stop))) return null;
    if (CJK_ZEROS.has(text.charAt(stop))) {
      const amount = cjkAmount(text, stop, decimal);
      if (amount === null) return null;
      ({ decimal, end } = amount);
    }
  } else if (cutsToken(text, stop)) return null;
  const scale = scaleAfter(text, end);
  if (scale.zeros > 0) {
    end = scale.end;
    if (cutsToken(text, end) || goesOn(text, end)) return null;
  }
  if (changedAfter(text, end, false) || marksItem(text, begin.start, end)) return null;
  const canonical = canonicalDecimal(begin.negative ? `-${decimal}` : decimal);
  if (canonical === null) return null;
  return {
    start: begin.start,
    end,
    decimal: shiftDecimal(canonical, scale.zeros),
    ambiguous: EITHER.test(raw) && scale.zeros === 0,
  };
}

/** "2. Economy", "- **3)** no bags": the number counts the item of a list, and says nothing of an amount. */
function marksItem(text: string, start: number, end: number): boolean {
  const mark = text.charCodeAt(end);
  if (mark !== 46 && mark !== 41) return false;
  const after = text.slice(end + 1, end + 4);
  if (!/^[*_]{0,2}[ \t]/.test(after)) return false;
  let line = start;
  while (line > 0 && MARGIN.includes(text.charAt(line - 1))) line--;
  return line === 0 || text.charCodeAt(line - 1) === 10 || text.charCodeAt(line - 1) === 13;
}

/** What may stand between a line's beginning and the number of an item. */
const MARGIN = ' \t>*_#-';

/** After "3 thousand": another part of the same number, which is not put together here. */
function goesOn(text: string, at: number): boolean {
  const rest = text.slice(at, at + 24);
  const next = /^ +(?:and +)?(?=[0-9a-z])/i.exec(rest);
  if (next === null) return false;
  const start = at + next[0].length;
  return isDigit(text.charCodeAt(start)) || numberWordsAt(text, start) !== null;
}

/** Where a number may begin: `lastIndex` is set before each use, so nothing is carried from one text to another. */
const BEGINS = new RegExp(`[0-9]|(?<![a-z])(?:${NUMBER_WORDS.join('|')})(?![a-z])`, 'gi');

function nextBeginning(text: string, from: number): number {
  BEGINS.lastIndex = from;
  return BEGINS.exec(text)?.index ?? text.length;
}

export function scanNumbers(text: string): readonly NumberHit[] {
  const hits: NumberHit[] = [];
  for (let i = nextBeginning(text, 0); i < text.length; ) {
    const said = isDigit(text.charCodeAt(i)) ? null : numberWordsAt(text, i);
    if (said === null) {
      const stop = digitsEnd(text, i);
      const hit = numberOf(text, i, stop);
      if (hit !== null) hits.push(hit);
      i = nextBeginning(text, hit === null ? stop : hit.end);
    } else {
      const { start, end, value, round } = said;
      const whole = value !== null && !cutsToken(text, start) && !cutsToken(text, end);
      if (whole && !changedAfter(text, end, round) && !changedBefore(text, start))
        hits.push({ start, end, decimal: String(value), ambiguous: false });
      const digits = joinsDigits(text, end) && isDigit(text.charCodeAt(end + 1));
      i = nextBeginning(text, digits ? digitsEnd(text, end + 1) : end);
    }
  }
  return hits;
}

/** Digits with the points and commas between them: one number, or none. */
function digitsEnd(text: string, at: number): number {
  let i = at;
  for (;;) {
    while (isDigit(text.charCodeAt(i))) i++;
    const unit = text.charCodeAt(i);
    if ((unit !== 44 && unit !== 46) || !isDigit(text.charCodeAt(i + 1))) return i;
    i++;
  }
}
