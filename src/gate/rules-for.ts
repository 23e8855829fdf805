import type {
  Checklist,
  ConditionDeclaration,
  FactDeclaration,
  ReaderSpec,
  SlotDeclaration,
} from '../declarations/checklist.ts';
import type { ToolDeclaration } from '../declarations/tool.ts';
import type { Json } from '../events/json.ts';
import type { Pointer } from '../events/pointer.ts';
import type { Party, ReasonId, Source, Timing } from '../events/vocabulary.ts';
import { byCodeUnit, entriesOf, isInstance } from './expand.ts';
import type { RunInput } from './types.ts';

export interface SlotRule extends SlotDeclaration {
  readonly pattern: Pointer;
  readonly declared_by: Party;
  /** What provider and user narrowed the sources to; null where nobody did. */
  readonly narrowed: readonly Source[] | null;
}

export interface ConditionRule extends ConditionDeclaration {
  readonly id: string;
  readonly declared_by: Party;
}

export interface FactRule extends FactDeclaration {
  readonly id: string;
}

export interface GroupRule {
  readonly of: readonly Pointer[];
  readonly records: readonly { readonly fact: string; readonly at: Pointer; readonly fields: Readonly<Record<Pointer, string>> }[];
}

export interface Defect {
  readonly at: string;
  readonly reason: ReasonId;
  readonly declared_by: Party;
}

/** All that the checklists of a run say about its tool, merged once. */
export interface Rules {
  readonly zone: string;
  readonly toolErrors: readonly string[];
  readonly unmarkedTiming: Party | null;
  readonly timing: Checklist['intent']['timing'];
  readonly actWords: Readonly<Record<string, readonly string[]>>;
  readonly singleTool: Party | null;
  readonly yes: readonly string[];
  readonly no: readonly string[];
  readonly readers: Readonly<Record<string, ReaderSpec>>;
  readonly define: Readonly<Record<string, string>>;
  readonly facts: readonly FactRule[];
  readonly groups: readonly GroupRule[];
  readonly slots: readonly SlotRule[];
  readonly conditions: readonly ConditionRule[];
  readonly ungated: readonly { readonly pattern: Pointer; readonly declared_by: Party }[];
  readonly schema: Json | null;
  readonly slotsFromProposal: Party | null;
  readonly defects: readonly Defect[];
}

const byInput = new WeakMap<RunInput['checklists'], WeakMap<ToolDeclaration, Rules>>();

/** A pure memo: the same checklists and tool, by identity, merge to the same rules. */
export function rulesFor(run: Pick<RunInput, 'checklists' | 'tool'>): Rules {
  let byTool = byInput.get(run.checklists);
  if (byTool === undefined) {
    byTool = new WeakMap();
    byInput.set(run.checklists, byTool);
  }
  let rules = byTool.get(run.tool);
  if (rules === undefined) {
    rules = merge(
      run.checklists.map((checklist) => checklist.body),
      run.tool,
    );
    byTool.set(run.tool, rules);
  }
  return rules;
}

const TIMING_ORDER: readonly Timing[] = ['immediate', 'scheduled', 'conditional', 'recurring'];

function merge(checklists: readonly Checklist[], tool: ToolDeclaration): Rules {
  const system = checklists.filter((checklist) => checklist.declared_by === 'system');
  const others = checklists.filter((checklist) => checklist.declared_by !== 'system');
  const defects: Defect[] = [];
  const first = system[0];

  const facts: FactRule[] = [];
  const groups: GroupRule[] = [];
  const slots = new Map<Pointer, SlotRule>();
  const conditions: ConditionRule[] = [];
  const ungated: { pattern: Pointer; declared_by: Party }[] = [];
  const actWords: Record<string, readonly string[]> = Object.create(null);
  const readers: Record<string, ReaderSpec> = Object.create(null);
  const define: Record<string, string> = Object.create(null);
  const timing: Partial<Record<Timing, { words: string[]; detail?: string | undefined }>> = {};
  let schema: Json | null = tool.input_schema;
  let slotsFromProposal: Party | null = null;
  let unmarkedTiming: Party | null = null;
  let singleTool: Party | null = null;
  const yes: string[] = [];
  const no: string[] = [];
  const toolErrors: string[] = [];

  const once = (seen: Record<string, unknown>, id: string, where: string): boolean => {
    if (!Object.hasOwn(seen, id)) return true;
    defects.push({ at: `${where}/${id}`, reason: 'checklist_unsound', declared_by: 'system' });
    return false;
  };

  for (const checklist of system) {
    for (const [id, fact] of entriesOf(checklist.facts)) {
      if (facts.some((known) => known.id === id)) {
        defects.push({ at: `facts/${id}`, reason: 'checklist_unsound', declared_by: 'system' });
      } else facts.push({ ...fact, id });
    }
    for (const [id, spec] of entriesOf(checklist.readers)) if (once(readers, id, 'readers')) readers[id] = spec;
    for (const [id, source] of entriesOf(checklist.define)) if (once(define, id, 'define')) define[id] = source;
    for (const [id, words] of entriesOf(checklist.intent.act_words)) {
      actWords[id] = [...(actWords[id] ?? []), ...words];
    }
    for (const kind of TIMING_ORDER) {
      const declared = checklist.intent.timing[kind];
      if (declared !== undefined) timing[kind] = declared;
    }
    if (checklist.intent.unmarked_timing !== undefined) unmarkedTiming = 'system';
    if (checklist.intent.single_tool) singleTool = 'system';
    yes.push(...checklist.intent.yes);
    no.push(...checklist.intent.no);
    toolErrors.push(...checklist.tool_errors);
    for (const group of checklist.groups) {
      if (group.tools !== undefined && !group.tools.includes(tool.name)) continue;
      groups.push({
        of: group.of,
        records: group.records.map(({ fact, fields }) => {
          const hash = fact.indexOf('#');
          return { fact: fact.slice(0, hash), at: fact.slice(hash + 1), fields };
        }),
      });
    }
    const rules = checklist.tools[tool.name];
    if (rules === undefined) continue;
    if (schema === null && rules.schema !== undefined) schema = rules.schema;
    if (rules.slots_from_proposal) slotsFromProposal = 'system';
    for (const pattern of Object.keys(rules.ungated).sort(byCodeUnit)) ungated.push({ pattern, declared_by: 'system' });
    for (const [pattern, slot] of entriesOf(rules.slots)) {
      if (slots.has(pattern)) defects.push({ at: pattern, reason: 'checklist_unsound', declared_by: 'system' });
      else slots.set(pattern, { ...slot, pattern, declared_by: 'system', narrowed: null });
    }
    addConditions(conditions, defects, rules.conditions, 'system');
  }

  for (const checklist of others) {
    const party = checklist.declared_by;
    for (const at of openings(checklist, tool.name)) {
      defects.push({ at, reason: 'not_allowed_to_declare', declared_by: party });
    }
    const rules = checklist.tools[tool.name];
    if (rules === undefined) continue;
    for (const [pattern, slot] of entriesOf(rules.slots)) {
      const base = slots.get(pattern);
      const narrowed = slot.sources ?? null;
      slots.set(
        pattern,
        base === undefined
          ? { ...slot, pattern, declared_by: party, narrowed, sources: undefined }
          : {
              ...base,
              required: base.required || slot.required,
              narrowed:
                narrowed === null || base.narrowed === null
                  ? (narrowed ?? base.narrowed)
                  : base.narrowed.filter((source) => narrowed.includes(source)),
            },
      );
    }
    addConditions(conditions, defects, rules.conditions, party);
  }

  return {
    zone: first?.zone ?? 'UTC',
    toolErrors,
    unmarkedTiming,
    timing,
    actWords,
    singleTool,
    yes,
    no,
    readers,
    define,
    facts,
    groups,
    slots: [...slots.values()],
    conditions,
    ungated,
    schema,
    slotsFromProposal,
    defects,
  };
}

function addConditions(
  into: ConditionRule[],
  defects: Defect[],
  declared: Readonly<Record<string, ConditionDeclaration>>,
  party: Party,
): void {
  for (const [id, condition] of entriesOf(declared)) {
    // The same id from two parties would leave no key to attach an answer or a gap to.
    if (into.some((known) => known.id === id)) {
      defects.push({ at: id, reason: 'checklist_unsound', declared_by: party });
    } else into.push({ ...condition, id, declared_by: party });
  }
}

/** R4: what only the adopting system may declare. The provider can require, not permit; only the user makes a value. */
function openings(checklist: Checklist, tool: string): string[] {
  const at: string[] = [];
  if (Object.keys(checklist.facts).length > 0) at.push('facts');
  if (checklist.groups.length > 0) at.push('groups');
  if (checklist.tool_errors.length > 0) at.push('tool_errors');
  const intent = checklist.intent;
  if (intent.unmarked_timing !== undefined) at.push('intent/unmarked_timing');
  if (Object.keys(intent.timing).length > 0) at.push('intent/timing');
  if (Object.keys(intent.act_words).length > 0) at.push('intent/act_words');
  if (intent.single_tool) at.push('intent/single_tool');
  if (intent.yes.length > 0 || intent.no.length > 0) at.push('intent/yes');
  const rules = checklist.tools[tool];
  if (rules === undefined) return at;
  if (Object.keys(rules.ungated).sort(byCodeUnit).length > 0) at.push('ungated');
  if (rules.slots_from_proposal) at.push('slots_from_proposal');
  if (rules.reversible === true || typeof rules.reversible === 'string') at.push('reversible');
  for (const [pattern, slot] of entriesOf(rules.slots)) {
    if (
      slot.select === 'member' ||
      slot.measured.length > 0 ||
      slot.named_by.length > 0 ||
      Object.keys(slot.phrases).length > 0 ||
      slot.fixed_by !== undefined ||
      slot.setting !== undefined ||
      slot.pending_at_trigger ||
      slot.sources?.includes('prior_state')
    ) {
      at.push(pattern);
    }
  }
  for (const [id, condition] of entriesOf(rules.conditions)) {
    if (condition.when_measured || condition.sources?.includes('user_answer')) at.push(id);
  }
  return at;
}

/** The declaration for one leaf. The pattern with most literal segments wins; `[]` takes its element's. */
export function slotRuleOf(rules: Rules, pointer: Pointer, emptyArray: boolean): SlotRule | undefined {
  let best: SlotRule | undefined;
  for (const rule of rules.slots) {
    if (isInstance(pointer, rule.pattern) && (best === undefined || stars(rule) < stars(best))) best = rule;
  }
  if (best === undefined && emptyArray) {
    return rules.slots.find(
      (rule) =>
        rule.pattern.endsWith('/*') && isInstance(pointer, rule.pattern.slice(0, -2)),
    );
  }
  return best;
}

function stars(rule: SlotRule): number {
  return rule.pattern.split('*').length;
}

/** The sources that a slot may be confirmed from, in search order. RULES R4, R8, R10. */
export function allowedSources(rule: SlotRule | undefined, measured: boolean): Source[] {
  const base: readonly Source[] = rule?.sources ?? [
    'user_answer',
    'instruction',
    'pre_set_data',
    ...(measured ? (['measured_data'] as const) : []),
  ];
  const narrowed = rule?.narrowed ?? null;
  return ORDER.filter(
    (source) => base.includes(source) && (narrowed === null || narrowed.includes(source)),
  );
}

const ORDER: readonly Source[] = ['user_answer', 'instruction', 'pre_set_data', 'measured_data', 'prior_state'];
