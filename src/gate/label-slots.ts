import type { SlotState } from '../events/verdict.ts';
import type { Board } from './board.ts';
import type { Rules } from './rules-for.ts';
import type { ValueSlot } from './slot-list.ts';
import type { RunInput } from './types.ts';

/** The slots that a tool's description adds by its labels. null: a lookup is still needed. */
export function labelSlots(
  _run: RunInput,
  _rules: Rules,
  _slots: readonly ValueSlot[],
  _board: Board,
): readonly SlotState[] | null {
  return [];
}
