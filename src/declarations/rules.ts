import { isObject, type Json, type JsonObject } from '../events/json.ts';
import { pointerOf, segmentsOf } from '../events/pointer.ts';
import type { Party, ReasonId } from '../events/vocabulary.ts';
import type {
  Checklist,
  ConditionDeclaration,
  FactDeclaration,
  ReaderSpec,
  SlotDeclaration,
} from './checklist.ts';
import { attributeOf, type Label, labelsOf } from './labels.ts';
import { type Finding, type SoundnessOptions, soundnessOf } from './soundness.ts';
import type { ToolDeclaration } from './tool.ts';

/** Something declared that can't be used as it stands. `slot`: the slot or condition it spoils; null: the whole run. */
export interface Defect {
  /** `<checklist>#<path>`, or `label:<line>`. */
  readonly at: string;
  readonly slot: string | null;
  readonly reason: ReasonId;
  readonly declared_by: Party;
}

/** What all parties together declare for one argument. */
export interface SlotRules extends Omit<SlotDeclaration, 'sources'> {
  readonly pattern: string;
  /** The parties that declared something here, in the order system, provider, user, fixed. */
  readonly declared_by: readonly [Party, ...Party[]];
  /** What every party that lists sources allows; undefined where none lists any. */
  readonly sources: SlotDeclaration['sources'] | undefined;
}

export interface ConditionRules {
  readonly id: string;
  readonly declared_by: Party;
  readonly body: ConditionDeclaration;
  /** The named parts of the checklist that it stands in. */
  readonly define: Readonly<Record<string, string>>;
}

/** A label that has an id of its own: any but a [Required] argument, which is a slot's rule. */
export type NamedLabel = Exclude<Label, { readonly kind: 'required_argument' }>;

/** The rules in force for one tool: every party's, merged (RULES R4, R20). */
export interface ToolRulesInForce {
  readonly zone: string;
  readonly tool_errors: readonly string[];
  readonly intent: Checklist['intent'];
  readonly readers: Readonly<Record<string, ReaderSpec>>;
  readonly facts: Readonly<Record<string, FactDeclaration>>;
  readonly groups: readonly Checklist['groups'][number][];
  /** false: gated. An expression comes with the named parts of its checklist. */
  readonly reversible:
    | boolean
    | { readonly source: string; readonly define: Readonly<Record<string, string>> };
  readonly schema: Json | undefined;
  /** Who declared that schema. */
  readonly schema_by: Party;
  readonly slots_from_proposal: boolean;
  readonly slots: readonly SlotRules[];
  /** The checklists' conditions, by id. */
  readonly conditions: readonly ConditionRules[];
  /** The description's [Required] conditions, [Verify] and [Notice] labels, in their order. */
  readonly labels: readonly NamedLabel[];
  /** Pattern → reason; never one that any party requires. */
  readonly ungated: Readonly<Record<string, string>>;
  readonly defects: readonly Defect[];
}

const ORDER: readonly Party[] = ['system', 'provider', 'user', 'fixed'];

/**
 * Merges what is declared for a tool. The system's checklists give what opens; every other party's entries can only
 * take away: sources are what all allow, `required` is what any asks, each condition stands, `reversible: false` wins.
 * A finding of `soundnessOf` makes its item a defect; items of other tools are left out.
 */
export function rulesFor(
  tool: ToolDeclaration,
  checklists: readonly Checklist[],
  options: Pick<SoundnessOptions, 'compile' | 'ruleset'> = {},
): ToolRulesInForce {
  const inOrder = ORDER.flatMap((party) => checklists.filter((each) => each.declared_by === party));
  const system = inOrder.filter((each) => each.declared_by === 'system');
  const defects: Defect[] = [];
  const doubled = (checklist: Checklist, path: readonly string[], slot: string | null): void => {
    const at = `${checklist.checklist}#${pointerOf(path)}`;
    defects.push({ at, slot, reason: 'checklist_unsound', declared_by: checklist.declared_by });
  };

  for (const checklist of inOrder) {
    const beside = checklists.filter((each) => each !== checklist);
    for (const finding of soundnessOf(checklist, { ...options, beside })) {
      const slot = spoiled(finding, tool.name);
      if (slot === undefined) continue;
      const at = `${checklist.checklist}#${finding.path}`;
      defects.push({ at, slot, reason: finding.reason, declared_by: checklist.declared_by });
    }
  }

  /** The union of a named part over the system's checklists; a name in two of them means nothing. */
  const union = <T>(part: 'readers' | 'facts'): Record<string, T> => {
    const out: Record<string, T> = {};
    for (const checklist of system) {
      for (const [name, body] of Object.entries(checklist[part])) {
        if (Object.hasOwn(out, name)) doubled(checklist, [part, name], null);
        else out[name] = body as T;
      }
    }
    return out;
  };

  const { items, faults } = labelsOf(tool.description ?? '');
  for (const { slot } of faults) {
    defects.push({ at: slot, slot, reason: 'label_malformed', declared_by: 'provider' });
  }
  const labels: NamedLabel[] = [];
  const required = new Set<string>();
  const ids = new Set<string>();
  for (const label of items) {
    if (!attributesMean(label)) {
      const slot = `label:${label.line}`;
      defects.push({ at: slot, slot, reason: 'label_malformed', declared_by: 'provider' });
    }
    if (label.kind === 'required_argument') {
      required.add(label.pointer);
      continue;
    }
    if (ids.has(label.id)) {
      const at = `label:${label.line}`;
      defects.push({ at, slot: null, reason: 'checklist_unsound', declared_by: 'provider' });
    }
    ids.add(label.id);
    labels.push(label);
  }

  const conditions: ConditionRules[] = [];
  const slots = new Map<string, SlotRules>();
  const ungated: Record<string, string> = {};
  // A hint can't say what is irreversible (a refund calls itself not destructive), and counts only where the server is trusted.
  let reversible: ToolRulesInForce['reversible'] =
    isObject(tool.annotations ?? undefined) &&
    (tool.annotations as JsonObject).readOnlyHint === true &&
    system.some((each) => each.trusts_annotations_of.includes(tool.server));
  let stays = true;
  let schema: Json | undefined;
  let schemaBy: Party = 'provider';
  let fromProposal = false;
  for (const pattern of required)
    slots.set(pattern, merged(slots.get(pattern), pattern, 'provider', NEW_SLOT));
  for (const checklist of inOrder) {
    const party = checklist.declared_by;
    const rules = Object.hasOwn(checklist.tools, tool.name) ? checklist.tools[tool.name] : undefined;
    if (rules === undefined) continue;
    for (const [id, body] of Object.entries(rules.conditions)) {
      if (ids.has(id)) doubled(checklist, ['tools', tool.name, 'conditions', id], null);
      ids.add(id);
      conditions.push({ id, declared_by: party, body, define: checklist.define });
    }
    for (const [pattern, slot] of Object.entries(rules.slots)) {
      slots.set(pattern, merged(slots.get(pattern), pattern, party, slot));
      if (slot.required) required.add(pattern);
    }
    if (rules.reversible === false) stays = false;
    if (party === 'provider' && rules.schema !== undefined) schema ??= rules.schema;
    if (party !== 'system') continue;
    if (rules.schema !== undefined) [schema, schemaBy] = [rules.schema, party];
    if (rules.slots_from_proposal) fromProposal = true;
    Object.assign(ungated, rules.ungated);
    if (rules.reversible === undefined || rules.reversible === false) continue;
    reversible = rules.reversible === true || { source: rules.reversible, define: checklist.define };
  }
  for (const pattern of required) delete ungated[pattern];

  return {
    zone: system.find((each) => each.zone !== 'UTC')?.zone ?? 'UTC',
    tool_errors: system.flatMap((each) => each.tool_errors),
    intent: intentOf(system),
    readers: union<ReaderSpec>('readers'),
    facts: union<FactDeclaration>('facts'),
    groups: inOrder.flatMap((each) =>
      each.groups
        .filter((group) => group.tools === undefined || group.tools.includes(tool.name))
        .map((group) => (each.declared_by === 'system' ? group : { ...group, records: [] })),
    ),
    reversible: stays ? reversible : false,
    schema,
    schema_by: schemaBy,
    slots_from_proposal: fromProposal && schema === undefined,
    slots: [...slots.values()],
    conditions,
    labels,
    ungated,
    defects,
  };
}

const NEW_SLOT: SlotDeclaration = {
  reader: 'text',
  select: 'single',
  measured: [],
  named_by: [],
  phrases: {},
  required: true,
  pending_at_trigger: false,
};

/** The first party to declare a slot gives its reader and its ways; the next can require it and narrow its sources. */
function merged(
  before: SlotRules | undefined,
  pattern: string,
  party: Party,
  slot: SlotDeclaration,
): SlotRules {
  if (before === undefined)
    return { ...slot, sources: slot.sources, ...closed(party), pattern, declared_by: [party] };
  // A label alone says nothing of how a slot is read.
  const fromLabel =
    before.declared_by.length === 1 && before.declared_by[0] === 'provider' && before.reader === 'text';
  const base = fromLabel && party === 'system' ? { ...slot, sources: slot.sources } : before;
  const ask = base.ask ?? slot.ask;
  const sources =
    before.sources === undefined || slot.sources === undefined
      ? (before.sources ?? slot.sources)
      : before.sources.filter((each) => slot.sources?.includes(each));
  const setting = party === 'user' ? (base.setting ?? slot.setting) : base.setting;
  const parties = ORDER.filter((each) => each === party || before.declared_by.includes(each));
  return {
    ...base,
    pattern,
    declared_by: parties as [Party, ...Party[]],
    sources,
    required: before.required || slot.required,
    ...(ask === undefined ? {} : { ask }),
    ...(setting === undefined ? {} : { setting }),
  };
}

/** What only the system may open stays closed in what another party declares (R4); it is a defect besides. */
function closed(party: Party): Partial<SlotRules> {
  if (party === 'system') return {};
  return { select: 'single', measured: [], named_by: [], phrases: {}, pending_at_trigger: false };
}

function intentOf(system: readonly Checklist[]): Checklist['intent'] {
  const act_words: Record<string, string[]> = {};
  const timing: Checklist['intent']['timing'] = {};
  for (const { intent } of system) {
    for (const [name, words] of Object.entries(intent.act_words)) {
      act_words[name] = [...(Object.hasOwn(act_words, name) ? (act_words[name] ?? []) : []), ...words];
    }
    Object.assign(timing, intent.timing);
  }
  const unmarked = system.some(({ intent }) => intent.unmarked_timing !== undefined);
  return {
    ...(unmarked ? { unmarked_timing: 'immediate' as const } : {}),
    timing,
    act_words,
    negations: system.flatMap(({ intent }) => intent.negations ?? []),
    single_tool: system.some(({ intent }) => intent.single_tool),
    yes: system.flatMap(({ intent }) => intent.yes),
    no: system.flatMap(({ intent }) => intent.no),
  };
}

/** The slot that a finding spoils: null the whole run, undefined none of this tool's. */
function spoiled(finding: Finding, tool: string): string | null | undefined {
  const [part, name, section, item] = segmentsOf(finding.path);
  if (part !== 'tools') return null;
  if (name !== tool) return undefined;
  return item !== undefined && ['slots', 'ungated', 'conditions'].includes(section ?? '') ? item : null;
}

/** An attribute that has no meaning for its label is a fault, not a note that nobody reads. */
function attributesMean(label: Label): boolean {
  const has = (name: 'by' | 'on' | 'require' | 'each_time') => attributeOf(label, name) !== undefined;
  if (label.kind === 'required_condition') return !has('on') && !has('each_time');
  if (label.kind === 'verify') return !has('by') && !has('require');
  return label.attributes.length === 0;
}
