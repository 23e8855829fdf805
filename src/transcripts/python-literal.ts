import type { IngressFaultCode } from '../events/ingress.ts';
import { isArray, isObject, isWellFormed, type Json } from '../events/json.ts';
import { isExactNumber } from '../events/number-lexeme.ts';
import type { Structure } from './structured.ts';

/** Deeper than this is too deep, as for JSON. */
const DEEPEST = 256;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]*)?(?:[eE][+-]?[0-9]+)?/y;
const WORDS: readonly (readonly [string, Json])[] = [
  ['True', true],
  ['False', false],
  ['None', null],
];
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
};
const CODES: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Thrown inside only: this is no literal that is read here. */
const NOT_ONE = Symbol('not a literal');

/**
 * What `repr` writes of a Python dict, list or tuple (which becomes an array): texts, numbers, True, False, None in it,
 * keys that are texts. All else is not one and stays text: sets, bytes, calls such as datetime(…), nan and inf, keys
 * that are no texts (JSON has no others), joined strings. Equal keys, inexact numbers and halves of characters are faults.
 */
export function pythonLiteral(text: string): Structure {
  let i = 0;
  let fault: IngressFaultCode | null = null;

  const skipSpace = () => {
    while (' \t\r\n'.includes(text[i] ?? 'x')) i++;
  };
  const fail = (): never => {
    throw NOT_ONE;
  };
  const take = (unit: string): boolean => {
    skipSpace();
    if (text[i] !== unit) return false;
    i++;
    return true;
  };

  function string(): string {
    const quote = text[i++];
    let out = '';
    let from = i;
    for (;;) {
      const unit = text[i];
      if (unit === undefined || unit === '\n' || unit === '\r') return fail();
      if (unit === quote) break;
      if (unit !== '\\') {
        i++;
        continue;
      }
      out += text.slice(from, i) + escapeAt();
      from = i;
    }
    out += text.slice(from, i++);
    if (!isWellFormed(out)) fault ??= 'lone_surrogate';
    return out;
  }

  function escapeAt(): string {
    const name = text[i + 1] ?? '';
    const length = CODES[name];
    if (length === undefined) {
      const plain = ESCAPES[name];
      // Octal escapes have more digits; `repr` writes none.
      if (plain === undefined || (name === '0' && /[0-7]/.test(text[i + 2] ?? ''))) return fail();
      i += 2;
      return plain;
    }
    const digits = text.slice(i + 2, i + 2 + length);
    const code = Number.parseInt(digits, 16);
    if (digits.length !== length || !/^[0-9a-fA-F]+$/.test(digits) || code > 0x10ffff) return fail();
    i += 2 + length;
    return String.fromCodePoint(code);
  }

  function number(): number {
    NUMBER.lastIndex = i;
    const [lexeme] = NUMBER.exec(text) ?? fail();
    i += lexeme.length;
    if (/[A-Za-z0-9_.]/.test(text[i] ?? '')) return fail();
    if (!isExactNumber(lexeme)) fault ??= 'inexact_number';
    const value = Number(lexeme);
    return value === 0 ? 0 : value;
  }

  function items(close: string, depth: number): Json[] {
    const out: Json[] = [];
    for (;;) {
      if (take(close)) return out;
      out.push(value(depth + 1));
      if (take(',')) continue;
      // One value in parentheses is no tuple.
      if (close === ')' && out.length === 1) return fail();
      return take(close) ? out : fail();
    }
  }

  function members(depth: number): Json {
    const out: [string, Json][] = [];
    const keys = new Set<string>();
    for (;;) {
      if (take('}')) break;
      skipSpace();
      const key = text[i] === "'" || text[i] === '"' ? string() : fail();
      if (!take(':')) return fail();
      if (keys.has(key)) fault ??= 'duplicate_key';
      keys.add(key);
      out.push([key, value(depth + 1)]);
      if (take(',')) continue;
      if (!take('}')) return fail();
      break;
    }
    return Object.fromEntries(out);
  }

  function value(depth: number): Json {
    if (depth > DEEPEST) {
      fault = 'too_deep';
      throw NOT_ONE;
    }
    skipSpace();
    const unit = text[i] ?? '';
    if (unit === "'" || unit === '"') return string();
    if (unit === '{') {
      i++;
      return members(depth);
    }
    if (unit === '[' || unit === '(') {
      i++;
      return items(unit === '[' ? ']' : ')', depth);
    }
    for (const [word, meaning] of WORDS) {
      if (!text.startsWith(word, i)) continue;
      i += word.length;
      return /[A-Za-z0-9_]/.test(text[i] ?? '') ? fail() : meaning;
    }
    return number();
  }

  try {
    const read = value(0);
    skipSpace();
    if (i < text.length) return null;
    if (fault !== null) return { fault };
    return isObject(read) || isArray(read) ? { value: read } : null;
  } catch (thrown) {
    if (thrown !== NOT_ONE) throw thrown;
    return fault === 'too_deep' ? { fault } : null;
  }
}
