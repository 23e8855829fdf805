import type { Json } from '../events/json.ts';
import type { Lookup } from '../events/lookup.ts';
import type { TextPlace } from '../events/place.ts';
import type { Pointer } from '../events/pointer.ts';
import { readJson } from './conversation.ts';
import { approvalHolds } from './entries.ts';
import { expand, sameJson } from './expand.ts';
import { argumentOf, fieldsOf } from './facts.ts';
import type { FactTable } from './measuring.ts';
import { wordsOf } from './reading.ts';
import type { GroupRule, Rules } from './rules-for.ts';
import type { ValueSlot } from './slot-list.ts';
import type { RunInput } from './types.ts';

/**
 * RULES R7c. Leaves that are each true somewhere don't make a true whole: "100 to A and 50 to B" proposed swapped has every
 * leaf in the user's words. An element stands if one record holds all its leaves, or the whole was approved together;
 * otherwise its words must lie apart from those of the other elements. Gives the slots that don't stand.
 */
export function mixedSlots(
  run: RunInput,
  rules: Rules,
  slots: readonly ValueSlot[],
  proposal: Json | undefined,
  facts: FactTable,
  answered: (slot: ValueSlot) => readonly Lookup[],
): ReadonlySet<string> {
  const mixed = new Set<string>();
  if (proposal === undefined) return mixed;
  for (const group of groupsOf(rules, slots)) {
    const elements = elementsOf(group, slots, proposal);
    if (elements.length < 2) continue;
    const differing = differingPatterns(elements);
    // One leaf an element has nothing to be mixed with.
    if (differing.size === 0 || elements.every((element) => element.leaves.length < 2)) continue;
    const unbound = elements.filter(
      (element) =>
        !boundByRecord(run, rules, group, element, differing, facts) &&
        !approvedTogether(run, rules, element),
    );
    if (unbound.length === 0) continue;
    const windows = unbound.map((element) => windowsOf(run, rules, element, differing, answered));
    if (canLieApart(windows)) continue;
    for (const element of unbound) {
      for (const leaf of element.leaves) if (differing.has(leaf.pattern)) mixed.add(leaf.id);
    }
  }
  return mixed;
}

interface Element {
  readonly index: number;
  readonly leaves: readonly ValueSlot[];
}

function groupsOf(rules: Rules, slots: readonly ValueSlot[]): GroupRule[] {
  const declared = [...rules.groups];
  const covered = new Set(declared.flatMap((group) => group.of));
  for (const slot of slots) {
    // Undeclared arrays of objects are groups too, with no record to be bound by.
    const star = slot.pattern.lastIndexOf('/*/');
    if (star < 0) continue;
    const each = slot.pattern.slice(0, star + 2);
    if (covered.has(each)) continue;
    covered.add(each);
    declared.push({ of: [each], records: [] });
  }
  return declared;
}

function elementsOf(group: GroupRule, slots: readonly ValueSlot[], proposal: Json): Element[] {
  // The element index is that of the last `*`; outer arrays are compared element by element in document order.
  const places = group.of.map((each) => expand(proposal, each).map(({ pointer }) => pointer));
  const count = places.reduce((most, list) => (list.length > most ? list.length : most), 0);
  if (count < 2) return [];
  return Array.from({ length: count }, (_, index) => {
    const own = places.flatMap((list) => list[index] ?? []);
    return {
      index,
      leaves: slots.filter(({ id }) => own.some((place) => id === place || id.startsWith(`${place}/`))),
    };
  });
}

function differingPatterns(elements: readonly Element[]): ReadonlySet<Pointer> {
  const differing = new Set<Pointer>();
  const first = new Map<Pointer, Json | undefined>();
  const counts = new Map<Pointer, number>();
  for (const element of elements) {
    for (const leaf of element.leaves) {
      counts.set(leaf.pattern, (counts.get(leaf.pattern) ?? 0) + 1);
      if (!first.has(leaf.pattern)) first.set(leaf.pattern, leaf.leaf);
      else if (!sameJson(first.get(leaf.pattern), leaf.leaf)) differing.add(leaf.pattern);
    }
  }
  for (const [pattern, count] of counts) if (count !== elements.length) differing.add(pattern);
  return differing;
}

function boundByRecord(
  run: RunInput,
  rules: Rules,
  group: GroupRule,
  element: Element,
  differing: ReadonlySet<Pointer>,
  facts: FactTable,
): boolean {
  return group.records.some((spec) => {
    const mapped = element.leaves.filter((leaf) => Object.hasOwn(spec.fields, leaf.pattern));
    const whole = element.leaves.every(
      (leaf) => !differing.has(leaf.pattern) || Object.hasOwn(spec.fields, leaf.pattern),
    );
    if (!whole || mapped.length === 0) return false;
    const anchor = element.leaves[0]?.id ?? '';
    return facts.instancesFor(spec.fact, anchor).some((instance) => {
      const state = facts.state(instance.id);
      if (state.state !== 'measured') return false;
      return state.records.some((record) =>
        fieldsOf(run, instance.rule, record, spec.at).some((part) =>
          mapped.every((leaf) => {
            const field = spec.fields[leaf.pattern] as string;
            const values = field.startsWith('arguments')
              ? argumentOf(run, record, field.slice('arguments'.length)).map(({ value }) => value)
              : expand(part.value, field.slice('record'.length)).map(({ value }) => value);
            return values.some((value) => reads(run, rules.zone, leaf, value));
          }),
        ),
      );
    });
  });
}

function reads(run: RunInput, zone: string, leaf: ValueSlot, value: Json): boolean {
  if (leaf.reader === null || leaf.leaf === undefined) return false;
  const read = readJson(leaf.reader, value, { at: run.now, zone });
  return read !== undefined && leaf.reader.same(read, leaf.leaf);
}

/** One structured approval that showed every leaf of the element as it is now shows the whole. RULES R9. */
function approvedTogether(run: RunInput, rules: Rules, element: Element): boolean {
  return run.entries.some(
    (entry, index) =>
      entry.kind === 'approval' &&
      approvalHolds(run, rules, index) &&
      element.leaves.every((leaf) => entry.shown.some((shown) => shown.slot === leaf.id)),
  );
}

interface Window {
  readonly start: number;
  readonly end: number;
}

/** Further apart than any text is long, so that one number orders places across segments. */
const SEGMENT = 1_000_000_000;

/** The smallest hulls of an element's words: for each word as the left end, the nearest of every other leaf. */
function windowsOf(
  run: RunInput,
  rules: Rules,
  element: Element,
  differing: ReadonlySet<Pointer>,
  answered: (slot: ValueSlot) => readonly Lookup[],
): Window[] {
  const leaves = element.leaves
    .filter((leaf) => differing.has(leaf.pattern) && leaf.fixedBy === null && !leaf.fixedBySchema)
    .map((leaf) => placesOf(answered(leaf).flatMap((lookup) => wordsOf(run, rules, leaf, lookup))));
  if (leaves.length === 0 || leaves.some((places) => places.length === 0)) return [];
  const windows: Window[] = [];
  for (const left of leaves.flat()) {
    let end = left.end;
    const complete = leaves.every((places) => {
      const next = places.find((place) => place.start >= left.start);
      if (next === undefined) return false;
      if (next.end > end) end = next.end;
      return true;
    });
    if (complete) windows.push({ start: left.start, end });
  }
  return windows.sort((a, b) => a.end - b.end || b.start - a.start);
}

function placesOf(words: readonly TextPlace[]): Window[] {
  return words
    .map(({ segment, start, end }) => ({ start: segment * SEGMENT + start, end: segment * SEGMENT + end }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
}

/** More tries than any honest list needs; past it the group counts as mixed. */
const TRIES = 20_000;

function canLieApart(windows: readonly (readonly Window[])[]): boolean {
  let tries = 0;
  const chosen: Window[] = [];
  const place = (index: number): boolean => {
    if (index === windows.length) return true;
    for (const window of windows[index] as readonly Window[]) {
      if (++tries > TRIES) return false;
      if (chosen.some((other) => window.start < other.end && other.start < window.end)) continue;
      chosen.push(window);
      if (place(index + 1)) return true;
      chosen.pop();
    }
    return false;
  };
  return place(0);
}
