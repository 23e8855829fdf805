import type { EntryPlace, JsonPlace, TextPlace } from '../events/place.ts';
import type { Pointer } from '../events/pointer.ts';
import type { Span } from './readers/reader.ts';

/** Places are built with sorted keys, so that their plain JSON text is already canonical. */
export function inText(segment: number, { start, end }: Span): TextPlace {
  return { end, in: 'text', segment, start };
}

export function inJson(segment: number, of: JsonPlace['of'], pointer: Pointer): JsonPlace {
  return { in: 'json', of, pointer, segment };
}

export function inEntry(entry: number, pointer: Pointer): EntryPlace {
  return { entry, in: 'entry', pointer };
}
