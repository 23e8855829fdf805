import type { SlotState } from '../events/verdict.ts';
import type { Route } from '../events/vocabulary.ts';
import type { Board } from './board.ts';
import type { Condition } from './conditions.ts';
import { expand, instantiate } from './expand.ts';
import { type FactInstance, type FactState, type SlotKey, settleFact } from './fact-board.ts';
import { namingFacts } from './locator/named.ts';
import type { FactTable } from './measuring.ts';
import { pathsOf } from './measuring.ts';
import type { FactRule, Rules } from './rules-for.ts';
import { proposedArguments, type ValueSlot } from './slot-list.ts';
import { strongestRoute } from './states.ts';
import type { RunInput } from './types.ts';
import { stateOf, type Walk, walkSlot } from './walk.ts';

export interface Settled {
  readonly states: ReadonlyMap<string, SlotState>;
  readonly facts: FactTable & {
    instances(fact: string, index: number | null, each?: string): readonly FactInstance[];
    routeOf(waits: readonly string[]): Route | null;
  };
}

const OPEN: FactState = { state: 'open' };

/**
 * Settles slots and facts together, each as soon as what it needs is settled. What is final never changes again, so the
 * order of work does not matter; only at a standstill is a choice made, and that by name order (RULES R8b).
 * null: some lookup is still needed.
 */
export function settleAll(
  run: RunInput,
  rules: Rules,
  slots: readonly ValueSlot[],
  conditions: readonly Condition[],
  board: Board,
): Settled | null {
  const walks = new Map<string, Walk>();
  const factStates = new Map<string, FactState>();
  const instances = neededInstances(run, rules, slots, conditions);
  const byFact = new Map<string, FactInstance[]>();
  for (const instance of instances) {
    const list = byFact.get(instance.rule.id);
    if (list === undefined) byFact.set(instance.rule.id, [instance]);
    else list.push(instance);
  }
  const walked = slots.filter((slot) => slot.fixedBy === null && !slot.fixedBySchema);

  const instancesFor = (fact: string, slot: string): readonly FactInstance[] => {
    const all = byFact.get(fact) ?? [];
    const each = all[0]?.rule.each;
    if (each === undefined) return all;
    const own = all.find(({ element }) => element !== null && isUnder(slot, element));
    return own === undefined ? all : [own];
  };
  const state = (id: string): FactState => factStates.get(id) ?? OPEN;
  const table: FactTable = { instancesFor, state };

  const slotKey = (id: string): SlotKey => {
    const walk = walks.get(id);
    if (walk === undefined) return { state: 'none' };
    const { decision } = walk;
    if (decision === null) return { state: 'open' };
    return decision !== 'end' && decision.state === 'known'
      ? { state: 'known', place: decision.said.place ?? null }
      : { state: 'unsettled' };
  };
  const neighbours = {
    slot: slotKey,
    fact: state,
    instance: (fact: string, index: number | null) => {
      const all = byFact.get(fact) ?? [];
      return (all.find((instance) => instance.index === index) ?? all[0])?.id ?? fact;
    },
    rule: (fact: string) => rules.facts.find((known) => known.id === fact),
  };

  const from = new Map<string, number>();
  for (;;) {
    let changed = true;
    let ready: { id: string; group: number } | null = null;
    while (changed) {
      changed = false;
      for (const slot of walked) {
        if ((walks.get(slot.id)?.decision ?? null) !== null) continue;
        const walk = walkSlot(run, rules, slot, board, table);
        walks.set(slot.id, walk);
        if (walk.decision !== null) changed = true;
      }
      ready = null;
      for (const instance of instances) {
        if (state(instance.id).state !== 'open') continue;
        const result = settleFact(run, rules, board, instance, neighbours, from.get(instance.id) ?? 0);
        if (result.state.state !== 'open') {
          factStates.set(instance.id, result.state);
          changed = true;
        } else if (ready === null && result.ready !== null) ready = { id: instance.id, group: result.ready };
      }
    }
    if (board.needs().length > 0) return null;
    if (ready !== null) {
      from.set(ready.id, ready.group);
      continue;
    }
    const open = instances.filter((instance) => state(instance.id).state === 'open');
    if (open.length === 0) break;
    // Nothing can move any more: these wait for what nobody settled.
    for (const instance of open)
      factStates.set(instance.id, { state: 'waits', on: waitsOf(rules, instance) });
  }

  const states = new Map<string, SlotState>();
  const pendingAllowed = run.phase === 'at_instruction';
  const settledRoutes = new Map<string, Route>();
  const closure = (waits: readonly string[], except: string | null): Route | null => {
    const seen = new Set<string>();
    const routes: Route[] = [];
    const visit = (id: string): void => {
      if (seen.has(id) || id === except) return;
      seen.add(id);
      const route = settledRoutes.get(id);
      if (route !== undefined) routes.push(route);
      const fact = factStates.get(id);
      if (fact?.state === 'waits') for (const next of fact.on) visit(next);
      if (fact?.state === 'failed') routes.push('definition_repair');
      if (fact?.state === 'absent' || fact?.state === 'unfinished' || fact?.state === 'refused') {
        routes.push('system_lookup');
      }
      const walk = walks.get(id);
      for (const said of walk?.said ?? [])
        if (said.sign === 'W') for (const next of said.waits ?? []) visit(next);
    };
    for (const id of waits) visit(id);
    return strongestRoute(routes);
  };
  const waiting: Walk[] = [];
  for (const walk of walks.values()) {
    if (walk.decision === 'end' && walk.said.some((said) => said.sign === 'W')) {
      waiting.push(walk);
      continue;
    }
    const settled = stateOf(walk, () => null, pendingAllowed);
    states.set(walk.slot.id, settled);
    if (settled.state === 'unknown') settledRoutes.set(walk.slot.id, settled.route);
  }
  // What stands in a waiting circle has no outside to take a route from: it is then simply not said.
  for (const walk of waiting) {
    const settled = stateOf(walk, (waits) => closure(waits, walk.slot.id), pendingAllowed);
    states.set(walk.slot.id, settled);
  }
  for (const walk of waiting) {
    const settled = states.get(walk.slot.id);
    if (settled?.state === 'unknown') settledRoutes.set(walk.slot.id, settled.route);
  }
  return {
    states,
    facts: {
      ...table,
      instances: (fact, index, each) => {
        const all = byFact.get(fact) ?? [];
        if (index === null || all[0]?.rule.each === undefined || all[0].rule.each !== each) return all;
        return all.filter((instance) => instance.index === index);
      },
      routeOf: (waits) => closure(waits, null),
    },
  };
}

function isUnder(slot: string, element: string): boolean {
  return slot.startsWith(element) && (slot.length === element.length || slot[element.length] === '/');
}

function waitsOf(rules: Rules, instance: FactInstance): string[] {
  const refs = instance.rule.measured_by.flatMap((alternative) => Object.values(alternative.match));
  const out = new Set<string>();
  for (const ref of refs) {
    if (ref === 'typed') continue;
    if (ref.startsWith('/')) {
      const each = instance.rule.each;
      const own =
        each !== undefined && instance.index !== null ? instantiate(ref, each, instance.index) : undefined;
      out.add(own ?? ref);
    } else {
      const name = ref.slice(0, ref.indexOf('#'));
      const other = rules.facts.find((fact) => fact.id === name);
      out.add(
        other === undefined
          ? name
          : instanceId(other, other.each === instance.rule.each ? instance.index : null),
      );
    }
  }
  return [...out].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

function instanceId(rule: FactRule, index: number | null): string {
  return index === null ? rule.id : `${rule.id}/${index}`;
}

/** Only facts that a slot, a condition or another needed fact reads are asked for. */
function neededInstances(
  run: RunInput,
  rules: Rules,
  slots: readonly ValueSlot[],
  conditions: readonly Condition[],
): FactInstance[] {
  const needed = new Set<string>();
  const need = (id: string): void => {
    if (needed.has(id)) return;
    const rule = rules.facts.find((fact) => fact.id === id);
    if (rule === undefined) return;
    needed.add(id);
    for (const alternative of rule.measured_by) {
      for (const ref of Object.values(alternative.match))
        if (ref.includes('#')) need(ref.slice(0, ref.indexOf('#')));
    }
  };
  for (const slot of slots) {
    if (slot.sources.includes('measured_data')) for (const path of pathsOf(rules, slot)) need(path.fact);
    for (const fact of namingFacts(slot.rule)) need(fact);
  }
  for (const condition of conditions) for (const fact of condition.facts) need(fact);
  const proposal = proposedArguments(run);
  return rules.facts
    .filter((rule) => needed.has(rule.id))
    .flatMap((rule): FactInstance[] =>
      rule.each === undefined
        ? [{ id: rule.id, rule, index: null, element: null }]
        : expand(proposal, rule.each).map(({ pointer }, index) => ({
            id: instanceId(rule, index),
            rule,
            index,
            element: pointer,
          })),
    );
}
