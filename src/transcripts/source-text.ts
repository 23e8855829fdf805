import { escapeSegment, type Pointer } from '../events/pointer.ts';

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

/** Where the values at some pointers start. The text must be JSON. */
export function startsOf(text: string, pointers: readonly Pointer[]): Map<Pointer, number> {
  const wanted = new Set(pointers);
  const above = new Set(pointers.flatMap(ancestorsOf));
  const starts = new Map<Pointer, number>();
  const visit = (pointer: Pointer, start: number): void => {
    if (wanted.has(pointer)) starts.set(pointer, start);
    if (!above.has(pointer)) return;
    for (const member of membersOf(text, start))
      visit(`${pointer}/${escapeSegment(member.name)}`, member.start);
  };
  visit('', skipSpace(text, 0));
  return starts;
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

/** Deeper than this no call's arguments begin; the bound keeps hostile input cheap. */
const DEEPEST = 16;

/** The pointers of the values that a pointer's value lies in, the outermost (`''`) first. */
export function ancestorsOf(pointer: Pointer): Pointer[] {
  const out: Pointer[] = [];
  for (let at = pointer.indexOf('/'); at !== -1 && out.length < DEEPEST; at = pointer.indexOf('/', at + 1)) {
    out.push(pointer.slice(0, at));
  }
  return out;
}
