/** Where a text stops being JSON (RFC 8259), or null where it is JSON. `offset` counts UTF-16 code units. */
export function jsonFault(text: string): { offset: number; expected: string } | null {
  const scan = { text, at: 0 };
  const expected = value(scan, 0) ?? nothingMore(scan);
  return expected === null ? null : { offset: scan.at, expected };
}

function nothingMore(scan: Scan): string | null {
  skip(scan);
  return scan.at < scan.text.length ? 'the end of the file' : null;
}

interface Scan {
  readonly text: string;
  at: number;
}

const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)(?![\w.+-])/y;
const SPACE = /[ \t\r\n]*/y;
const DEEPEST = 200;

/** What was expected where it stopped, or null. */
function value(scan: Scan, depth: number): string | null {
  skip(scan);
  if (depth > DEEPEST) return 'less nesting';
  const first = scan.text[scan.at];
  if (first === '{') return members(scan, '}', depth, true);
  if (first === '[') return members(scan, ']', depth, false);
  if (first === '"') return take(scan, STRING) ? null : 'a string that is closed and has only JSON escapes';
  return take(scan, SCALAR) ? null : 'a value in JSON form (strings in double quotes)';
}

function members(scan: Scan, close: string, depth: number, keyed: boolean): string | null {
  scan.at += 1;
  skip(scan);
  if (literal(scan, close)) return null;
  for (;;) {
    if (keyed) {
      skip(scan);
      if (!take(scan, STRING)) return 'a key in double quotes';
      skip(scan);
      if (!literal(scan, ':')) return '":"';
    }
    const expected = value(scan, depth + 1);
    if (expected !== null) return expected;
    skip(scan);
    if (literal(scan, close)) return null;
    if (!literal(scan, ',')) return `"," or "${close}"`;
  }
}

function literal(scan: Scan, text: string): boolean {
  if (scan.text[scan.at] !== text) return false;
  scan.at += 1;
  return true;
}

function skip(scan: Scan): void {
  take(scan, SPACE);
}

function take(scan: Scan, pattern: RegExp): boolean {
  pattern.lastIndex = scan.at;
  const found = pattern.exec(scan.text);
  if (found === null) return false;
  scan.at = pattern.lastIndex;
  return true;
}
