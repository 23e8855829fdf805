import { escapedJson } from '../marks.ts';

/** What JSON can't hold is told as text. */
const tellable = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

/** JSON on one line, in which nothing that a transcript wrote can move a cursor or turn the direction of text. */
export function jsonText(value: unknown): string {
  return escapedJson(JSON.stringify(value, tellable) ?? 'null');
}
