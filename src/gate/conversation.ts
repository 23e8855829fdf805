import { plainOf } from '../events/content.ts';
import type { Json } from '../events/json.ts';
import type { Segment } from '../events/segment.ts';
import { type PhraseTable, phraseTable, readerOf, scanPhrases } from './readers/index.ts';
import type { ReadContext, Reader, Span, TextReading } from './readers/reader.ts';
import { type Rules, rulesFor } from './rules-for.ts';
import type { RunInput } from './types.ts';

/** The text of a segment; null where it is structured. */
export function textOf(segment: Segment | undefined): string | null {
  if (segment === undefined) return null;
  const body = plainOf(segment.body);
  return typeof body === 'string' ? body : null;
}

export function isTyped(segment: Segment | undefined): boolean {
  return segment?.typed === true && segment.author === 'user';
}

/** Which segments the user typed, in order. */
export function typedSegments({ segments }: RunInput): readonly number[] {
  let typed = typedOf.get(segments);
  if (typed === undefined) {
    typed = segments.flatMap((segment, index) => (isTyped(segment) ? [index] : []));
    typedOf.set(segments, typed);
  }
  return typed;
}

const typedOf = new WeakMap<RunInput['segments'], readonly number[]>();

/** Whether a result is a failure: as the format says, else by the declared forms of an error. */
export function failed(segment: Segment, rules: Rules): boolean {
  if (segment.observes === null) return false;
  if (segment.observes.failed !== null) return segment.observes.failed;
  const text = textOf(segment);
  return text !== null && rules.toolErrors.some((form) => text.startsWith(form));
}

/** Relative dates are read against the segment's own time, or where it has none, the run's. */
export function contextOf(run: RunInput, rules: Rules, segment: Segment): ReadContext {
  return { at: segment.at ?? run.now, zone: rules.zone };
}

type Spans = readonly Span[];

interface Kept {
  readonly context: ReadContext;
  readonly reading: TextReading;
}

/** By segment and reader: a conversation's runs look for the same things again and again. Pure. */
const readings = new WeakMap<Segment, Map<Reader, Kept>>();
const words = new WeakMap<Segment, Map<readonly string[], Spans>>();
const tables = new WeakMap<readonly string[], PhraseTable>();

/** A segment's text as a reader sees it; null where there is none. */
function readingOf(run: RunInput, rules: Rules, segment: Segment, reader: Reader): TextReading | null {
  const text = textOf(segment);
  if (text === null) return null;
  const byReader = under(readings, segment, newMap<Reader, Kept>);
  const known = byReader.get(reader);
  const at = segment.at ?? run.now;
  if (known !== undefined && known.context.at === at && known.context.zone === rules.zone) {
    return known.reading;
  }
  const context = { at, zone: rules.zone };
  const reading = reader.over(text, context);
  byReader.set(reader, { context, reading });
  return reading;
}

/** `reader.find` over a segment's text. */
export function findIn(run: RunInput, rules: Rules, segment: Segment, reader: Reader, value: Json): Spans {
  return readingOf(run, rules, segment, reader)?.find(value) ?? [];
}

/** `reader.scan` over a segment's text. */
export function scanIn(
  run: RunInput,
  rules: Rules,
  segment: Segment,
  reader: Reader,
): ReturnType<TextReading['scan']> {
  return readingOf(run, rules, segment, reader)?.scan() ?? null;
}

/**
 * Declared words are found whole and folded (ASCII case; spaces, `_` and `-` alike), the longest at each position, in
 * order. `list` should be the declared array itself: what was found is remembered by its identity.
 */
export function findWords(segment: Segment, list: readonly string[]): Spans {
  const text = textOf(segment);
  if (text === null || list.length === 0) return [];
  const byList = under(words, segment, newMap<readonly string[], Spans>);
  return within(byList, list, () => {
    let table = tables.get(list);
    if (table === undefined) {
      table = phraseTable(list.map((word) => [word, true] as const));
      tables.set(list, table);
    }
    return scanPhrases(text, table).map(({ start, end }) => ({ start, end }));
  });
}

function contextKey(context: ReadContext): string {
  return context.at === null ? context.zone : `${context.at} ${context.zone}`;
}

function newMap<K, V>(): Map<K, V> {
  return new Map();
}

function under<K extends object, V>(memo: WeakMap<K, V>, key: K, make: () => V): V {
  let value = memo.get(key);
  if (value === undefined) {
    value = make();
    memo.set(key, value);
  }
  return value;
}

function within<K, V>(memo: Map<K, V>, key: K, make: () => V): V {
  let value = memo.get(key);
  if (value === undefined) {
    value = make();
    memo.set(key, value);
  }
  return value;
}

const jsonReads = new WeakMap<Reader, Map<string, Map<unknown, Json | undefined>>>();

/** `reader.fromJson`, remembered for scalars: the same ids and amounts are compared over and over. */
export function readJson(reader: Reader, value: Json, context: ReadContext): Json | undefined {
  if (typeof value === 'object' && value !== null) return reader.fromJson(value, context);
  const byContext = under(jsonReads, reader, newMap<string, Map<unknown, Json | undefined>>);
  const byValue = within(byContext, contextKey(context), newMap<unknown, Json | undefined>);
  if (byValue.has(value)) return byValue.get(value);
  const read = reader.fromJson(value, context);
  if (byValue.size >= 4096) byValue.clear();
  byValue.set(value, read);
  return read;
}

/** `reader.readAt` over a segment's text. */
export function readSpan(
  run: RunInput,
  rules: Rules,
  segment: Segment,
  reader: Reader,
  span: Span,
): Json | undefined {
  return readingOf(run, rules, segment, reader)?.readAt(span);
}

/** Whether the user typed this value, as an exact token, anywhere so far. */
export function isTypedValue(run: RunInput, rules: Rules, value: Json): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  const exact = readerOf('text', rules.readers) as Reader;
  return typedSegments(run).some(
    (index) => findIn(run, rules, run.segments[index] as Segment, exact, value).length > 0,
  );
}

/** Whether a call's own result is a failure, as the run's checklists and the format say. */
export function failedResult(
  run: Pick<RunInput, 'checklists' | 'tool' | 'ruleset'>,
  result: Segment,
): boolean {
  return failed(result, rulesFor(run));
}
