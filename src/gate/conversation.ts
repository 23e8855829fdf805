import { plainOf } from '../events/content.ts';
import type { Json } from '../events/json.ts';
import type { Segment } from '../events/segment.ts';
import { readerOf } from './readers/index.ts';
import type { ReadContext, Reader, Span } from './readers/reader.ts';
import { type Rules, rulesFor } from './rules-for.ts';
import type { RunInput } from './types.ts';

/** The text of a segment; null where it is structured. */
export function textOf(segment: Segment | undefined): string | null {
  if (segment === undefined) return null;
  const body = plainOf(segment.body);
  return typeof body === 'string' ? body : null;
}

export function isTyped(segment: Segment | undefined): boolean {
  return segment !== undefined && segment.typed && segment.author === 'user';
}

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

const finds = new WeakMap<Segment, Map<Reader, Map<string, readonly Span[]>>>();
const scans = new WeakMap<
  Segment,
  Map<Reader, Map<string, readonly (Span & { readonly value: Json })[] | null>>
>();

/** `reader.find` over a segment's text; a pure memo, since a conversation's runs look for the same things again. */
export function findIn(
  run: RunInput,
  rules: Rules,
  segment: Segment,
  reader: Reader,
  value: Json,
): readonly Span[] {
  const text = textOf(segment);
  if (text === null) return [];
  const context = contextOf(run, rules, segment);
  const key = `${context.at}|${context.zone}|${typeof value}|${JSON.stringify(value)}`;
  return remember(finds, segment, reader, key, () => reader.find(text, value, context));
}

export function scanIn(
  run: RunInput,
  rules: Rules,
  segment: Segment,
  reader: Reader,
): readonly (Span & { readonly value: Json })[] | null {
  const text = textOf(segment);
  if (text === null) return null;
  const context = contextOf(run, rules, segment);
  return remember(scans, segment, reader, `${context.at}|${context.zone}`, () => reader.scan(text, context));
}

function remember<T>(
  memo: WeakMap<Segment, Map<Reader, Map<string, T>>>,
  segment: Segment,
  reader: Reader,
  key: string,
  make: () => T,
): T {
  let byReader = memo.get(segment);
  if (byReader === undefined) {
    byReader = new Map();
    memo.set(segment, byReader);
  }
  let byKey = byReader.get(reader);
  if (byKey === undefined) {
    byKey = new Map();
    byReader.set(reader, byKey);
  }
  let found = byKey.get(key);
  if (found === undefined) {
    found = make();
    byKey.set(key, found);
  }
  return found;
}

/** Declared words are found whole and folded (ASCII case; spaces, `_` and `-` alike). */
export function findWords(
  run: RunInput,
  rules: Rules,
  segment: Segment,
  words: readonly string[],
): readonly Span[] {
  const fold = readerOf('text_fold', rules.readers) as Reader;
  const out: Span[] = [];
  for (const word of words) out.push(...findIn(run, rules, segment, fold, word));
  return out.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Whether the user typed this value, as an exact token, anywhere so far. */
export function isTypedValue(run: RunInput, rules: Rules, value: Json): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  const exact = readerOf('text', rules.readers) as Reader;
  return run.segments.some(
    (segment) => isTyped(segment) && findIn(run, rules, segment, exact, value).length > 0,
  );
}

/** Whether a call's own result is a failure, as the run's checklists and the format say. */
export function failedResult(
  run: Pick<RunInput, 'checklists' | 'tool' | 'ruleset'>,
  result: Segment,
): boolean {
  return failed(result, rulesFor(run));
}
