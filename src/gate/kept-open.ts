import type { SlotState } from '../events/verdict.ts';
import { isInstance } from './expand.ts';
import { mixedSlots } from './groups.ts';
import { unknownState } from './states.ts';
import { wordLookups } from './walk.ts';
import type { Whole } from './whole.ts';

/** What was declared for a slot and can't be used as it stands keeps the slot open, for whoever declared it to mend. R4. */
export function applyDefects({ rules, list }: Whole, states: Map<string, SlotState>): void {
  for (const defect of rules.defects) {
    if (defect.slot === null) continue;
    for (const slot of list.slots) {
      if (!isInstance(slot.id, defect.slot)) continue;
      states.set(
        slot.id,
        unknownState(slot.id, defect.declared_by, 'R4', defect.reason, 'definition_repair'),
      );
    }
  }
}

/** Values that stand somewhere, but not together as they were sent, stay open. RULES R7c. */
export function applyGroups(
  { run, rules, asking, list, proposal, settled }: Whole,
  states: Map<string, SlotState>,
): void {
  const mixed = mixedSlots(run, rules, list.slots, proposal, settled.facts, (slot) =>
    wordLookups(slot, asking, settled.facts),
  );
  for (const id of mixed) {
    const state = states.get(id);
    if (state?.state !== 'known') continue;
    states.set(id, unknownState(id, state.declared_by, 'R7c', 'mixed_group', 'ask_user', {}, state.rejected));
  }
}
