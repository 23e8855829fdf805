import type { Lookup } from '../events/lookup.ts';
import { type Board, board } from './board.ts';
import { listConditions } from './conditions.ts';
import { settleAll } from './fixpoint.ts';
import { type Intent, settleIntent } from './intent.ts';
import { judgeAll } from './judged-whole.ts';
import { labelSlots } from './label-slots.ts';
import { need } from './need.ts';
import { type Defect, type Rules, rulesFor } from './rules-for.ts';
import { listSlots, proposedArguments } from './slot-list.ts';
import type { RunInput, Step } from './types.ts';
import { finish } from './verdict.ts';
import { kindOf } from './verdict-kind.ts';

/**
 * The gate. Given what is declared and the lookups made so far, it says which lookups it needs next, or the verdict and the
 * lookups that it asked for. Pure: no clock, chance, I/O or locale; the same arguments give the same bytes.
 * Throws `gate/two-answers` where one request was answered twice in different ways.
 */
export function step(run: RunInput, lookups: readonly Lookup[]): Step {
  return stepOn(run, board(lookups));
}

/** The same gate on a board that may answer at once. */
export function stepOn(run: RunInput, asking: Board): Step {
  const rules = rulesFor(run);
  const defects: Defect[] = [
    ...run.unsound.map(({ digest, declared_by }) => ({
      at: digest,
      slot: null,
      reason: 'checklist_unsound' as const,
      declared_by,
    })),
    ...rules.defects.filter((defect) => defect.slot === null),
  ];
  const empty = { run, unsound: defects.length > 0, intent: null, slots: null, unmet: 0 };
  const unsound = kindOf(empty, true);
  if (unsound !== null) return finish(run, asking, unsound, { defects });

  const intent = settleIntent(run, rules, asking);
  if (intent.ends === 'open') return need(asking);
  const early = kindOf({ ...empty, intent }, true);
  if (early !== null) return finish(run, asking, early, { intent });
  return settle(atItsPhase(run, intent), rules, asking, intent);
}

/** What runs later is judged at the instruction until its trigger fires, whatever phase was asked for. RULES R12. */
function atItsPhase(run: RunInput, intent: Intent): RunInput {
  const now = intent.timing === 'immediate' || run.entries.some(({ kind }) => kind === 'trigger');
  return now || run.phase === 'at_instruction' ? run : { ...run, phase: 'at_instruction' };
}

function settle(run: RunInput, rules: Rules, asking: Board, intent: Intent): Step {
  const list = listSlots(run, rules);
  const proposal = proposedArguments(run);
  const conditions = listConditions(rules, proposal);
  const settled = settleAll(run, rules, list.slots, conditions, asking);
  const labels = labelSlots(run, rules, list.slots, asking);
  if (settled === null || labels === null || asking.needs().length > 0) return need(asking);
  return judgeAll({ run, rules, asking, intent, list, proposal, conditions, settled, labels });
}
