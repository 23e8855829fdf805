import type { Reduction } from '../events/verdict.ts';
import type { Party } from '../events/vocabulary.ts';
import type { Condition } from './conditions.ts';
import { byCodeUnit } from './expand.ts';
import { pathsOf } from './measuring.ts';
import type { Rules } from './rules-for.ts';
import type { SlotList } from './slot-list.ts';

/** What made this check weaker by declaration, each once, in the order of its bytes. RULES R-red. */
export function reductionsOf(rules: Rules, list: SlotList, conditions: readonly Condition[]): Reduction[] {
  const seen = new Map<string, Reduction>();
  const add = (kind: Reduction['kind'], slot: string | null, declared_by: Party): void => {
    seen.set(`${kind} ${slot ?? ''}`, { declared_by, kind, slot });
  };
  if (rules.slotsFromProposal !== null) add('slots_from_proposal', null, rules.slotsFromProposal);
  for (const { pattern, declared_by } of list.ungated) add('ungated_argument', pattern, declared_by);
  for (const slot of list.slots) {
    if (slot.rule?.select === 'member' && pathsOf(rules, slot).some((path) => path.member)) {
      add('member', slot.pattern, slot.rule.declared_by);
    }
  }
  for (const { rule } of conditions) if (rule.when_measured) add('when_measured', rule.id, rule.declared_by);
  return [...seen].sort(([a], [b]) => byCodeUnit(a, b)).map(([, reduction]) => reduction);
}
