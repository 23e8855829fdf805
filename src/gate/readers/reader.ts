import type { Json } from '../../events/json.ts';

/** UTF-16 code units, half-open. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface ReadContext {
  /** The segment's own time (ISO 8601), against which relative dates are read; null where unknown. */
  readonly at: string | null;
  /** Offset of dates and times that carry none, for example `-05:00`. */
  readonly zone: string;
}

/**
 * A reader is named, versioned and deterministic. It never guesses: an identifier is exact (no prefix, suffix, case or
 * fuzzy match), a number is read whole, the longest phrase wins. RULES R8.
 */
export interface Reader extends Reading {
  /** Every whole-token span of `text` that reads as `value`, in order. */
  find(text: string, value: Json, context: ReadContext): readonly Span[];
  /** Everything a typed reader can read in `text`, in order; null for readers to which any text would do. */
  scan(text: string, context: ReadContext): readonly (Span & { readonly value: Json })[] | null;
  /** What stands at exactly this span; undefined if it does not fit the type, or cuts a token. */
  readAt(text: string, span: Span, context: ReadContext): Json | undefined;
}

/** A text as a reader sees it. Whoever asks several things of one text keeps it: the text is then read once. */
export interface TextReading {
  find(value: Json): readonly Span[];
  scan(): readonly (Span & { readonly value: Json })[] | null;
  readAt(span: Span): Json | undefined;
}

/** What makes a reader. */
export interface Reading {
  readonly name: string;
  readonly version: number;
  over(text: string, context: ReadContext): TextReading;
  /** The value that a structured JSON value denotes for this reader; undefined if it does not fit. */
  fromJson(value: Json, context: ReadContext): Json | undefined;
  /** Whether two values are the same to this reader. */
  same(a: Json, b: Json): boolean;
}

/** Every answer of a reader is one about a text as it sees it, so that find, scan and readAt can't disagree. */
export function readerFrom(reading: Reading): Reader {
  return {
    ...reading,
    find: (text, value, context) => reading.over(text, context).find(value),
    scan: (text, context) => reading.over(text, context).scan(),
    readAt: (text, span, context) => reading.over(text, context).readAt(span),
  };
}
