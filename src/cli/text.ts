import { MARKS } from '../marks.ts';

/** C0 controls but the line end. */
const CONTROLS = /[\0-\x09\x0b-\x1f]/g;

const named = (mark: string): string => `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`;

/** Foreign text, safe on a terminal: what it would obey is shown as `\u{…}`. Line ends stay. */
export function printable(text: string): string {
  return text.replace(CONTROLS, named).replace(MARKS, named);
}

/** As `printable`, on one line and cut to `length` units. */
export function oneLine(text: string, length: number): string {
  const line = printable(text.replace(/\s+/g, ' ').trim());
  return line.length <= length ? line : `${line.slice(0, Math.max(length - 1, 0))}…`;
}

/** Words on lines of at most `width` columns; a longer word stands on a line of its own. Lines of the text stay lines. */
export function wrapped(text: string, width: number, indent = ''): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, width, indent))
    .join('\n');
}

function wrapLine(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    if (line.length > indent.length && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent + word;
    } else line += line.length > indent.length ? ` ${word}` : word;
  }
  return [...lines, line].join('\n').trimEnd();
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Rows as columns, the last one ragged; numbers are given as text and stand right where `right` names their column. */
export function columns(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  }
  return rows.map((row) =>
    row
      .map((cell, i) => {
        const width = widths[i] ?? 0;
        if (right.includes(i)) return cell.padStart(width);
        return i === row.length - 1 ? cell : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
}
