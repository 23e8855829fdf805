import { plainOf } from '../events/content.ts';
import type { Json } from '../events/json.ts';
import { type Pointer, at as valueAt } from '../events/pointer.ts';
import type { Party, Source } from '../events/vocabulary.ts';
import { byCodeUnit, covers, expand } from './expand.ts';
import type { Reader } from './readers/reader.ts';
import { allowedSources, type Rules, type SlotRule, slotRuleOf } from './rules-for.ts';
import { slotReader } from './slot-reader.ts';
import { type Leaf, slotsOf } from './tool-slots.ts';
import type { RunInput } from './types.ts';

export interface ValueSlot {
  readonly id: Pointer;
  readonly pattern: Pointer;
  readonly rule: SlotRule | undefined;
  readonly declared_by: Party;
  readonly reader: Reader | null;
  readonly leaf: Json | undefined;
  readonly required: boolean;
  readonly sources: readonly Source[];
  readonly fixedBySchema: boolean;
  readonly fixedBy: string | null;
}

export interface SlotList {
  readonly slots: readonly ValueSlot[];
  readonly byId: ReadonlyMap<Pointer, ValueSlot>;
  /** Leaves that need no source, by declaration. */
  readonly ungated: readonly { readonly pattern: Pointer; readonly declared_by: Party }[];
  /** Leaves that the schema does not allow. */
  readonly notAllowed: readonly Pointer[];
}

/** The proposed arguments; undefined where nothing readable was proposed. */
export function proposedArguments(run: RunInput): Json | undefined {
  const prepared = run.proposal?.prepared;
  return prepared === null || prepared === undefined ? undefined : plainOf(prepared);
}

/**
 * RULES R7: every required argument down to the leaves, and every leaf that the proposal carries. The order is the
 * pointers' own, so that key order never matters.
 */
export function listSlots(run: RunInput, rules: Rules): SlotList {
  let list = lists.get(run);
  if (list === undefined) {
    list = makeList(run, rules);
    lists.set(run, list);
  }
  return list;
}

/** What is declared and proposed at a place, whether or not it is a slot of this run. */
export function slotAt(
  run: RunInput,
  rules: Rules,
  id: Pointer,
): Pick<ValueSlot, 'rule' | 'leaf' | 'reader'> {
  const listed = listSlots(run, rules).byId.get(id);
  if (listed !== undefined) return listed;
  const proposal = proposedArguments(run);
  const leaf = proposal === undefined ? undefined : valueAt(proposal, id);
  const rule = slotRuleOf(rules, id, Array.isArray(leaf) && leaf.length === 0);
  return { rule, leaf, reader: slotReader(rules, rule, leaf) };
}

const lists = new WeakMap<RunInput, SlotList>();

function makeList(run: RunInput, rules: Rules): SlotList {
  const proposal = proposedArguments(run);
  const derived = slotsOf(rules.slotsFromProposal === null ? rules.schema : null, proposal);
  // A schema that can't be read still leaves what was proposed: every leaf of it needs a source.
  const listed = 'fault' in derived ? slotsOf(null, proposal) : derived;
  const leaves = 'fault' in listed ? [] : withRequired(listed.leaves, rules, proposal);
  const slots: ValueSlot[] = [];
  const ungated = new Map<Pointer, Party>();
  const notAllowed: Pointer[] = [];
  for (const leaf of leaves) {
    const value = proposal === undefined ? undefined : valueAt(proposal, leaf.pointer);
    if (!leaf.allowed) notAllowed.push(leaf.pointer);
    const free = rules.ungated.find(({ pattern }) => covers(pattern, leaf.pointer));
    // What any party requires is never ungated, however the two patterns are written. RULES R4.
    if (
      free !== undefined &&
      !rules.slots.some(({ pattern, required }) => required && covers(pattern, leaf.pointer))
    ) {
      ungated.set(free.pattern, free.declared_by);
      continue;
    }
    const rule = slotRuleOf(rules, leaf.pointer, Array.isArray(value) && value.length === 0);
    const measured = (rule?.measured.length ?? 0) > 0 || inGroup(rules, leaf.pattern);
    slots.push({
      id: leaf.pointer,
      pattern: leaf.pattern,
      rule,
      declared_by: rule?.declared_by ?? rules.schemaBy,
      reader: slotReader(rules, rule, value),
      leaf: value,
      required: leaf.required || rule?.required === true,
      sources: allowedSources(rule, measured),
      fixedBySchema: leaf.const !== undefined,
      fixedBy: rule?.fixed_by ?? null,
    });
  }
  return {
    slots,
    byId: new Map(slots.map((slot) => [slot.id, slot])),
    ungated: [...ungated].map(([pattern, declared_by]) => ({ pattern, declared_by })),
    notAllowed,
  };
}

/** What a checklist or a label requires is listed also where the schema doesn't ask for it and the proposal leaves it out. */
function withRequired(leaves: readonly Leaf[], rules: Rules, proposal: Json | undefined): readonly Leaf[] {
  const out = [...leaves];
  const required = rules.slots.filter((rule) => rule.required).map(({ pattern }) => pattern);
  for (const pattern of required.sort(byCodeUnit)) {
    const star = pattern.lastIndexOf('/*/');
    if (star < 0 && pattern.endsWith('/*')) continue;
    const owners =
      star < 0 ? [''] : expand(proposal, pattern.slice(0, star + 2)).map((found) => found.pointer);
    for (const owner of owners) {
      const pointer = owner + (star < 0 ? pattern : pattern.slice(star + 2));
      if (out.some((leaf) => leaf.pointer === pointer || leaf.pointer.startsWith(`${pointer}/`))) continue;
      out.push({ pointer, pattern, required: true, allowed: true });
    }
  }
  return out;
}

function inGroup(rules: Rules, pattern: Pointer): boolean {
  return rules.groups.some((group) => group.records.some((record) => Object.hasOwn(record.fields, pattern)));
}
