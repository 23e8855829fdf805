import { escapeSegment, type Pointer } from '../events/pointer.ts';

/** Brackets deeper than this are refused before anything recursive sees them. */
export const MAX_DEPTH = 100;

/** Whether brackets outside strings nest deeper than `MAX_DEPTH`. Works on any text, JSON or not. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) {
      i = endOfString(text, i) - 1;
    } else if (unit === OPEN_ARRAY || unit === OPEN_OBJECT) {
      if (++depth > MAX_DEPTH) return true;
    } else if (unit === CLOSE_ARRAY || unit === CLOSE_OBJECT) depth--;
  }
  return false;
}

/**
 * Offset of the first half of a character that stands alone, raw or as a `\u` escape; -1 where there is none. JSON
 * allows it, UTF-8 and RFC 8785 don't.
 */
export function loneSurrogateIn(text: string): number {
  const raw = text.search(/[\uD800-\uDFFF]/u);
  if (raw !== -1) return raw;
  if (!/\\u[dD][89a-fA-F]/.test(text)) return -1;
  const escape = /\\(?:u([0-9a-fA-F]{4})|[^])/g;
  let high = -1;
  for (let match = escape.exec(text); match; match = escape.exec(text)) {
    const unit = Number.parseInt(match[1] ?? '0', 16);
    const isLow = unit >= 0xdc00 && unit <= 0xdfff;
    if (high !== -1 && !(isLow && match.index === high + 6)) return high;
    if (isLow && high === -1) return match.index;
    high = unit >= 0xd800 && unit <= 0xdbff ? match.index : -1;
  }
  return high;
}

/** Offsets at which the elements of a JSON array start. The text must be JSON, and an array. */
export function elementStarts(text: string): number[] {
  return [...membersOf(text, skipSpace(text, 0))].map((member) => member.start);
}

/**
 * The texts of the wanted values, by pointer. A value is looked into only where it is wanted itself, so that one walk
 * serves all. The text must be JSON; of a doubled key the last counts, as it does for the value.
 */
export function spansOf(text: string, wanted: (pointer: Pointer) => boolean): Map<Pointer, string> {
  const spans = new Map<Pointer, string>();
  const visit = (pointer: Pointer, start: number): void => {
    if (!wanted(pointer)) return;
    spans.set(pointer, text.slice(start, endOfValue(text, start)));
    for (const member of membersOf(text, start))
      visit(`${pointer}/${escapeSegment(member.name)}`, member.start);
  };
  visit('', skipSpace(text, 0));
  return spans;
}

function* membersOf(text: string, open: number): Generator<{ name: string; start: number }> {
  const isObject = text.charCodeAt(open) === OPEN_OBJECT;
  if (!isObject && text.charCodeAt(open) !== OPEN_ARRAY) return;
  let at = skipSpace(text, open + 1);
  for (let index = 0; at < text.length; index++) {
    const unit = text.charCodeAt(at);
    if (unit === CLOSE_ARRAY || unit === CLOSE_OBJECT) return;
    let name = String(index);
    if (isObject) {
      const end = endOfString(text, at);
      name = JSON.parse(text.slice(at, end)) as string;
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    yield { name, start: at };
    at = skipSpace(text, endOfValue(text, at));
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) {
      i = endOfString(text, i) - 1;
      if (depth === 0) return i + 1;
    } else if (unit === OPEN_ARRAY || unit === OPEN_OBJECT) depth++;
    else if (unit === CLOSE_ARRAY || unit === CLOSE_OBJECT) {
      if (depth === 0) return i;
      if (--depth === 0) return i + 1;
    } else if (depth === 0 && (unit === COMMA || isSpace(unit))) return i;
  }
  return text.length;
}

/** The offset after the closing quote; the end of the text where the string isn't closed. */
function endOfString(text: string, quote: number): number {
  for (let end = text.indexOf('"', quote + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
  return text.length;
}

function skipSpace(text: string, at: number): number {
  let next = at;
  while (isSpace(text.charCodeAt(next))) next++;
  return next;
}

function isSpace(unit: number): boolean {
  return unit === 32 || unit === 10 || unit === 13 || unit === 9;
}

const QUOTE = 34;
const COMMA = 44;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
