import type { Json } from '../events/json.ts';
import type { SlotState } from '../events/verdict.ts';
import { type Condition, type ConditionResult, judgeCondition } from './conditions.ts';
import { applyDefects } from './kept-open.ts';
import type { ValueSlot } from './slot-list.ts';
import { knownState, unknownState } from './states.ts';
import type { Whole } from './whole.ts';

/** The result of every condition; computed slots (`fixed_by`) take their states in `states`. RULES R11. */
export function judgeConditions(
  whole: Whole,
  states: Map<string, SlotState>,
  args: Json,
): Map<string, ConditionResult> {
  const { run, rules, list, conditions, settled } = whole;
  const fixed = list.slots.filter((slot) => slot.fixedBy !== null);
  const fixers = new Map(fixed.map((slot) => [slot.id, fixerOf(slot, conditions)]));
  const results = new Map<string, ConditionResult>();
  const around = {
    run,
    rules,
    args,
    slots: states,
    computes: (condition: string, slot: string) =>
      fixed.some((item) => item.id === slot && item.fixedBy === condition),
    instances: (fact: string, index: number | null) => {
      const each = rules.facts.find((known) => known.id === fact)?.each;
      return settled.facts.instances(fact, index, each);
    },
    fact: settled.facts.state,
    routeOf: settled.facts.routeOf,
  };
  const judge = (condition: Condition): ConditionResult => {
    const own = {
      ...around,
      instances: (fact: string, index: number | null) =>
        settled.facts.instances(fact, index, condition.rule.each),
    };
    return judgeCondition(condition, own);
  };
  // A computed slot stands open until its condition is judged, and may itself be what another condition needs.
  for (const slot of fixed) {
    states.set(
      slot.id,
      unknownState(slot.id, slot.declared_by, 'S19', 'waits_for', 'definition_repair', {
        waits: [slot.fixedBy as string],
      }),
    );
  }
  for (let pass = 0, moved = true; moved && pass <= fixed.length; pass++) {
    moved = false;
    for (const slot of fixed) {
      const condition = fixers.get(slot.id);
      if (condition === undefined) continue;
      const state = computedState(slot, judge(condition));
      moved ||= states.get(slot.id)?.state !== state.state;
      states.set(slot.id, state);
    }
    // A computed slot whose declaration can't stand is computed by nothing.
    applyDefects(whole, states);
  }
  for (const condition of conditions) results.set(condition.id, judge(condition));
  return results;
}

function fixerOf(slot: ValueSlot, conditions: readonly Condition[]): Condition | undefined {
  const own = conditions.filter((condition) => condition.rule.id === slot.fixedBy);
  return (
    own.find(
      ({ index, rule }) =>
        index !== null && rule.each !== undefined && slot.id.startsWith(`${rule.each.slice(0, -1)}${index}/`),
    ) ??
    own.find(({ index }) => index === null) ??
    own[0]
  );
}

function computedState(slot: ValueSlot, result: ConditionResult): SlotState {
  const party = slot.declared_by;
  if (result.kind === 'unknown') {
    return unknownState(slot.id, party, 'S19', 'waits_for', result.route, {
      waits: [slot.fixedBy as string],
    });
  }
  // A condition that was excused or is not met leaves the value computed; whether it holds stands with the condition.
  const { source, origin } = result.kind === 'not_run' ? { source: null, origin: null } : result;
  return knownState(slot.id, party, 'R11', 'computed', { source, origin, also: 0 });
}
