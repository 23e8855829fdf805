/**
 * What a transcript wrote, made fit for a terminal: whatever could move the cursor, start an escape sequence, turn the
 * direction of the line or stand there unseen is written out. Every foreign string goes through here before it is printed.
 */
export function shown(text: string): string {
  return text.replace(UNPRINTABLE, (unit) => {
    const short = SHORT[unit];
    if (short !== undefined) return short;
    const code = unit.codePointAt(0) as number;
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** Controls, marks of direction and others that are not seen, separators of lines, half surrogate pairs. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** How many columns a terminal gives a text that `shown` has been over: wide letters take two, combining marks none. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const letter of text) columns += widthOf(letter.codePointAt(0) as number);
  return columns;
}

function widthOf(code: number): number {
  if (code < 0x300) return 1;
  if (within(code, COMBINING)) return 0;
  return within(code, WIDE) ? 2 : 1;
}

function within(code: number, ranges: readonly (readonly [number, number])[]): boolean {
  return ranges.some(([first, last]) => code >= first && code <= last);
}

const COMBINING = [
  [0x300, 0x36f],
  [0x483, 0x489],
  [0x591, 0x5bd],
  [0x610, 0x61a],
  [0x64b, 0x65f],
  [0xe31, 0xe31],
  [0xe34, 0xe3a],
  [0x1ab0, 0x1aff],
  [0x1dc0, 0x1dff],
  [0x20d0, 0x20ff],
  [0xfe00, 0xfe0f],
  [0xfe20, 0xfe2f],
] as const;

/** East Asian wide and full-width letters, and the pictures that terminals draw in two columns. */
const WIDE = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
] as const;

/** The mark of what a view left out. The JSON form leaves nothing out. */
export const CUT = '…';

/** At most so many columns: a longer text loses its middle, which `…` marks. */
export function cutMiddle(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  const letters = [...text];
  const half = (columns - 1) / 2;
  let head = '';
  let used = 0;
  for (const letter of letters) {
    const width = columnsOf(letter);
    if (used + width > Math.ceil(half)) break;
    head += letter;
    used += width;
  }
  let tail = '';
  for (let index = letters.length - 1; index >= 0; index--) {
    const letter = letters[index] as string;
    const width = columnsOf(letter);
    if (used + width > columns - 1) break;
    tail = letter + tail;
    used += width;
  }
  return `${head}${CUT}${tail}`;
}

/** Breaks at spaces; a word that is longer than a line is broken anywhere. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/ (?!·)/)) {
    let rest = word;
    if (line !== '' && columnsOf(line) + 1 + columnsOf(rest) <= columns) {
      line += ` ${rest}`;
      continue;
    }
    if (line !== '') lines.push(line.trimEnd());
    while (columnsOf(rest) > columns) {
      const head = headOf(rest, columns);
      lines.push(head);
      rest = rest.slice(head.length);
    }
    line = rest;
  }
  if (line !== '') lines.push(line.trimEnd());
  return lines;
}

function headOf(text: string, columns: number): string {
  let head = '';
  for (const letter of text) {
    if (head !== '' && columnsOf(head + letter) > columns) break;
    head += letter;
  }
  return head;
}
