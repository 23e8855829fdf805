import type { Lookup, LookupRequest } from '../../src/events/lookup.ts';
import type { Place } from '../../src/events/place.ts';
import type { RunInput } from '../../src/gate/types.ts';
import { approvalHolds, wordsFor } from './reference-claims.ts';
import { type FactOutcome, fieldsAt, type Instance } from './reference-facts.ts';
import { argumentsBeside, namingFacts } from './reference-measured.ts';
import type { Slot } from './reference-slots.ts';
import { all, contextFor, equal, type InForce, proposed } from './reference-world.ts';

type Hull = readonly [start: number, end: number];

/** R7c: the slots of groups whose elements can't be told apart. */
export function mixed(
  run: RunInput,
  rules: InForce,
  slots: readonly Slot[],
  instancesOf: (fact: string, slot: string) => readonly Instance[],
  facts: ReadonlyMap<string, FactOutcome>,
  answer: (request: LookupRequest) => Lookup,
): Set<string> {
  const args = proposed(run);
  const out = new Set<string>();
  if (args === undefined) return out;
  const groups: { of: readonly string[]; records: InForce['groups'][number]['records'] }[] = [
    ...rules.groups,
  ];
  // An array of objects is a group though nobody says so.
  for (const { pattern } of slots) {
    const star = pattern.lastIndexOf('/*/');
    const each = pattern.slice(0, star + 2);
    if (star >= 0 && !groups.some(({ of }) => of.includes(each))) groups.push({ of: [each], records: [] });
  }
  for (const { of, records } of groups) {
    const arrays = of.map((each) => all(args, each).map(({ pointer }) => pointer));
    const count = Math.max(0, ...arrays.map(({ length }) => length));
    const elements = Array.from({ length: count }, (_, n) =>
      slots.filter(({ id }) =>
        arrays.some((array) => array[n] !== undefined && (id === array[n] || id.startsWith(`${array[n]}/`))),
      ),
    );
    if (elements.length < 2) continue;
    const patterns = [...new Set(elements.flat().map(({ pattern }) => pattern))];
    const differing = patterns.filter((pattern) => {
      const values = elements.map((element) =>
        element.filter((slot) => slot.pattern === pattern).map(({ leaf }) => leaf),
      );
      const flat = values.flat();
      return flat.length !== elements.length || flat.some((value) => !equal(value, flat[0]));
    });
    if (differing.length === 0 || elements.every(({ length }) => length < 2)) continue;
    const differs = ({ pattern }: Slot) => differing.includes(pattern);
    const bound = (element: readonly Slot[]) =>
      approvedWhole(run, rules, element) ||
      records.some(({ fact: ref, fields }) => {
        const [name = '', at = ''] = ref.split('#');
        const held = element.filter(({ pattern }) => Object.hasOwn(fields, pattern));
        if (held.length === 0 || !element.every((slot) => !differs(slot) || held.includes(slot)))
          return false;
        return instancesOf(name, element[0]?.id ?? '').some(({ id, decl }) => {
          const fact = facts.get(id);
          if (fact?.is !== 'measured') return false;
          return fact.records.some((record) =>
            fieldsAt(run, decl, record, at).some((part) =>
              held.every((slot) => {
                const field = fields[slot.pattern] as string;
                const values = field.startsWith('arguments')
                  ? argumentsBeside(run, record, field.slice('arguments'.length))
                  : all(part.value, field.slice('record'.length));
                return values.some(({ value }) => {
                  const read = slot.reader?.fromJson(value, contextFor(run, rules, null));
                  return (
                    read !== undefined &&
                    slot.leaf !== undefined &&
                    slot.reader?.same(read, slot.leaf) === true
                  );
                });
              }),
            ),
          );
        });
      });
    const unbound = elements.filter((element) => !bound(element));
    const hulls = unbound.map((element) =>
      hullsOf(
        element
          .filter((slot) => differs(slot) && slot.decl?.fixed_by === undefined && !slot.fixedBySchema)
          .map((slot) => wordsFor(run, rules, slot, lookupsFor(slot, instancesOf, facts, answer))),
      ),
    );
    if (apart(hulls)) continue;
    for (const slot of unbound.flat()) if (differs(slot)) out.add(slot.id);
  }
  return out;
}

function approvedWhole(run: RunInput, rules: InForce, element: readonly Slot[]): boolean {
  return run.entries.some(
    (entry, index) =>
      entry.kind === 'approval' &&
      approvalHolds(run, rules, index) &&
      element.every(({ id }) => entry.shown.some(({ slot }) => slot === id)),
  );
}

/** What can be said about where a slot's words stand. */
function lookupsFor(
  slot: Slot,
  instancesOf: (fact: string, slot: string) => readonly Instance[],
  facts: ReadonlyMap<string, FactOutcome>,
  answer: (request: LookupRequest) => Lookup,
): Lookup[] {
  const key: Record<string, Place> = {};
  for (const fact of namingFacts(slot.decl)) {
    for (const { id } of instancesOf(fact, slot.id)) {
      const outcome = facts.get(id);
      if (outcome?.is === 'measured' && outcome.records[0] !== undefined)
        key[`${fact}#`] = outcome.records[0];
    }
  }
  return (['instruction', 'pre_set_data'] as const)
    .filter((source) => slot.sources.includes(source))
    .flatMap((source) => [
      answer({ subject: { slot: slot.id }, source, key: {} }),
      ...(Object.keys(key).length === 0 ? [] : [answer({ subject: { slot: slot.id }, source, key })]),
    ]);
}

/** Every choice of one place a leaf. */
function hullsOf(leaves: readonly (readonly Place[])[]): Hull[] {
  if (leaves.length === 0) return [];
  let hulls: Hull[] = [[Number.MAX_SAFE_INTEGER, -1]];
  for (const places of leaves) {
    hulls = hulls.flatMap(([start, end]) =>
      places.flatMap((place): Hull[] =>
        place.in === 'text'
          ? [[Math.min(start, at(place.segment, place.start)), Math.max(end, at(place.segment, place.end))]]
          : [],
      ),
    );
  }
  return hulls;
}

/** Conversation order as one number. */
const at = (segment: number, unit: number): number => segment * 1e9 + unit;

function apart(elements: readonly (readonly Hull[])[], chosen: readonly Hull[] = []): boolean {
  const [first, ...rest] = elements;
  if (first === undefined) return true;
  return first.some(
    ([start, end]) =>
      chosen.every((other) => end <= other[0] || other[1] <= start) && apart(rest, [...chosen, [start, end]]),
  );
}
