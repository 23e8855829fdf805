import { GroundsError } from '../errors.ts';

const MAX_DEPTH = 200;

/**
 * Canonical JSON (RFC 8785): keys in UTF-16 order, no white space, shortest numbers. It throws on what JSON can't hold and
 * never coerces.
 *
 * @throws GroundsError `events/not-json`
 */
export function encode(value: unknown): string {
  return encodeAt(value, 0);
}

function encodeAt(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) throw notJson(`nested deeper than ${MAX_DEPTH}`);
  if (value === null) return 'null';
  if (typeof value === 'string') {
    if (!wellFormed(value)) throw notJson('a string with a lone surrogate');
    return JSON.stringify(value);
  }
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw notJson('a number that is not finite');
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw notJson('an integer beyond 2^53-1');
    return JSON.stringify(value);
  }
  if (typeof value !== 'object') throw notJson(`a ${typeof value}`);
  return Array.isArray(value) ? encodeArray(value, depth) : encodeObject(value, depth);
}

function encodeArray(value: readonly unknown[], depth: number): string {
  if (Object.keys(value).length !== value.length) throw notJson('an array with holes or extra keys');
  let out = '[';
  for (let i = 0; i < value.length; i++) out += (i === 0 ? '' : ',') + encodeAt(value[i], depth + 1);
  return `${out}]`;
}

function encodeObject(value: object, depth: number): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw notJson('an object that is not plain');
  const record = value as Record<string, unknown>;
  const keys = Object.keys(record);
  for (let i = 1; i < keys.length; i++) {
    if ((keys[i] as string) < (keys[i - 1] as string)) {
      keys.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      break;
    }
  }
  let out = '{';
  for (const key of keys) {
    if (!wellFormed(key)) throw notJson('a key with a lone surrogate');
    out += `${out.length === 1 ? '' : ','}${JSON.stringify(key)}:${encodeAt(record[key], depth + 1)}`;
  }
  return `${out}}`;
}

function wellFormed(text: string): boolean {
  return (text as string & { isWellFormed(): boolean }).isWellFormed();
}

function notJson(what: string): GroundsError {
  return new GroundsError('events/not-json', `JSON cannot hold ${what}.`, {
    facts: { what },
    hint: 'Give plain objects, dense arrays, well-formed strings and finite numbers.',
  });
}
