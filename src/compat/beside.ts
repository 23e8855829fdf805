import { digestOf } from '../events/digest.ts';
import type { Json } from '../events/json.ts';
import type { SlotState, Verdict } from '../events/verdict.ts';
import { isArgument, nameOf } from './slot-name.ts';

/**
 * What the skeleton's record has no place for, under one key of its own (`grounds`), so that nothing of the verdict but its
 * places is lost and no key of the skeleton changes its meaning. Slots have Grounds' own ids here.
 *
 * @param others all of the verdict's slots but the user's conditions
 */
export function besideOf(verdict: Verdict, others: readonly SlotState[]): Record<string, Json> {
  const slots = verdict.slots ?? [];
  return {
    verdict: verdict.kind,
    rule: verdict.rule,
    verdict_digest: digestOf(verdict),
    /** As the gate counts: every unknown slot once, whoever declared it. */
    unknown_count: verdict.unknown_count,
    null_slots: slots.flatMap((state) =>
      state.state === 'null'
        ? [{ slot: state.slot, name: nameOf(state.slot), source: state.source, reason: state.reason }]
        : [],
    ),
    unmet: verdict.unmet.map(({ slot, reason, declared_by }) => ({ slot, reason, declared_by })),
    not_run: verdict.not_run.map(({ slot, reason }) => ({ slot, reason })),
    routes: [...verdict.intent, ...slots].flatMap((state) =>
      state.state === 'unknown'
        ? [{ slot: state.slot, route: state.route, reason: state.reason, waits_for: [...state.waits_for] }]
        : [],
    ),
    /** Of the provider and the system, with labels: what the user declared stands in user_checklist. */
    conditions: others.flatMap(({ slot, state, reason, declared_by }) =>
      isArgument(slot) ? [] : [{ slot, state, reason, declared_by }],
    ),
    reductions: verdict.reductions.map(({ kind, slot, declared_by }) => ({ kind, slot, declared_by })),
    defects: verdict.defects.map(({ at, reason, declared_by }) => ({ at, reason, declared_by })),
    rests_on: {
      gate: verdict.rests_on.gate,
      ruleset: verdict.rests_on.ruleset,
      tool: verdict.rests_on.tool,
      checklists: [...verdict.rests_on.checklists],
    },
  };
}
