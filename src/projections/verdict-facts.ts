import type { Verdict } from '../events/verdict.ts';
import type { CallRow } from './call-row.ts';

/** Law 23: a count that is null never reads as executable. */
export function isExecutable(verdict: Verdict): boolean {
  return (
    verdict.kind === 'executable' &&
    verdict.phase === 'at_trigger' &&
    verdict.unknown_count === 0 &&
    verdict.unmet.length === 0
  );
}

/** Every unknown slot once, in the verdict's order; what is open of the intent comes first. */
export function unknownOf(verdict: Verdict): CallRow['unknown'] {
  const unknown: CallRow['unknown'][number][] = [];
  for (const state of verdict.intent) {
    if (state.state !== 'unknown') continue;
    unknown.push({ slot_id: state.slot, kind: 'intent', route: state.route, reason: state.reason });
  }
  for (const state of verdict.slots ?? []) {
    if (state.state !== 'unknown') continue;
    unknown.push({
      slot_id: state.slot,
      kind: kindOfSlot(state.slot),
      route: state.route,
      reason: state.reason,
    });
  }
  return unknown;
}

/** Arguments are pointers; whatever else stands among a verdict's slots is checked, not sent. */
export function kindOfSlot(slot: string): 'value' | 'condition' {
  return slot.startsWith('/') ? 'value' : 'condition';
}
