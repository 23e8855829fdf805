/** C1 controls, marks of direction, line separators and invisible fillers: legal in JSON text, and orders to a terminal. */
const ORDERS = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** What JSON can't hold is told as text. */
const tellable = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

/** JSON on one line, in which nothing that a transcript wrote can move a cursor or turn the direction of text. */
export function jsonText(value: unknown): string {
  return escapedJson(JSON.stringify(value, tellable) ?? 'null');
}

/** The same of text that is JSON already: what is escaped can stand in its strings only, so it says what it said. */
export function escapedJson(text: string): string {
  return text.replace(ORDERS, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
