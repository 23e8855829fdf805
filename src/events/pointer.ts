import { isArray, isObject, type Json } from './json.ts';

/** An RFC 6901 JSON Pointer: `''` is the whole value, `/a/0` the first element of `a`. */
export type Pointer = string;

/** `*` in a pattern stands for each index of an array or each key of an object. */
export function segmentsOf(pointer: Pointer): readonly string[] {
  let segments = decoded.get(pointer);
  if (segments === undefined) {
    segments = pointer === '' ? [] : pointer.slice(1).split('/').map(unescapeSegment);
    if (decoded.size >= 8192) decoded.clear();
    decoded.set(pointer, segments);
  }
  return segments;
}

/** A bounded pure memo: the same few pointers are followed throughout. */
const decoded = new Map<Pointer, readonly string[]>();

export function pointerOf(segments: readonly (string | number)[]): Pointer {
  let out = '';
  for (const segment of segments) out += `/${escapeSegment(String(segment))}`;
  return out;
}

export function escapeSegment(segment: string): string {
  if (!segment.includes('~') && !segment.includes('/')) return segment;
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

export function unescapeSegment(segment: string): string {
  if (!segment.includes('~')) return segment;
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The value at a pointer, or `undefined` where there is none (absent is not null). */
export function at(value: Json | undefined, pointer: Pointer): Json | undefined {
  let here: Json | undefined = value;
  for (const segment of segmentsOf(pointer)) {
    here = child(here, segment);
    if (here === undefined) return undefined;
  }
  return here;
}

export function child(value: Json | undefined, segment: string): Json | undefined {
  if (isArray(value)) {
    return /^(0|[1-9][0-9]*)$/.test(segment) ? value[Number(segment)] : undefined;
  }
  if (isObject(value)) return Object.hasOwn(value, segment) ? value[segment] : undefined;
  return undefined;
}
