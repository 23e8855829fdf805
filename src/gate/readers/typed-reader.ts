import type { Json } from '../../events/json.ts';
import { type ReadContext, type Reader, readerFrom, type Span, type TextReading } from './reader.ts';

/** What a typed reader reads in a text. */
export interface Hit extends Span {
  readonly value: Json;
  /** A shorter span that says the same alone: the amount without its currency, the date without its weekday. */
  readonly inner?: Span;
  /** Found when it is looked for, but too open to be offered by `scan`: a date without a year. */
  readonly open?: true;
}

export interface TypedReading {
  readonly name: string;
  readonly version: number;
  readonly hits: (text: string, context: ReadContext) => readonly Hit[];
  /** What a JSON value other than a string denotes; by default nothing. */
  readonly fromScalar?: (value: number | boolean) => Json | undefined;
  /** Replaces the default, by which a string denotes what it reads as from end to end. */
  readonly fromString?: (value: string, context: ReadContext) => Json | undefined;
  readonly same: (a: Json, b: Json) => boolean;
}

const isSpan = (a: Span, b: Span): boolean => a.start === b.start && a.end === b.end;

/** A reader whose every answer comes from one list of hits. RULES R8. */
export function typedReader({ name, version, hits, fromScalar, fromString, same }: TypedReading): Reader {
  const over = (text: string, context: ReadContext): TextReading => {
    const all = hits(text, context);
    return {
      find: (value) => {
        const wanted = fromJson(value, context);
        if (wanted === undefined) return [];
        return all.filter((hit) => same(hit.value, wanted)).map(({ start, end }) => ({ start, end }));
      },
      scan: () =>
        all.filter((hit) => hit.open !== true).map(({ start, end, value }) => ({ start, end, value })),
      readAt: (span) =>
        all.find((hit) => isSpan(hit, span) || (hit.inner !== undefined && isSpan(hit.inner, span)))?.value,
    };
  };
  const wholeString = (value: string, context: ReadContext): Json | undefined =>
    over(value, context).readAt({ start: 0, end: value.length });
  const fromJson = (value: Json, context: ReadContext): Json | undefined => {
    if (typeof value === 'string') return (fromString ?? wholeString)(value, context);
    if (typeof value === 'number' || typeof value === 'boolean') return fromScalar?.(value);
    return undefined;
  };
  return readerFrom({ name, version, over, fromJson, same });
}
