import { columnsOf, wrapped } from './shown.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

export interface Cell {
  readonly text: string;
  readonly style?: Style;
}

/** One row of a table: cells that stand in columns, and paragraphs for what remains of the line. */
export interface Row {
  readonly cells: readonly Cell[];
  readonly detail: readonly string[];
}

export interface View {
  readonly width: number;
  readonly color: boolean;
  /** What a printed command ends in, so that it reads the same log: ` --db my.db`. */
  readonly onLog?: string;
}

/** Narrower terminals have the last column under the name. */
export const NARROW = 80;
const INDENT = 2;
const GAP = 2;

export interface Room {
  /** A column is never made wider than this for one long cell; that row then breaks after it. */
  readonly widest: number;
  /** What must be left for the last column; else it goes under the name. */
  readonly least: number;
}
const ROOM: Room = { widest: 36, least: 30 };

const CODES: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
};

/** Colour only repeats what the words say. */
export function paint(text: string, style: Style | undefined, view: View): string {
  if (!view.color || style === undefined || text === '') return text;
  const [on, off] = CODES[style];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}

/** Rows in aligned columns; what follows the columns wraps in the room that is left, or under the name. */
export function table(rows: readonly Row[], view: View, room: Room = ROOM): string[] {
  const widths: number[] = [];
  for (const { cells } of rows) {
    cells.forEach(({ text }, index) => {
      const columns = columnsOf(text);
      if (columns <= room.widest) widths[index] = Math.max(widths[index] ?? 0, columns);
    });
  }
  const taken = INDENT + widths.reduce((sum, width) => sum + (width ?? 0) + GAP, 0);
  const under = view.width < NARROW || view.width - taken < room.least;
  return rows.flatMap((row) => rowLines(row, widths, taken, under, view));
}

function rowLines(row: Row, widths: readonly number[], taken: number, under: boolean, view: View): string[] {
  const head = cellLines(row.cells, widths, view);
  const start = under ? INDENT + 2 : taken;
  const room = Math.max(view.width - start, 20);
  const lines = row.detail.flatMap((paragraph) => wrapped(paragraph, room));
  if (lines.length === 0) return head.map(({ text }) => text.trimEnd());
  const out = head.map(({ text }) => text);
  const last = head.at(-1);
  const [first, ...rest] = lines as [string, ...string[]];
  if (under || last === undefined || last.columns > taken - GAP) {
    return [...out.map((text) => text.trimEnd()), ...lines.map((line) => ' '.repeat(start) + line)];
  }
  out[out.length - 1] = last.text + ' '.repeat(taken - last.columns) + first;
  return [...out, ...rest.map((line) => ' '.repeat(start) + line)];
}

/** The cells on one line; after a cell that is too long for its column, or at the edge, on the next. */
function cellLines(
  cells: readonly Cell[],
  widths: readonly number[],
  view: View,
): { text: string; columns: number }[] {
  const lines: { text: string; columns: number }[] = [];
  let text = ' '.repeat(INDENT);
  let columns = INDENT;
  let at = INDENT;
  cells.forEach((cell, index) => {
    const width = columnsOf(cell.text);
    if (columns > at || (columns > INDENT && at + width > view.width)) {
      lines.push({ text: text.trimEnd(), columns });
      const indent = columns > at && at + width <= view.width ? at : INDENT + 2;
      text = ' '.repeat(indent);
      columns = indent;
      at = indent;
    }
    text += ' '.repeat(at - columns) + paint(cell.text, cell.style, view);
    columns = at + width;
    at += (widths[index] ?? 0) + GAP;
  });
  lines.push({ text, columns });
  return lines;
}

/** A label with its paragraphs beside it. */
export function labelled(label: string, paragraphs: readonly string[], view: View, column = 12): string[] {
  const start = view.width < NARROW ? INDENT + 2 : INDENT + column;
  const room = Math.max(view.width - start, 20);
  const lines = paragraphs.flatMap((paragraph) => wrapped(paragraph, room));
  const name = ' '.repeat(INDENT) + paint(label, 'dim', view);
  if (view.width < NARROW) {
    const short = view.width - INDENT - column;
    if (lines.length === 1 && columnsOf(lines[0] as string) <= short) {
      return [name + ' '.repeat(column - columnsOf(label)) + (lines[0] as string)];
    }
    return [name, ...lines.map((line) => ' '.repeat(start) + line)];
  }
  const [first = '', ...rest] = lines;
  return [
    name + ' '.repeat(Math.max(column - columnsOf(label), 1)) + first,
    ...rest.map((line) => ' '.repeat(start) + line),
  ];
}
