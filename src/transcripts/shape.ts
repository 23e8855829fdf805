import { isArray, isObject, type Json, type JsonObject } from '../events/json.ts';
import type { Pointer } from '../events/pointer.ts';
import { wrongShape } from './bad-input.ts';
import type { Origin } from './conversation.ts';

/** The value as an object; throws `transcript/shape` that it is not `what`. */
export function objectAt(
  value: Json | undefined,
  pointer: Pointer,
  origin: Origin,
  what: string,
): JsonObject {
  if (!isObject(value)) throw wrongShape(origin, pointer, `is not ${what} (an object)`);
  return value;
}

export function arrayAt(value: Json | undefined, pointer: Pointer, origin: Origin): readonly Json[] {
  if (!isArray(value)) throw wrongShape(origin, pointer, 'is not an array');
  return value;
}

/** The text under a key of the object at `pointer`, not empty. */
export function nameAt(value: JsonObject, key: string, pointer: Pointer, origin: Origin): string {
  const name = value[key];
  if (typeof name !== 'string' || name === '') throw wrongShape(origin, pointer, `has no ${key}`);
  return name;
}

export function textOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export type Part = JsonObject & { readonly type: string };

/** Content as parts, each with its place; a text alone has no index. */
export interface PlacedPart {
  readonly part: Part;
  readonly index: number | null;
  readonly pointer: Pointer;
}

/** Content that is a text, an array of parts (texts among them), one part, or nothing. Texts become parts of type `text`. */
export function partsOf(
  content: Json | undefined,
  pointer: Pointer,
  origin: Origin,
  key = 'text',
): readonly PlacedPart[] {
  const asPart = (value: Json, index: number | null, at: Pointer): PlacedPart => {
    if (typeof value === 'string') return { part: { type: 'text', [key]: value }, index, pointer: at };
    if (!isObject(value) || typeof value.type !== 'string') {
      throw wrongShape(origin, at, 'is not a content part (an object with a type)');
    }
    return { part: value as Part, index, pointer: at };
  };
  if (content === null || content === undefined) return [];
  if (isArray(content)) return content.map((value, i) => asPart(value, i, `${pointer}/${i}`));
  return [asPart(content, null, pointer)];
}

export function leftOut(type: string): string {
  return `Parts of type ${type} hold no text and were left out.`;
}
