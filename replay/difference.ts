import { isArray, isObject, type Json } from '../src/events/json.ts';
import { escapeSegment, type Pointer } from '../src/events/pointer.ts';

export interface Difference {
  readonly path: Pointer;
  readonly code: 'value' | 'recorded_only' | 'recomputed_only';
  readonly recorded: Json;
  readonly recomputed: Json;
}

/**
 * The first place at which two values differ: members in the order of their code units, elements by index, depth first.
 * null where their canonical bytes are the same.
 */
export function firstDifference(recorded: Json, recomputed: Json, path: Pointer = ''): Difference | null {
  return isSame(recorded, recomputed) ? null : searched(recorded, recomputed, path);
}

function searched(recorded: Json, recomputed: Json, path: Pointer): Difference | null {
  if (isArray(recorded) && isArray(recomputed)) {
    for (let index = 0; index < recorded.length || index < recomputed.length; index++) {
      const found = ofMembers(recorded[index], recomputed[index], `${path}/${index}`);
      if (found !== null) return found;
    }
    return null;
  }
  if (isObject(recorded) && isObject(recomputed)) {
    const keys = new Set([...Object.keys(recorded), ...Object.keys(recomputed)]);
    for (const key of [...keys].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))) {
      const found = ofMembers(own(recorded, key), own(recomputed, key), `${path}/${escapeSegment(key)}`);
      if (found !== null) return found;
    }
    return null;
  }
  // 0 and -0 are one number in canonical JSON, as in `===`.
  return recorded === recomputed ? null : { path, code: 'value', recorded, recomputed };
}

/** Whether two values have the same canonical bytes: as `firstDifference` is null, without looking for an order. */
export function isSame(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isArray(a)) {
    return isArray(b) && a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]));
}

function own(value: { readonly [key: string]: Json }, key: string): Json | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function ofMembers(
  recorded: Json | undefined,
  recomputed: Json | undefined,
  path: Pointer,
): Difference | null {
  if (recorded === undefined) {
    return recomputed === undefined ? null : { path, code: 'recomputed_only', recorded: null, recomputed };
  }
  if (recomputed === undefined) return { path, code: 'recorded_only', recorded, recomputed: null };
  return searched(recorded, recomputed, path);
}
