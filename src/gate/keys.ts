import { plainOf } from '../events/content.ts';
import type { Json } from '../events/json.ts';
import type { LookupRequest } from '../events/lookup.ts';
import type { Place } from '../events/place.ts';
import { at as valueAt } from '../events/pointer.ts';
import { contextOf, readJson, textOf } from './conversation.ts';
import { entriesOf, instantiate } from './expand.ts';
import { exactKey, type KeyValue } from './facts.ts';
import { observed } from './observed.ts';
import type { Reader } from './readers/reader.ts';
import type { Rules } from './rules-for.ts';
import { slotAt } from './slot-list.ts';
import { slotReader } from './slot-reader.ts';
import type { RunInput, Segment } from './types.ts';

/** The raw value at a place: the words of a span, or the JSON that stands there. undefined: there is no such place. */
export function rawAt(run: RunInput, place: Place): Json | undefined {
  if (place.in === 'text') {
    const text = textOf(run.segments[place.segment]);
    return text === null || place.end > text.length || place.start >= place.end
      ? undefined
      : text.slice(place.start, place.end);
  }
  if (place.in === 'json') {
    const segment = run.segments[place.segment];
    if (segment === undefined) return undefined;
    if (place.of === 'result') return valueAt(observed(segment), place.pointer);
    return segment.observes === null
      ? undefined
      : valueAt(plainOf(segment.observes.arguments), place.pointer);
  }
  const entry = run.entries[place.entry];
  if (entry === undefined) return undefined;
  if (entry.kind === 'answer' || entry.kind === 'setting') {
    return place.pointer === '/value' ? plainOf(entry.value) : undefined;
  }
  const match = /^\/(shown|slots)\/(0|[1-9][0-9]*)\/value$/.exec(place.pointer);
  if (entry.kind === 'approval') {
    if (place.pointer === '/declined') return entry.declined;
    const item = match?.[1] === 'shown' ? entry.shown[Number(match[2])] : undefined;
    return item === undefined ? undefined : plainOf(item.value);
  }
  if (entry.kind === 'baseline') {
    const item = match?.[1] === 'slots' ? entry.slots[Number(match[2])] : undefined;
    return item === undefined ? undefined : plainOf(item.value);
  }
  return undefined;
}

/** What a reader makes of a place: words are read in their text, a part of a template's line is a value by itself. */
export function readPlace(run: RunInput, rules: Rules, reader: Reader, place: Place): Json | undefined {
  const raw = rawAt(run, place);
  if (raw === undefined) return undefined;
  const segment = place.in === 'entry' ? undefined : (run.segments[place.segment] as Segment);
  const context = segment === undefined ? { at: run.now, zone: rules.zone } : contextOf(run, rules, segment);
  const text = textOf(segment);
  return place.in === 'text' && text !== null
    ? (reader.readAt(text, place, context) ?? reader.fromJson(raw, context))
    : reader.fromJson(raw, context);
}

/**
 * The key values of a fact's request. A slot's value is compared by its reader, so that "May 20" as typed and 2024-05-20
 * as recorded are one key; another fact's field exactly. null: a key points nowhere.
 */
export function keysOf(
  run: RunInput,
  rules: Rules,
  request: LookupRequest,
): Readonly<Record<string, KeyValue>> | null {
  const keys: Record<string, KeyValue> = {};
  const index = 'fact' in request.subject ? request.subject.index : null;
  for (const [ref, place] of entriesOf(request.key)) {
    if (place === null) continue;
    const raw = rawAt(run, place);
    if (raw === undefined) return null;
    if (!ref.startsWith('/')) {
      keys[ref] = exactKey(raw);
      continue;
    }
    const slot = index === null ? ref : slotAtIndex(ref, index);
    const { rule, leaf, reader: own } = slotAt(run, rules, slot);
    const reader = leaf === undefined ? slotReader(rules, rule, raw) : own;
    if (reader === null) return null;
    const context = { at: run.now, zone: rules.zone };
    // A known slot is one whose place reads as the proposed value, so the proposal is the value in its canonical form;
    // where nothing is proposed, it is what its reader makes of the place.
    const value = leaf === undefined ? (readPlace(run, rules, reader, place) ?? raw) : leaf;
    keys[ref] = {
      value,
      same: (other) => {
        const read = readJson(reader, other, context);
        return read !== undefined && reader.same(read, value);
      },
    };
  }
  return keys;
}

/** The slot of one array element: the first `*` of the pattern becomes the index. */
export function slotAtIndex(pattern: string, index: number): string {
  const star = pattern.indexOf('/*');
  if (star < 0) return pattern;
  return instantiate(pattern, pattern.slice(0, star + 2), index) ?? pattern;
}
