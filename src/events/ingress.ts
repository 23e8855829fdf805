import type { Json } from './json.ts';
import { escapeSegment } from './pointer.ts';

/** Where a received text says something that a JSON value can't hold exactly. Line and column count from 1. */
export interface IngressFault {
  readonly code: string;
  readonly pointer: string;
  readonly lexeme: string;
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

export function parseExact(text: string): { value: Json } | { fault: IngressFault } {
  const marked = parseMarked(text);
  if ('fault' in marked) return marked;
  const [first] = marked.faults;
  return first ? { fault: first } : { value: marked.value };
}

/** Keeps going over duplicate keys and inexact numbers, and marks them. */
export function parseMarked(text: string): { value: Json; faults: IngressFault[] } | { fault: IngressFault } {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    const position = /position (\d+)/.exec(String(error))?.[1];
    return { fault: faultAt(text, 'not_json', '', position ? Number(position) : text.length, 1) };
  }
  return { value, faults: marks(text) };
}

/** The text is known to be JSON, so one pass over its tokens is enough. */
function marks(text: string): IngressFault[] {
  const faults: IngressFault[] = [];
  const stack: { pointer: string; keys: Set<string> | null; key: string; index: number }[] = [];
  const token = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*|[[\]{},]/g;
  for (let m = token.exec(text); m; m = token.exec(text)) {
    const [lexeme, colon] = m;
    const top = stack.at(-1);
    const here = top ? `${top.pointer}/${top.keys ? escapeSegment(top.key) : top.index}` : '';
    if (lexeme === '{' || lexeme === '[') {
      stack.push({ pointer: here, keys: lexeme === '{' ? new Set() : null, key: '', index: 0 });
    } else if (lexeme === '}' || lexeme === ']') stack.pop();
    else if (lexeme === ',' && top) top.index++;
    else if (colon !== undefined && top?.keys) {
      const quoted = lexeme.slice(0, lexeme.lastIndexOf('"') + 1);
      top.key = JSON.parse(quoted) as string;
      const pointer = `${top.pointer}/${escapeSegment(top.key)}`;
      if (top.keys.has(top.key)) faults.push(faultAt(text, 'duplicate_key', pointer, m.index, quoted.length));
      top.keys.add(top.key);
    } else if (/^[-\d]/.test(lexeme) && decimal(lexeme) !== decimal(String(Number(lexeme)))) {
      faults.push(faultAt(text, 'inexact_number', here, m.index, lexeme.length));
    }
  }
  return faults;
}

function decimal(lexeme: string): string {
  const [, sign = '', whole = '', part = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(lexeme) ?? [];
  const digits = (whole + part).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  if (kept === '') return whole === '' ? lexeme : '0';
  return `${sign}${kept}e${BigInt(power) - BigInt(part.length) + BigInt(digits.length - kept.length)}`;
}

function faultAt(text: string, code: string, pointer: string, offset: number, length: number): IngressFault {
  const lines = text.slice(0, offset).split('\n');
  const column = (lines.at(-1)?.length ?? 0) + 1;
  return { code, pointer, lexeme: text.slice(offset, offset + length), line: lines.length, column, offset };
}
