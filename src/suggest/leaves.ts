import { isArray, isObject, type Json, type JsonObject } from '../events/json.ts';
import { escapeSegment } from '../events/pointer.ts';

/** A scalar, an empty array or an empty object, and where it stands. */
export interface Leaf {
  readonly pointer: string;
  /** The pointer with `*` for what is one of many: array indexes, and in results keys that are data. */
  readonly pattern: string;
  readonly value: Json;
  /** What equal values share, whatever their type: `10001` and `"10001"`; null where it can't be looked for. */
  readonly key: string | null;
}

const LONGEST_VALUE = 400;
const MOST_LEAVES = 20_000;
const DEEPEST = 64;

/** What a value is looked for by: text as it is, a number in its shortest form. Long text and null have none. */
export function keyOf(value: Json): string | null {
  if (typeof value === 'string') return value.length > LONGEST_VALUE ? null : value === '' ? '\0""' : value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === null) return null;
  return isArray(value) ? '\0[]' : '\0{}';
}

/** The leaves of arguments: keys are names. */
export function argumentLeaves(value: Json): Leaf[] {
  return leaves(value, () => false);
}

/** The leaves of a result, where some objects are tables whose keys are data (`/variants/<id>/price`). */
export function resultLeaves(value: Json): Leaf[] {
  return leaves(value, isTable);
}

function leaves(value: Json, table: (object: JsonObject) => boolean): Leaf[] {
  const found: Leaf[] = [];
  const visit = (here: Json, pointer: string, pattern: string, depth: number): void => {
    if (found.length >= MOST_LEAVES) return;
    if (depth < DEEPEST && isArray(here) && here.length > 0) {
      here.forEach((child, index) => {
        visit(child, `${pointer}/${index}`, `${pattern}/*`, depth + 1);
      });
    } else if (depth < DEEPEST && isObject(here) && Object.keys(here).length > 0) {
      const keyed = table(here);
      for (const name of Object.keys(here)) {
        // A checklist could not tell it from "each".
        if (name === '*') continue;
        const part = escapeSegment(name);
        visit(here[name] as Json, `${pointer}/${part}`, `${pattern}/${keyed ? '*' : part}`, depth + 1);
      }
    } else found.push({ pointer, pattern, value: here, key: keyOf(here) });
  };
  visit(value, '', '', 0);
  return found;
}

const MANY = 8;

/**
 * Keys are data where records repeat their own key (`{"a1": {"id": "a1"}}`), where every key looks like an id, or where
 * there are many and all values are scalars of one type.
 */
function isTable(object: JsonObject): boolean {
  const names = Object.keys(object);
  const records = names.filter((name) => isObject(object[name]));
  if (records.length === names.length) {
    const own = names.filter((name) => Object.values(object[name] as JsonObject).includes(name));
    if (own.length * 2 > names.length) return true;
    return names.every(looksLikeId);
  }
  if (records.length > 0) return false;
  const types = new Set(names.map((name) => typeof object[name]));
  return types.size === 1 && ((names.length >= 2 && names.every(looksLikeId)) || names.length > MANY * 2);
}

const looksLikeId = (name: string): boolean => /[0-9].*[0-9].*[0-9]/.test(name);

/** Where the first and the last `*` of a pattern begin; -1 where it has none. */
export function starsOf(pattern: string): { readonly first: number; readonly last: number } {
  const all = [...pattern.matchAll(/\/\*(?=\/|$)/g)].map(({ index }) => index);
  return { first: all[0] ?? -1, last: all.at(-1) ?? -1 };
}

export function hasStar(pattern: string): boolean {
  return starsOf(pattern).first >= 0;
}

/** Parts that the last `*` of a pattern has before and after it: the record and the field in it. */
export function recordOf(pattern: string): { readonly record: string; readonly field: string } | null {
  const at = starsOf(pattern).last;
  if (at < 0 || at + 2 === pattern.length) return null;
  return { record: pattern.slice(0, at + 2), field: pattern.slice(at + 2) };
}

/** Several texts as one key, which can be taken apart again. */
export function joined(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

export function apart(id: string): [string, string] {
  const [first = '', second = ''] = JSON.parse(id) as string[];
  return [first, second];
}

/** Whether a checklist can hold this path within `arguments…`, `result…` or `record…`. */
export function isOneLine(path: string): boolean {
  return !/[\n\r\u2028\u2029]/.test(path);
}

/** The concrete pointer of the record that a leaf stands in: as many segments as the pattern's record. */
export function recordPointer(leaf: Leaf, record: string): string {
  return leaf.pointer.split('/').slice(0, record.split('/').length).join('/');
}

export function lastName(pattern: string): string {
  const names = pattern.split('/').filter((name) => name !== '*' && name !== '');
  return (names.at(-1) ?? 'value').replaceAll('~1', '/').replaceAll('~0', '~');
}

/** A value that tells one record from another: not a count, a flag, a day or a common word. */
export function identifies(key: string | null): boolean {
  if (key === null || key.length < 4 || key.startsWith('\0')) return false;
  if (/^[0-9]{4}-[0-9]{2}-[0-9]{2}/.test(key) || /^-?[0-9]{1,3}(\.[0-9]+)?$/.test(key)) return false;
  return /[0-9@]/.test(key);
}
