import type { Checklist, SlotDeclaration, ToolRules } from '../../src/declarations/checklist.ts';

type Slots = Record<string, SlotDeclaration>;
type Change = (rules: ToolRules) => ToolRules;

/**
 * Other readings of one checklist, made from it by code, so that they can't drift from it. They tell which share of a
 * figure is the gate's own, which is the conditions', and which rests on `select: member` (RULES R8c).
 */
export const VARIANTS = {
  base: { title: 'as written', change: (rules) => rules },
  payment: { title: 'payment the user’s', change: paymentIsTheUsers },
  no_conditions: {
    title: 'payment the user’s, no conditions',
    change: (rules) => withoutConditions(paymentIsTheUsers(rules)),
  },
  no_member: { title: 'without `select: member`', change: withoutMember },
} as const satisfies Record<string, { readonly title: string; readonly change: Change }>;

export type VariantId = keyof typeof VARIANTS;
export const VARIANT_IDS = Object.keys(VARIANTS) as VariantId[];

export function variantOf(checklist: Checklist, id: VariantId): Checklist {
  const { change }: { change: Change } = VARIANTS[id];
  const tools = Object.entries(checklist.tools).map(([tool, rules]) => [tool, change(rules)] as const);
  return { ...checklist, tools: Object.fromEntries(tools) };
}

/** A way to pay that is one of several on record is no choice: only the user's words, or a yes to it shown, make one. */
function paymentIsTheUsers(rules: ToolRules): ToolRules {
  return slotwise(rules, (slot) => (paysFromProfile(slot) ? { ...slot, select: 'single' } : slot));
}

/** Told by what measures it, not by its name. */
function paysFromProfile({ measured }: SlotDeclaration): boolean {
  return measured.some((ref) => ref.includes('#/payment_methods/'));
}

/**
 * What the gate finds with no policy at all. A value `fixed_by` a condition is computed, so that nobody says it: without
 * its condition it can't be confirmed and is left ungated, a reduction that each of these verdicts lists.
 */
function withoutConditions(rules: ToolRules): ToolRules {
  const slots: Slots = {};
  const ungated: Record<string, string> = { ...rules.ungated };
  for (const [pattern, slot] of Object.entries(rules.slots)) {
    if (slot.fixed_by === undefined) slots[pattern] = slot;
    else ungated[pattern] = 'Computed by a condition that this reading leaves out.';
  }
  return { ...rules, slots, ungated, conditions: {} };
}

function withoutMember(rules: ToolRules): ToolRules {
  return slotwise(rules, (slot) => ({ ...slot, select: 'single' }));
}

function slotwise(rules: ToolRules, change: (slot: SlotDeclaration) => SlotDeclaration): ToolRules {
  const slots = Object.entries(rules.slots).map(([pattern, slot]) => [pattern, change(slot)] as const);
  return { ...rules, slots: Object.fromEntries(slots) };
}
