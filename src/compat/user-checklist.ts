import type { SlotState, Verdict } from '../events/verdict.ts';
import { type Condition, listConditions } from '../gate/conditions.ts';
import type { Rules } from '../gate/rules-for.ts';
import { proposedArguments } from '../gate/slot-list.ts';
import type { RunInput } from '../gate/types.ts';
import { blocks } from './decision.ts';
import type { SkeletonChecklistItem } from './skeleton-record.ts';

/** The user's own conditions, as the skeleton's user checklist. */
export interface UserChecklist {
  readonly items: readonly SkeletonChecklistItem[];
  /** How many are not confirmed; null where that was not decided. What was checked and fell short is not counted (R22). */
  readonly unverified: number | null;
  /** Those that stand in the way and are not confirmed. */
  readonly open: readonly { readonly id: string; readonly description: string; readonly note: string }[];
}

export function userChecklistOf(run: RunInput, rules: Rules, verdict: Verdict): UserChecklist {
  const conditions = userConditions(run, rules);
  const states = new Map((verdict.slots ?? []).map((state) => [state.slot, state]));
  const notRun = new Map(verdict.not_run.map(({ slot, reason }) => [slot, reason]));
  const items = conditions.map((condition) =>
    item(condition, states.get(condition.id), notRun.get(condition.id) ?? null),
  );
  const unknown = conditions.filter(({ id }) => states.get(id)?.state === 'unknown');
  // Measured conditions are run at the trigger: before it, none unconfirmed would read as all confirmed.
  const later = conditions.some(({ id }) => notRun.get(id) === 'phase');
  return {
    items,
    unverified: verdict.slots === null || later ? null : unknown.length,
    open: unknown.flatMap((condition) => {
      const state = states.get(condition.id);
      if (state === undefined || !blocks(state)) return [];
      return [{ id: condition.id, description: saysOf(condition), note: state.reason }];
    }),
  };
}

export function userConditions(run: RunInput, rules: Rules): Condition[] {
  return listConditions(rules, proposedArguments(run)).filter(({ rule }) => rule.declared_by === 'user');
}

/** `verified` is what was checked and holds; the note says which of the other cases it is. */
function item(
  condition: Condition,
  state: SlotState | undefined,
  notRun: string | null,
): SkeletonChecklistItem {
  const met = state?.state === 'known' && state.reason === 'met';
  const note = notRun ?? (met ? null : (state?.reason ?? null));
  return {
    id: condition.id,
    description: saysOf(condition),
    status: met ? 'verified' : 'unverified',
    source: state === undefined || state.state === 'unknown' ? null : state.source,
    ...(note === null ? {} : { note }),
  };
}

function saysOf({ rule }: Condition): string {
  return rule.says ?? rule.require;
}
