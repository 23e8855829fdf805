import type {
  ConditionDeclaration,
  FactDeclaration,
  ReaderSpec,
  SlotDeclaration,
} from '../declarations/checklist.ts';
import { attributeOf, type Label } from '../declarations/labels.ts';
import { rulesFor as mergeRules, type ToolRulesInForce } from '../declarations/rules.ts';
import type { ToolDeclaration } from '../declarations/tool.ts';
import type { Json } from '../events/json.ts';
import { type Pointer, segmentsOf } from '../events/pointer.ts';
import { type Party, type ReasonId, SOURCES, type Source } from '../events/vocabulary.ts';
import { compile } from './cel/index.ts';
import { byCodeUnit, entriesOf, isInstance } from './expand.ts';
import type { RunInput } from './types.ts';

export interface SlotRule extends Omit<SlotDeclaration, 'sources'> {
  readonly pattern: Pointer;
  readonly declared_by: Party;
  /** What every party that lists sources allows, in search order; undefined where none lists any. */
  readonly sources: readonly Source[] | undefined;
}

export interface ConditionRule extends ConditionDeclaration {
  readonly id: string;
  readonly declared_by: Party;
  /** The named parts of the checklist that it stands in. */
  readonly define: Readonly<Record<string, string>>;
}

export interface FactRule extends FactDeclaration {
  readonly id: string;
}

export interface GroupRule {
  readonly of: readonly Pointer[];
  readonly records: readonly {
    readonly fact: string;
    readonly at: Pointer;
    readonly fields: Readonly<Record<Pointer, string>>;
  }[];
}

export interface Defect {
  readonly at: string;
  /** The slot or condition that it spoils; null: the whole run. */
  readonly slot: string | null;
  readonly reason: ReasonId;
  readonly declared_by: Party;
}

/** A [Verify] or [Notice] line: what only the user can settle. */
export type AskedLabel = Label & { readonly kind: 'verify' | 'notice' };

/** The rules in force for a run's tool, in the total orders that the gate works in. */
export interface Rules {
  readonly zone: string;
  readonly toolErrors: readonly string[];
  readonly unmarkedTiming: Party | null;
  readonly timing: ToolRulesInForce['intent']['timing'];
  readonly actWords: Readonly<Record<string, readonly string[]>>;
  /** Of every tool, in one list. */
  readonly allActWords: readonly string[];
  /** Declared words that negate, beside those that are built in. */
  readonly negations: readonly string[];
  readonly singleTool: Party | null;
  readonly yes: readonly string[];
  readonly no: readonly string[];
  readonly readers: Readonly<Record<string, ReaderSpec>>;
  readonly facts: readonly FactRule[];
  readonly groups: readonly GroupRule[];
  readonly slots: readonly SlotRule[];
  readonly conditions: readonly ConditionRule[];
  /** [Verify] and [Notice] lines of the tool's description. */
  readonly labels: readonly AskedLabel[];
  readonly ungated: readonly { readonly pattern: Pointer; readonly declared_by: Party }[];
  readonly reversible: ToolRulesInForce['reversible'];
  readonly schema: Json | null;
  /** Who declared it; what comes with the tool is the provider's. */
  readonly schemaBy: Party;
  readonly slotsFromProposal: Party | null;
  readonly defects: readonly Defect[];
}

const memo = new WeakMap<RunInput['checklists'], WeakMap<ToolDeclaration, Map<string, Rules>>>();

type Ruled = Pick<RunInput, 'checklists' | 'tool' | 'ruleset'>;

const byRun = new WeakMap<Ruled, Rules>();

/** A pure memo: the same run, and the same checklists and tool, by identity, give the same rules. */
export function rulesFor(run: Ruled): Rules {
  let rules = byRun.get(run);
  if (rules === undefined) {
    rules = rulesOf(run);
    byRun.set(run, rules);
  }
  return rules;
}

function rulesOf(run: Ruled): Rules {
  let byTool = memo.get(run.checklists);
  if (byTool === undefined) {
    byTool = new WeakMap();
    memo.set(run.checklists, byTool);
  }
  let byRuleset = byTool.get(run.tool);
  if (byRuleset === undefined) {
    byRuleset = new Map();
    byTool.set(run.tool, byRuleset);
  }
  let rules = byRuleset.get(run.ruleset);
  if (rules === undefined) {
    const inForce = mergeRules(
      run.tool,
      // The order of the run's list must not matter: their digests give a total one.
      [...run.checklists].sort((a, b) => byCodeUnit(a.digest, b.digest)).map(({ body }) => body),
      { compile: (source, define) => ({ fault: faultOf(source, define) }), ruleset: run.ruleset },
    );
    rules = ordered(inForce, run.tool);
    byRuleset.set(run.ruleset, rules);
  }
  return rules;
}

/** Why an expression can't be run; undefined where it can. */
export function faultOf(source: string, define: Readonly<Record<string, string>>): unknown {
  const compiled = compile(source, define);
  return 'fault' in compiled ? compiled.fault : undefined;
}

function ordered(inForce: ToolRulesInForce, tool: ToolDeclaration): Rules {
  const required = inForce.labels.flatMap((label) => (label.kind === 'required_condition' ? [label] : []));
  const defects: Defect[] = [...inForce.defects];
  for (const label of required) {
    // A provider can say that its condition is measured, not that its own word is the measurement. RULES, "Labels".
    const by = attributeOf(label, 'by');
    if (by !== undefined && Object.hasOwn(inForce.facts, by.of)) continue;
    defects.push({ at: `label:${label.line}`, slot: label.id, reason: 'no_source', declared_by: 'provider' });
  }
  return {
    zone: inForce.zone,
    toolErrors: inForce.tool_errors,
    unmarkedTiming: inForce.intent.unmarked_timing === undefined ? null : 'system',
    timing: inForce.intent.timing,
    // Tools come with any name, `constructor` too: only what was declared may be found by it.
    actWords: Object.assign(Object.create(null), inForce.intent.act_words) as Rules['actWords'],
    allActWords: entriesOf(inForce.intent.act_words).flatMap(([, words]) => words),
    negations: inForce.intent.negations ?? [],
    singleTool: inForce.intent.single_tool ? 'system' : null,
    yes: inForce.intent.yes,
    no: inForce.intent.no,
    readers: inForce.readers,
    facts: entriesOf(inForce.facts).map(([id, fact]) => ({ ...fact, id })),
    groups: inForce.groups.map((group) => ({
      of: group.of,
      records: group.records.map(({ fact, fields }) => {
        const hash = fact.indexOf('#');
        return { fact: fact.slice(0, hash), at: fact.slice(hash + 1), fields };
      }),
    })),
    slots: inForce.slots.map((slot) => ({
      ...slot,
      declared_by: slot.declared_by[0],
      sources: slot.sources && SOURCES.filter((source) => slot.sources?.includes(source)),
    })),
    conditions: [
      ...inForce.conditions.map(({ id, declared_by, body, define }) => ({
        ...body,
        id,
        declared_by,
        define,
      })),
      ...required.map(conditionOf),
    ].sort((a, b) => byCodeUnit(a.id, b.id)),
    labels: inForce.labels.filter(
      (label): label is AskedLabel => label.kind === 'verify' || label.kind === 'notice',
    ),
    // What can't be used as it stands opens nothing.
    ungated: entriesOf(inForce.ungated).flatMap(([pattern]) =>
      defects.some(({ slot }) => slot === pattern) ? [] : [{ pattern, declared_by: 'system' as const }],
    ),
    reversible: inForce.reversible,
    schema: tool.input_schema ?? inForce.schema ?? null,
    schemaBy: tool.input_schema === null ? inForce.schema_by : 'provider',
    slotsFromProposal: inForce.slots_from_proposal && tool.input_schema === null ? 'system' : null,
    defects: defects.sort((a, b) => byCodeUnit(a.at, b.at)),
  };
}

/** A [Required] condition reads one measured field as `value`; without an expression the field must be true. */
function conditionOf(label: Label & { readonly kind: 'required_condition' }): ConditionRule {
  const by = attributeOf(label, 'by');
  const path =
    by === undefined
      ? ''
      : segmentsOf(by.pointer)
          .map((segment) => `[${JSON.stringify(segment)}]`)
          .join('');
  return {
    id: label.id,
    declared_by: 'provider',
    says: label.text,
    require: attributeOf(label, 'require')?.expression ?? 'value == true',
    when_measured: false,
    accepts_null: false,
    define: by === undefined ? {} : { value: `${by.of}${path}` },
  };
}

const ruleMemo = new WeakMap<Rules, Map<string, SlotRule | null>>();

/** The declaration for one leaf. The pattern with most literal segments wins; `[]` takes its element's. */
export function slotRuleOf(rules: Rules, pointer: Pointer, emptyArray: boolean): SlotRule | undefined {
  let byPointer = ruleMemo.get(rules);
  if (byPointer === undefined) {
    byPointer = new Map();
    ruleMemo.set(rules, byPointer);
  }
  const key = emptyArray ? `${pointer} []` : pointer;
  let rule = byPointer.get(key);
  if (rule === undefined) {
    rule = bestRule(rules, pointer, emptyArray) ?? null;
    // Keys come from proposals: a hostile one must not make this grow without end.
    if (byPointer.size >= 4096) byPointer.clear();
    byPointer.set(key, rule);
  }
  return rule ?? undefined;
}

function bestRule(rules: Rules, pointer: Pointer, emptyArray: boolean): SlotRule | undefined {
  let best: SlotRule | undefined;
  for (const rule of rules.slots) {
    if (!isInstance(pointer, rule.pattern)) continue;
    if (best === undefined || stars(rule) < stars(best)) best = rule;
  }
  if (best !== undefined || !emptyArray) return best;
  return rules.slots.find(
    (rule) => rule.pattern.endsWith('/*') && isInstance(pointer, rule.pattern.slice(0, -2)),
  );
}

function stars(rule: SlotRule): number {
  return rule.pattern.split('*').length;
}

const SAID: readonly Source[] = ['user_answer', 'instruction', 'pre_set_data'];
const SAID_OR_MEASURED: readonly Source[] = [...SAID, 'measured_data'];

/** The sources that a slot may be confirmed from, in search order. RULES R4, R8, R10. */
export function allowedSources(rule: SlotRule | undefined, measured: boolean): readonly Source[] {
  return rule?.sources ?? (measured ? SAID_OR_MEASURED : SAID);
}
