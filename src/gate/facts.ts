import type { FactDeclaration } from '../declarations/checklist.ts';
import { plainOf } from '../events/content.ts';
import type { Json } from '../events/json.ts';
import type { Place } from '../events/place.ts';
import type { Pointer } from '../events/pointer.ts';
import { escapeSegment, at as valueAt } from '../events/pointer.ts';
import { failed, isTypedValue, textOf } from './conversation.ts';
import { byCodeUnit, entriesOf, expand, sameJson } from './expand.ts';
import { observed } from './observed.ts';
import { inJson, inText } from './places.ts';
import type { FactRule, Rules } from './rules-for.ts';
import { matchTemplate } from './template.ts';
import type { RunInput, Segment } from './types.ts';

export type Alternative = FactDeclaration['measured_by'][number];

/** A record is a place: an object in a result, or a line of prose that a declared template reads. */
export type RecordPlace = Place;

/** A value by which a fact is keyed, and how to tell whether another value is the same. */
export interface KeyValue {
  readonly value: Json;
  readonly same: (other: Json) => boolean;
}

export interface KeyGroup {
  /** What its alternatives are keyed by: the references on the right of their matches, once each, sorted. */
  readonly refs: readonly string[];
  readonly alternatives: readonly Alternative[];
}

const groupMemo = new WeakMap<FactRule, readonly KeyGroup[]>();

/** Alternatives with the same references are asked as one: the latest match among them counts. */
export function keyGroups(fact: FactRule): readonly KeyGroup[] {
  let groups = groupMemo.get(fact);
  if (groups === undefined) {
    const made: { refs: readonly string[]; alternatives: Alternative[]; id: string }[] = [];
    for (const alternative of fact.measured_by) {
      const refs = [...new Set(Object.values(alternative.match))].sort(byCodeUnit);
      const id = JSON.stringify(refs);
      const known = made.find((group) => group.id === id);
      if (known === undefined) made.push({ refs, alternatives: [alternative], id });
      else known.alternatives.push(alternative);
    }
    groups = made;
    groupMemo.set(fact, groups);
  }
  return groups;
}

const matchMemo = new WeakMap<object, readonly [string, string][]>();

function matchOf(match: Readonly<Record<string, string>>): readonly [string, string][] {
  let entries = matchMemo.get(match);
  if (entries === undefined) {
    entries = entriesOf(match);
    matchMemo.set(match, entries);
  }
  return entries;
}

export type Measured =
  | { readonly said: 'records'; readonly records: readonly RecordPlace[] }
  | { readonly said: 'absent' }
  | { readonly said: 'unfinished' }
  | { readonly said: 'failed'; readonly code: string };

/**
 * RULES R8b over what the conversation observed: the latest match counts, a write's own result measures, an error never
 * does, a result that could not be read is a failed measurement, and one that a later declared call touched is stale.
 */
export function measure(
  run: RunInput,
  rules: Rules,
  fact: FactRule,
  alternatives: readonly Alternative[],
  keys: Readonly<Record<string, KeyValue>>,
): Measured {
  const records: RecordPlace[] = [];
  for (let index = run.segments.length - 1; index >= 0; index--) {
    const segment = run.segments[index] as Segment;
    if (segment.observes === null) continue;
    for (const alternative of alternatives) {
      if (alternative.tool !== segment.observes.tool) continue;
      if (segment.observes.fault !== null) {
        if (matchesArguments(run, rules, segment, alternative, keys)) {
          return { said: 'failed', code: segment.observes.fault };
        }
        continue;
      }
      if (failed(segment, rules)) continue;
      const found = recordsIn(run, rules, index, alternative, keys);
      if (fact.take === 'latest' && found[0] !== undefined) {
        return isStale(run, rules, fact, index, keys)
          ? { said: 'unfinished' }
          : { said: 'records', records: [found[0]] };
      }
      if (found.length > 0 && isStale(run, rules, fact, index, keys)) return { said: 'unfinished' };
      records.unshift(...found);
    }
  }
  return records.length === 0 ? { said: 'absent' } : { said: 'records', records };
}

function recordsIn(
  run: RunInput,
  rules: Rules,
  index: number,
  alternative: Alternative,
  keys: Readonly<Record<string, KeyValue>>,
): RecordPlace[] {
  const segment = run.segments[index] as Segment;
  const args = plainOf((segment.observes as NonNullable<Segment['observes']>).arguments);
  const body = plainOf(segment.body);
  if (alternative.template !== undefined) {
    if (typeof body !== 'string') return [];
    const parts = matchTemplate(alternative.template, body);
    if (parts === null) return [];
    const record = recordOfParts(body, parts);
    return matches(run, rules, alternative, keys, args, record, record)
      ? [inText(index, { start: 0, end: body.length })]
      : [];
  }
  // Prose measures nothing: a text is trusted only through a declared template.
  const result = observed(segment);
  if (typeof result === 'string') return [];
  return expand(result, alternative.record)
    .filter((found) => matches(run, rules, alternative, keys, args, result, found.value))
    .map((found) => inJson(index, 'result', found.pointer));
}

function matches(
  run: RunInput,
  rules: Rules,
  alternative: Alternative,
  keys: Readonly<Record<string, KeyValue>>,
  args: Json,
  result: Json,
  record: Json,
): boolean {
  for (const [left, right] of matchOf(alternative.match)) {
    if (!agrees(run, rules, left, keys[right], right === 'typed', args, result, record)) return false;
  }
  return true;
}

function matchesArguments(
  run: RunInput,
  rules: Rules,
  segment: Segment,
  alternative: Alternative,
  keys: Readonly<Record<string, KeyValue>>,
): boolean {
  const args = plainOf((segment.observes as NonNullable<Segment['observes']>).arguments);
  return matchOf(alternative.match).every(
    ([left, right]) =>
      !left.startsWith('arguments') ||
      agrees(run, rules, left, keys[right], right === 'typed', args, null, null),
  );
}

function agrees(
  run: RunInput,
  rules: Rules,
  left: string,
  key: KeyValue | undefined,
  typed: boolean,
  args: Json,
  result: Json,
  record: Json,
): boolean {
  const slash = left.indexOf('/');
  const root = slash < 0 ? left : left.slice(0, slash);
  const path = slash < 0 ? '' : left.slice(slash);
  const base = root === 'arguments' ? args : root === 'result' ? result : record;
  const found = expand(base, path);
  if (typed) return found.some(({ value }) => isTypedValue(run, rules, value));
  return key !== undefined && found.some(({ value }) => key.same(value));
}

/** At a trigger, measurements are fetched again; what was measured at the instruction is not carried. RULES R12. */
function fetchedFrom(run: RunInput): number {
  const trigger = run.entries.findLast((entry) => entry.kind === 'trigger');
  return trigger?.kind === 'trigger' ? (trigger.from ?? 0) : 0;
}

function isStale(
  run: RunInput,
  rules: Rules,
  fact: FactRule,
  measuredAt: number,
  keys: Readonly<Record<string, KeyValue>>,
): boolean {
  if (measuredAt < fetchedFrom(run)) return true;
  for (const rule of fact.stale_after) {
    for (let index = measuredAt + 1; index < run.segments.length; index++) {
      const segment = run.segments[index] as Segment;
      const observes = segment.observes;
      if (observes === null || !rule.tools.includes(observes.tool) || failed(segment, rules)) continue;
      const args = plainOf(observes.arguments);
      const body = plainOf(segment.body);
      const touches = matchOf(rule.match).every(([left, right]) => {
        const key = keys[right];
        // A key that nobody settled can't tell the records apart, nor can arguments that nobody could read: then any such
        // call makes it stale.
        if (key === undefined && right !== 'typed') return true;
        if (args === null && left.startsWith('arguments')) return true;
        return agrees(run, rules, left, key, right === 'typed', args, body, body);
      });
      if (touches) return true;
    }
    for (const entry of run.entries) {
      if (entry.kind !== 'started' || !rule.tools.includes(entry.tool)) continue;
      // Its result is not there: only what its arguments rule out is surely another record.
      const args = plainOf(entry.arguments);
      const other = matchOf(rule.match).some(
        ([left, right]) =>
          args !== null &&
          left.startsWith('arguments') &&
          keys[right] !== undefined &&
          !agrees(run, rules, left, keys[right], right === 'typed', args, null, null),
      );
      if (!other) return true;
    }
  }
  return false;
}

function recordOfParts(text: string, parts: Readonly<Record<string, { start: number; end: number }>>): Json {
  return Object.fromEntries(
    Object.entries(parts).map(([name, span]) => [name, text.slice(span.start, span.end)]),
  );
}

/** The value of a whole record, as expressions see it. */
export function recordValue(run: RunInput, fact: FactRule, place: RecordPlace): Json | undefined {
  if (place.in === 'json') {
    const segment = run.segments[place.segment];
    return segment === undefined ? undefined : valueAt(observed(segment), place.pointer);
  }
  if (place.in !== 'text') return undefined;
  const text = textOf(run.segments[place.segment]);
  const parts = text === null ? null : partsOf(run, fact, place.segment, text);
  return text === null || parts === null ? undefined : recordOfParts(text, parts);
}

/** Every place that a path (with `*`) names in a record, with its value. */
export function fieldsOf(
  run: RunInput,
  fact: FactRule,
  place: RecordPlace,
  path: Pointer,
): { readonly place: Place; readonly value: Json }[] {
  if (place.in === 'json') {
    return expand(recordValue(run, fact, place), path).map((found) => ({
      place: { ...place, pointer: place.pointer + found.pointer },
      value: found.value,
    }));
  }
  if (place.in !== 'text') return [];
  const text = textOf(run.segments[place.segment]);
  const parts = text === null ? null : partsOf(run, fact, place.segment, text);
  if (text === null || parts === null) return [];
  return Object.entries(parts)
    .filter(([name]) => path === `/${escapeSegment(name)}` || path === '/*')
    .map(([, span]) => ({
      place: inText(place.segment, span),
      value: text.slice(span.start, span.end),
    }));
}

function partsOf(
  run: RunInput,
  fact: FactRule,
  segment: number,
  text: string,
): Readonly<Record<string, { start: number; end: number }>> | null {
  const tool = run.segments[segment]?.observes?.tool;
  for (const alternative of fact.measured_by) {
    if (alternative.template === undefined || alternative.tool !== tool) continue;
    const parts = matchTemplate(alternative.template, text);
    if (parts !== null) return parts;
  }
  return null;
}

/** A field of the measuring call's own request; it counts only beside a record of that same result. */
export function argumentOf(
  run: RunInput,
  place: RecordPlace,
  path: Pointer,
): { place: Place; value: Json }[] {
  if (place.in === 'entry') return [];
  const observes = run.segments[place.segment]?.observes;
  if (observes === null || observes === undefined) return [];
  return expand(plainOf(observes.arguments), path).map((found) => ({
    place: inJson(place.segment, 'arguments', found.pointer),
    value: found.value,
  }));
}

export function exactKey(value: Json): KeyValue {
  return { value, same: (other) => sameJson(value, other) };
}
