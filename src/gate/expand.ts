import { isArray, isObject, type Json } from '../events/json.ts';
import { escapeSegment, type Pointer, segmentsOf } from '../events/pointer.ts';

export interface Found {
  readonly pointer: Pointer;
  readonly value: Json;
}

/**
 * Every place of `value` that a pattern names, in document order (array order; keys in the object's own order sorted by
 * code unit, so that key order never matters). A pattern without `*` names at most one.
 */
export function expand(value: Json | undefined, pattern: Pointer): Found[] {
  if (value === undefined) return [];
  let here: Found[] = [{ pointer: '', value }];
  for (const segment of segmentsOf(pattern)) {
    const next: Found[] = [];
    for (const found of here) step(found, segment, next);
    here = next;
    if (here.length === 0) return here;
  }
  return here;
}

function step(found: Found, segment: string, into: Found[]): void {
  const { value, pointer } = found;
  if (isArray(value)) {
    if (segment === '*') {
      for (let index = 0; index < value.length; index++) {
        into.push({ pointer: `${pointer}/${index}`, value: value[index] as Json });
      }
    } else if (/^(0|[1-9][0-9]*)$/.test(segment) && Number(segment) < value.length) {
      into.push({ pointer: `${pointer}/${segment}`, value: value[Number(segment)] as Json });
    }
  } else if (isObject(value)) {
    if (segment === '*') {
      for (const key of Object.keys(value).sort(byCodeUnit)) {
        into.push({ pointer: `${pointer}/${escapeSegment(key)}`, value: value[key] as Json });
      }
    } else if (Object.hasOwn(value, segment)) {
      into.push({ pointer: `${pointer}/${escapeSegment(segment)}`, value: value[segment] as Json });
    }
  }
}

export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

// A pattern under `each` at one index of it: the `*` that `each` ends in becomes the index; undefined where the pattern
// does not lie under it.
export function instantiate(pattern: Pointer, each: Pointer, index: number): Pointer | undefined {
  if (pattern !== each && !pattern.startsWith(`${each}/`)) return undefined;
  return `${each.slice(0, -1)}${index}${pattern.slice(each.length)}`;
}

/** A pointer's segments as they are written; a bounded pure memo, since the same few patterns are compared throughout. */
export function splitPointer(pointer: Pointer): readonly string[] {
  let parts = splits.get(pointer);
  if (parts === undefined) {
    parts = pointer.split('/');
    if (splits.size >= 8192) splits.clear();
    splits.set(pointer, parts);
  }
  return parts;
}

const splits = new Map<Pointer, readonly string[]>();

/** Whether an instance pointer is one that the pattern names. */
export function isInstance(pointer: Pointer, pattern: Pointer): boolean {
  if (pointer === pattern) return true;
  const a = splitPointer(pointer);
  const b = splitPointer(pattern);
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (b[i] !== '*' && a[i] !== b[i]) return false;
  return true;
}

/** Whether a pattern names a place, or one that it lies in. */
export function covers(pattern: Pointer, pointer: Pointer): boolean {
  const a = splitPointer(pointer);
  const b = splitPointer(pattern);
  if (a.length < b.length) return false;
  for (let i = 0; i < b.length; i++) if (b[i] !== '*' && a[i] !== b[i]) return false;
  return true;
}

/** JSON equality by value; key order never matters. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || a === null || b === null) return false;
  if (isArray(a)) {
    return isArray(b) && a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  }
  if (isObject(a)) {
    if (!isObject(b)) return false;
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    return keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]));
  }
  return false;
}

/** A record's entries in a total order: key order in a file or a log never matters. */
export function entriesOf<T>(record: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(record).sort(([a], [b]) => byCodeUnit(a, b));
}
