import type { Json } from '../events/json.ts';
import type { Place } from '../events/place.ts';
import type { ReasonId } from '../events/vocabulary.ts';
import { readJson } from './conversation.ts';
import type { FactInstance, FactState } from './fact-board.ts';
import { argumentOf, fieldsOf } from './facts.ts';
import type { Rules, SlotRule } from './rules-for.ts';
import type { Said } from './settling.ts';
import type { ValueSlot } from './slot-list.ts';
import type { RunInput } from './types.ts';

export interface FactTable {
  /** Instances that a reference means for a slot (its own element's, or all). */
  instancesFor(fact: string, slot: string): readonly FactInstance[];
  state(instance: string): FactState;
}

interface Path {
  readonly fact: string;
  readonly path: string;
  readonly root: 'record' | 'arguments';
  /** One of several values that the source holds: the choice itself is then not confirmed. RULES R8c. */
  readonly member: boolean;
}

/** Where a slot may be measured: its own references, then the records that its group may be bound by. */
export function pathsOf(rules: Rules, slot: ValueSlot): readonly Path[] {
  // Without a rule of its own a slot's paths hang on all the rules.
  const owner = slot.rule ?? rules;
  let byPattern = pathMemo.get(owner);
  if (byPattern === undefined) {
    byPattern = new Map();
    pathMemo.set(owner, byPattern);
  }
  let paths = byPattern.get(slot.pattern);
  if (paths === undefined) {
    paths = findPaths(rules, slot);
    if (byPattern.size >= 4096) byPattern.clear();
    byPattern.set(slot.pattern, paths);
  }
  return paths;
}

const pathMemo = new WeakMap<Rules | SlotRule, Map<string, readonly Path[]>>();

function findPaths(rules: Rules, slot: ValueSlot): readonly Path[] {
  // Of a fact that takes all matching records, each record holds one of the values.
  const several = (id: string): boolean => rules.facts.some((fact) => fact.id === id && fact.take === 'all');
  const paths: Path[] = (slot.rule?.measured ?? []).map((ref) => {
    const hash = ref.indexOf('#');
    const fact = ref.slice(0, hash);
    const path = ref.slice(hash + 1);
    return { fact, path, root: 'record', member: path.includes('*') || several(fact) };
  });
  for (const group of rules.groups) {
    for (const record of group.records) {
      const field = record.fields[slot.pattern];
      if (field === undefined) continue;
      const root = field.startsWith('arguments') ? 'arguments' : 'record';
      const path = field.slice(root.length);
      paths.push({
        fact: record.fact,
        path: root === 'record' ? record.at + path : path,
        root,
        member: record.at.includes('*') || path.includes('*') || several(record.fact),
      });
    }
  }
  return paths;
}

/** What `measured_data` says of a slot, once the facts that it names are settled; null while one is still open. */
export function readMeasured(run: RunInput, rules: Rules, slot: ValueSlot, facts: FactTable): Said | null {
  const source = 'measured_data';
  const waits: string[] = [];
  let failed = false;
  let unfinished = false;
  let misfit: Place | null = null;
  let refusal: { reason: ReasonId; place: Place | undefined } | null = null;
  let nothing: Place | null = null;
  for (const path of pathsOf(rules, slot)) {
    for (const instance of facts.instancesFor(path.fact, slot.id)) {
      const state = facts.state(instance.id);
      if (state.state === 'open') return null;
      if (state.state === 'waits') waits.push(instance.id, ...state.on);
      if (state.state === 'failed') failed = true;
      if (state.state === 'unfinished') unfinished = true;
      if (state.state === 'refused') refusal ??= state;
      if (state.state !== 'measured') continue;
      for (const record of state.records) {
        const fields =
          path.root === 'record'
            ? fieldsOf(run, instance.rule, record, path.path)
            : argumentOf(run, record, path.path);
        const read = readFields(run, rules, slot, fields, path.member);
        if (read.sign === 'V') return { source, sign: 'V', place: read.place, also: read.also };
        if (read.sign === 'N') nothing ??= read.place;
        if (read.sign === 'B') misfit ??= read.place;
        if (read.sign === 'R') refusal ??= { reason: read.reason, place: read.place };
      }
    }
  }
  if (failed) return { source, sign: 'F' };
  if (nothing !== null) return { source, sign: 'N', place: nothing };
  if (misfit !== null) return { source, sign: 'B', place: misfit };
  if (unfinished) return { source, sign: 'S' };
  if (waits.length > 0) return { source, sign: 'W', waits };
  if (refusal !== null) {
    return {
      source,
      sign: 'R',
      reason: refusal.reason,
      ...(refusal.place === undefined ? {} : { place: refusal.place }),
    };
  }
  return { source, sign: 'A' };
}

type FieldRead =
  | { sign: 'V'; place: Place; also: number }
  | { sign: 'N' | 'B'; place: Place }
  | { sign: 'R'; reason: ReasonId; place: Place | undefined }
  | { sign: 'A' };

function readFields(
  run: RunInput,
  rules: Rules,
  slot: ValueSlot,
  fields: readonly { readonly place: Place; readonly value: Json }[],
  member: boolean,
): FieldRead {
  const { reader } = slot;
  if (fields.length === 0 || reader === null) return { sign: 'A' };
  const first = fields[0] as (typeof fields)[number];
  if (!member && first.value === null) {
    return slot.leaf === undefined || slot.leaf === null
      ? { sign: 'N', place: first.place }
      : { sign: 'R', reason: 'differs_from_proposal', place: first.place };
  }
  const context = { at: run.now, zone: rules.zone };
  const reads = fields.map((field) => ({ ...field, read: readJson(reader, field.value, context) }));
  const same = reads.filter(
    ({ read }) => read !== undefined && slot.leaf !== undefined && reader.same(read, slot.leaf),
  );
  const hit = same[0];
  if (hit !== undefined) {
    return member && slot.rule?.select !== 'member'
      ? { sign: 'R', reason: 'choice_not_confirmed', place: hit.place }
      : { sign: 'V', place: hit.place, also: same.length };
  }
  if (member) return { sign: 'R', reason: 'not_a_member', place: undefined };
  const only = reads[0] as (typeof reads)[number];
  if (only.read === undefined) return { sign: 'B', place: only.place };
  // Without a proposal the record's own value is the value.
  return slot.leaf === undefined
    ? { sign: 'V', place: only.place, also: reads.length }
    : { sign: 'R', reason: 'differs_from_proposal', place: only.place };
}
