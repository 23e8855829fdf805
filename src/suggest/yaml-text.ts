import { isArray, isObject, type Json } from '../events/json.ts';

/** Text that YAML reads as that very text without quotes, also within brackets. */
const PLAIN = /^[A-Za-z/_][A-Za-z0-9/_.*-]*( [A-Za-z0-9/_.*-]+)*$/;
const NOT_TEXT = /^(true|false|null|yes|no|on|off|y|n|~|\.nan|[-+]?\.inf)$/i;

/** A scalar, list or mapping on one line of YAML. */
export function flow(value: Json): string {
  if (isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (isObject(value)) {
    const entries = Object.entries(value).map(([key, item]) => `${flow(key)}: ${flow(item)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  if (typeof value === 'string' && PLAIN.test(value) && !NOT_TEXT.test(value)) return value;
  // JSON leaves these as they are, and some readers end a line at them.
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** What a terminal or an editor would obey, and what ends a line. */
const UNSAFE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Foreign text within a comment: on one line, nothing in it but what can be seen. */
export function inComment(text: string, length = 200): string {
  const line = text
    .replace(/\s+/g, ' ')
    .replace(UNSAFE, (mark) => `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`)
    .trim();
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}

/** A line that counts for nothing until a person takes its `# ` away. */
export function guess(indent: number, text: string, why = ''): string {
  return `# ${' '.repeat(indent)}${text}${why === '' ? '' : `  ## ${inComment(why)}`}`;
}

/** A line for the reader, which stays a comment. */
export function note(indent: number, text: string): string {
  return `${' '.repeat(indent)}## ${inComment(text, 400)}`;
}

export function times(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
