import type { SlotState, Verdict } from '../events/verdict.ts';
import { timingOf } from '../explain/timing.ts';
import { rawAt } from '../gate/keys.ts';
import type { Rules } from '../gate/rules-for.ts';
import type { RunInput } from '../gate/types.ts';
import type { SkeletonRecord } from './skeleton-record.ts';

/** The fixed checklist as the skeleton records it: what is not settled is null, and never a substitute. */
export function fixedOf(run: RunInput, rules: Rules, verdict: Verdict): NonNullable<SkeletonRecord['fixed']> {
  const act = intentState(verdict, 'act');
  const tool = intentState(verdict, 'tool');
  const said = act?.state === 'known' && act.place !== null ? rawAt(run, act.place) : undefined;
  return {
    c1_when_case: timingOf(run, rules, verdict),
    c2_user_action_name: said ?? null,
    c3_provider_action_name: run.tool.name,
    c2_source: act?.state === 'known' ? act.source : null,
    // Absent, as in the skeleton, where it did not come to a match.
    ...(tool === undefined ? {} : { c3_match: { approved: tool.state === 'known', reason: tool.reason } }),
  };
}

/** The skeleton derives the phase from the timing, and leaves it open while that is. RULES R12. */
export function phaseOf(run: RunInput, rules: Rules, verdict: Verdict): SkeletonRecord['phase'] {
  const timing = timingOf(run, rules, verdict);
  if (timing === null) return null;
  const fired = run.entries.some(({ kind }) => kind === 'trigger');
  return timing === 'immediate' || fired ? verdict.phase : 'at_instruction';
}

export function intentState(verdict: Verdict, id: string): SlotState | undefined {
  return verdict.intent.find(({ slot }) => slot === id);
}
