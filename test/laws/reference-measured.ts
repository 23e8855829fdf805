import type { Json } from '../../src/events/json.ts';
import type { Place } from '../../src/events/place.ts';
import type { RunInput } from '../../src/gate/types.ts';
import type { Sign } from './reference-claims.ts';
import { type FactOutcome, fieldsAt, type Instance } from './reference-facts.ts';
import type { Slot, SlotDecl } from './reference-slots.ts';
import { all, contextFor, type InForce, plain } from './reference-world.ts';
/** Where a slot may be measured: its own references, then the records that bind its group. */
export function pathsFor(rules: InForce, slot: Slot) {
  // R8c: one of several, by the path or because the fact takes all records.
  const several = (fact: string, ...paths: string[]) =>
    paths.some((path) => path.includes('*')) || rules.facts[fact]?.take === 'all';
  const own = (slot.decl?.measured ?? []).map((ref) => {
    const [fact = '', path = ''] = ref.split('#');
    return { fact, path, args: false, member: several(fact, path) };
  });
  const bound = rules.groups.flatMap(({ records }) =>
    records.flatMap((record) => {
      const field = record.fields[slot.pattern];
      if (field === undefined) return [];
      const [fact = '', at = ''] = record.fact.split('#');
      const args = field.startsWith('arguments');
      const path = args ? field.slice('arguments'.length) : at + field.slice('record'.length);
      return [{ fact, path, args, member: several(fact, at, path) }];
    }),
  );
  return [...own, ...bound];
}

/** S13–S15, S21, S23: what `measured_data` says; null while a fact is open. */
export function measuredSign(
  run: RunInput,
  rules: InForce,
  slot: Slot,
  instancesOf: (fact: string, slot: string) => readonly Instance[],
  outcomeOf: (id: string) => FactOutcome | undefined,
): Sign | null {
  const signs: Sign[] = [];
  for (const path of pathsFor(rules, slot)) {
    for (const instance of instancesOf(path.fact, slot.id)) {
      const fact = outcomeOf(instance.id);
      if (fact === undefined) return null;
      if (fact.is === 'waits') signs.push({ is: 'W', on: [instance.id] });
      if (fact.is === 'failed') signs.push({ is: 'F' });
      if (fact.is === 'unfinished') signs.push({ is: 'S' });
      if (fact.is === 'refused') signs.push({ is: 'R', reason: fact.reason });
      if (fact.is !== 'measured') continue;
      for (const record of fact.records) signs.push(fieldSign(run, rules, slot, instance, record, path));
      const hit = signs.find(({ is }) => is === 'V');
      if (hit !== undefined) return hit;
    }
  }
  for (const is of ['F', 'N', 'B', 'S'] as const) {
    const found = signs.find((sign) => sign.is === is);
    if (found !== undefined) return found;
  }
  const waits = signs.flatMap((sign) => (sign.is === 'W' ? [...sign.on] : []));
  if (waits.length > 0) return { is: 'W', on: waits };
  return signs.find(({ is }) => is === 'R') ?? { is: 'A' };
}

function fieldSign(
  run: RunInput,
  rules: InForce,
  slot: Slot,
  instance: Instance,
  record: Place,
  path: { path: string; args: boolean; member: boolean },
): Sign {
  const { reader, leaf } = slot;
  const fields = path.args
    ? argumentsBeside(run, record, path.path)
    : fieldsAt(run, instance.decl, record, path.path);
  const [only] = fields;
  if (only === undefined || reader === null) return { is: 'A' };
  const differs: Sign = { is: 'R', reason: 'differs_from_proposal' };
  if (!path.member && only.value === null) return leaf == null ? { is: 'N', place: only.place } : differs;
  const read = (value: Json) => reader.fromJson(value, contextFor(run, rules, null));
  const isLeaf = (value: Json | undefined) =>
    value !== undefined && leaf !== undefined && reader.same(value, leaf);
  const hit = fields.find(({ value }) => isLeaf(read(value)));
  if (hit !== undefined) {
    return path.member && slot.decl?.select !== 'member'
      ? { is: 'R', reason: 'choice_not_confirmed' }
      : { is: 'V', place: hit.place };
  }
  if (path.member) return { is: 'R', reason: 'not_a_member' };
  if (read(only.value) === undefined) return { is: 'B' };
  return leaf === undefined ? { is: 'V', place: only.place } : differs;
}

export function argumentsBeside(run: RunInput, record: Place, path: string): { place: Place; value: Json }[] {
  if (record.in === 'entry') return [];
  const observes = run.segments[record.segment]?.observes;
  if (observes == null) return [];
  return all(plain<Json>(observes.arguments), path).map(({ pointer, value }) => ({
    place: { in: 'json', segment: record.segment, of: 'arguments', pointer },
    value,
  }));
}

/** Facts whose records name values of a slot. */
export function namingFacts(decl: SlotDecl | undefined): string[] {
  const refs = [
    ...(decl?.named_by ?? []).map(({ record }) => record),
    ...Object.entries(decl?.phrases ?? {})
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, ref]) => ref),
  ];
  return [...new Set(refs.map((ref) => ref.split('#')[0] ?? ''))];
}
