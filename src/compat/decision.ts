import type { SlotState, Verdict } from '../events/verdict.ts';
import { isExecutable } from '../projections/verdict-facts.ts';
import type { SkeletonDecision } from './skeleton-record.ts';

/**
 * What the skeleton would have written of whether to proceed. RULES R22: with something to ask, `ask_user`; all that a
 * question can't mend, and all that may not be asked again, is `hold`. A verdict of Grounds never says so itself.
 */
export function decisionOf(verdict: Verdict): SkeletonDecision {
  switch (verdict.kind) {
    case 'executable':
      return isExecutable(verdict) ? 'execute' : 'hold';
    case 'schedulable':
      return 'deferred';
    case 'intent_undetermined':
    case 'tool_undetermined':
      // No next attempt: the ceiling is reached, or a hook failed, and no answer repairs a hook.
      return verdict.next_attempt === null ? 'hold' : 'ask_user';
    case 'unknown':
      return (verdict.slots ?? []).some((state) => blocks(state) && state.route === 'ask_user')
        ? 'ask_user'
        : 'hold';
    case 'unmet':
    case 'definition_repair':
      return 'hold';
  }
}

/** What stands in the way now: what waits for its trigger is counted, and asked of nobody. */
export function blocks(state: SlotState): state is SlotState & { readonly state: 'unknown' } {
  return state.state === 'unknown' && !state.pending;
}
