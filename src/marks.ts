/**
 * What a screen obeys instead of showing it, or shows as nothing: C1 controls, marks of direction, separators of lines, fillers and
 * tags. The C0 controls are no part of it: JSON escapes them itself, and texts have line ends. The selectors U+FE00–U+FE0F, which
 * only choose how the character before them is drawn, are none either.
 */
export const MARKS =
  /[\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]|\u034f|\u17b4|\u17b5|\u180b|\u180c|\u180d|\u180f|\udb40[\udc00-\udfff]/g;

/** Text that is JSON already, without them: what is escaped can stand in its strings only, so it says what it said. */
export function escapedJson(text: string): string {
  return text.replace(MARKS, (mark) =>
    mark.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}
