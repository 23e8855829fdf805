import type { Json } from '../../src/events/json.ts';
import type { Place } from '../../src/events/place.ts';
import type { RunInput } from '../../src/gate/types.ts';
import type { Answer } from './opinion.ts';
import { type Sign, signOf } from './reference-claims.ts';
import type { Condition } from './reference-conditions.ts';
import { type FactOutcome, fieldsAt, type Instance, judgeRecords, questionsOf } from './reference-facts.ts';
import { measuredSign, namingFacts, pathsFor } from './reference-measured.ts';
import { rowOf, type Said, type Settled } from './reference-rows.ts';
import { readerName, type Slot } from './reference-slots.ts';
import { all, type InForce, proposed } from './reference-world.ts';

/** Every slot and fact as far as the sources go: S19–S24 are still to be applied. */
export interface Table {
  readonly walked: readonly Slot[];
  readonly instances: readonly Instance[];
  readonly facts: ReadonlyMap<string, FactOutcome>;
  readonly settled: ReadonlyMap<string, Settled>;
  instancesOf(fact: string, slot: string): Instance[];
}

/** Asks whatever can be asked, again and again, until nothing moves. */
export function settleAll(
  run: RunInput,
  rules: InForce,
  answer: Answer,
  slots: readonly Slot[],
  conditions: readonly Condition[],
): Table {
  const walked = slots.filter(({ decl, fixedBySchema }) => decl?.fixed_by === undefined && !fixedBySchema);
  const instances = instancesNeeded(run, rules, slots, conditions);
  const facts = new Map<string, FactOutcome>();
  const settled = new Map<string, Settled>();
  const instancesOf = (fact: string, slot: string): Instance[] => {
    const own = instances.filter(({ name }) => name === fact);
    const each = own[0]?.decl.each;
    if (each === undefined) return own;
    const mine = own.filter(({ index }) => under(slot, `${each.slice(0, -1)}${index}`));
    return mine.length > 0 ? mine : own;
  };

  // Walk the sources in order; null: something that it needs is still open.
  const walk = (slot: Slot): Settled | null => {
    const signs: Said[] = [];
    for (const source of slot.sources) {
      const said: (Sign | null)[] = [];
      if (source === 'measured_data')
        said.push(measuredSign(run, rules, slot, instancesOf, (id) => facts.get(id)));
      else {
        said.push(signOf(run, rules, slot, answer({ subject: { slot: slot.id }, source, key: {} })));
        const first = rowOf(run, slot, source, said[0] as Sign);
        if (first !== null) return { signs, state: first };
        if (source === 'instruction' || source === 'pre_set_data') {
          const key: Record<string, Place> = {};
          for (const fact of namingFacts(slot.decl)) {
            for (const { id } of instancesOf(fact, slot.id)) {
              const outcome = facts.get(id);
              if (outcome === undefined) return null;
              if (outcome.is === 'measured' && outcome.records[0] !== undefined)
                key[`${fact}#`] = outcome.records[0];
            }
          }
          if (Object.keys(key).length > 0) {
            said.push(signOf(run, rules, slot, answer({ subject: { slot: slot.id }, source, key })));
          }
        }
      }
      for (const sign of said) {
        if (sign === null) return null;
        const row = rowOf(run, slot, source, sign);
        if (row !== null) return { signs, state: row };
        signs.push({ ...sign, source });
      }
    }
    return { signs, state: null };
  };

  // R8b: one fact; undefined: open. `from`: where to begin, once a standstill passed over what waits.
  const settleFact = (instance: Instance, from: number): { outcome?: FactOutcome; ready?: number } => {
    const questions = questionsOf(instance.decl);
    const waits = new Set<string>();
    let asked = false;
    let blocked = false;
    let ready: number | undefined;
    for (const [position, { refs, alternatives }] of questions.entries()) {
      const key: Record<string, Place | null> = {};
      let dead = false;
      let open = false;
      for (const ref of refs) {
        if (ref === 'typed') key[ref] = null;
        else if (ref.startsWith('/')) {
          const id = instance.index === null ? ref : ref.replace('/*', `/${instance.index}`);
          const slot = walked.find((one) => one.id === id);
          const state = settled.get(id);
          if (slot === undefined) dead = true;
          else if (state === undefined) {
            open = true;
            waits.add(id);
          } else if (state.state?.state === 'known' && state.state.place != null)
            key[ref] = state.state.place;
          else {
            dead = true;
            waits.add(id);
          }
        } else {
          const [name = '', path = ''] = ref.split('#');
          const others = instances.filter((one) => one.name === name);
          const other = others.find(({ index }) => index === instance.index) ?? others[0];
          const outcome = other === undefined ? undefined : facts.get(other.id);
          waits.add(other?.id ?? name);
          if (outcome === undefined) open = true;
          else {
            const record = outcome.is === 'measured' ? outcome.records[0] : undefined;
            const field =
              record === undefined ? undefined : fieldsAt(run, (other as Instance).decl, record, path)[0];
            if (field === undefined) dead = true;
            else key[ref] = field.place;
          }
        }
      }
      if (dead) continue;
      if (open) {
        if (position >= from) blocked = true;
        continue;
      }
      if (blocked) {
        ready ??= position;
        continue;
      }
      const lookup = answer({
        subject: { fact: instance.name, index: instance.index },
        source: 'measured_data',
        key,
      });
      asked = true;
      const { outcome } = lookup;
      if (outcome.said === 'claim') {
        const readerFor = (id: string, value: Json) => {
          const slot = walked.find((one) => one.id === id);
          return readerName(slot?.decl, value);
        };
        return {
          outcome: judgeRecords(run, rules, instance, alternatives, lookup, outcome.claims, readerFor),
        };
      }
      if (outcome.said === 'failed' || outcome.said === 'unfinished')
        return { outcome: { is: outcome.said } };
    }
    if (blocked) return ready === undefined ? {} : { ready };
    return { outcome: asked ? { is: 'absent' } : { is: 'waits', on: [...waits] } };
  };

  const from = new Map<string, number>();
  for (;;) {
    let moved = false;
    for (const slot of walked) {
      if (settled.has(slot.id)) continue;
      const result = walk(slot);
      if (result === null) continue;
      settled.set(slot.id, result);
      moved = true;
    }
    let stuck: { id: string; ready: number } | null = null;
    for (const instance of instances) {
      if (facts.has(instance.id)) continue;
      const { outcome, ready } = settleFact(instance, from.get(instance.id) ?? 0);
      if (outcome !== undefined) {
        facts.set(instance.id, outcome);
        moved = true;
      } else if (stuck === null && ready !== undefined) stuck = { id: instance.id, ready };
    }
    if (moved) continue;
    if (stuck !== null) {
      from.set(stuck.id, stuck.ready);
      continue;
    }
    const open = instances.filter(({ id }) => !facts.has(id));
    if (open.length === 0) break;
    // A circle: each waits for what nobody settled.
    for (const instance of open) {
      const on = instance.decl.measured_by.flatMap(({ match }) =>
        Object.values(match).flatMap((ref) => {
          if (ref === 'typed') return [];
          if (ref.startsWith('/'))
            return [instance.index === null ? ref : ref.replace('/*', `/${instance.index}`)];
          const others = instances.filter(({ name }) => name === ref.split('#')[0]);
          return [(others.find(({ index }) => index === instance.index) ?? others[0])?.id ?? ref];
        }),
      );
      facts.set(instance.id, { is: 'waits', on });
    }
  }
  return { walked, instances, facts, settled, instancesOf };
}

function under(slot: string, element: string): boolean {
  return slot === element || slot.startsWith(`${element}/`);
}

/** Only facts that something reads are asked for. */
function instancesNeeded(
  run: RunInput,
  rules: InForce,
  slots: readonly Slot[],
  conditions: readonly Condition[],
): Instance[] {
  const needed = new Set<string>();
  const add = (name: string): void => {
    if (needed.has(name) || !Object.hasOwn(rules.facts, name)) return;
    needed.add(name);
    for (const { match } of rules.facts[name]?.measured_by ?? []) {
      for (const ref of Object.values(match)) if (ref.includes('#')) add(ref.split('#')[0] ?? '');
    }
  };
  for (const slot of slots) {
    if (slot.sources.includes('measured_data')) for (const { fact } of pathsFor(rules, slot)) add(fact);
    for (const fact of namingFacts(slot.decl)) add(fact);
  }
  for (const { facts } of conditions) for (const fact of facts) add(fact);
  return [...needed].sort().flatMap((name): Instance[] => {
    const decl = rules.facts[name] as Instance['decl'];
    if (decl.each === undefined) return [{ id: name, name, decl, index: null }];
    return all(proposed(run), decl.each).map((_, index) => ({ id: `${name}/${index}`, name, decl, index }));
  });
}
