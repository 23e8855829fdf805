import type { Reduction, SlotState, Unmet, Verdict } from '../events/verdict.ts';
import type { Board } from './board.ts';
import { byCodeUnit } from './expand.ts';
import type { Intent } from './intent.ts';
import type { Defect } from './rules-for.ts';
import type { RunInput, Step } from './types.ts';

export interface Found {
  readonly defects?: readonly Defect[];
  readonly intent?: Intent;
  readonly slots?: readonly SlotState[];
  readonly unmet?: readonly Unmet[];
  readonly not_run?: Verdict['not_run'];
  readonly reductions?: readonly Reduction[];
}

/** The verdict as a row of its table has it, and what was asked for it. */
export function finish(
  run: RunInput,
  asking: Board,
  rule: { id: string; kind: Verdict['kind'] },
  found: Found,
): Step {
  const slots = found.slots ?? null;
  // Intent and tool are asked for at most twice a request; a third time the gate says so and asks no more. RULES R13.
  const spent = rule.id === 'V3' ? run.attempts.intent : rule.id === 'V6' ? run.attempts.tool : null;
  const exhausted = spent !== null && spent >= 2;
  const verdict: Verdict = {
    defects: (found.defects ?? []).map(({ at, reason, declared_by }) => ({ at, declared_by, reason })),
    exhausted,
    intent: [...(found.intent?.states ?? [])],
    kind: rule.kind,
    next_attempt: spent === null || exhausted ? null : spent + 1,
    not_run: [...(found.not_run ?? [])],
    phase: run.phase,
    reductions: [...(found.reductions ?? found.intent?.reductions ?? [])],
    rests_on: {
      checklists: [
        ...run.checklists.map(({ digest }) => digest),
        ...run.unsound.map(({ digest }) => digest),
      ].sort(byCodeUnit),
      gate: run.gate,
      ruleset: run.ruleset,
      tool: run.tool_digest,
    },
    rule: rule.id,
    slots: slots === null ? null : [...slots],
    unknown_count: slots === null ? null : slots.filter((slot) => slot.state === 'unknown').length,
    unmet: [...(found.unmet ?? [])],
  };
  return { verdict, asked: asking.asked() };
}
