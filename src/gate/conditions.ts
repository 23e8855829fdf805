import type { Json } from '../events/json.ts';
import { type Pointer, at as valueAt } from '../events/pointer.ts';
import type { SlotState } from '../events/verdict.ts';
import type { ReasonId, Route, Source } from '../events/vocabulary.ts';
import { SOURCES } from '../events/vocabulary.ts';
import { type Compiled, compile, evaluate, needsOf } from './cel/index.ts';
import { expand, splitPointer } from './expand.ts';
import type { FactInstance, FactState } from './fact-board.ts';
import { recordValue } from './facts.ts';
import type { ConditionRule, Rules } from './rules-for.ts';
import { strongestRoute } from './states.ts';
import type { RunInput } from './types.ts';

/** One condition, or one instance of it for an array element. RULES R11. */
export interface Condition {
  readonly id: string;
  readonly rule: ConditionRule;
  readonly index: number | null;
  /** Where its element stands in the arguments. */
  readonly pointer: Pointer | null;
  readonly compiled: Compiled | null;
  readonly args: readonly Pointer[];
  /** Facts by name that the expression reads. */
  readonly facts: readonly string[];
  readonly usesNow: boolean;
  /** Names that nothing declares. */
  readonly unknownNames: readonly string[];
}

const GIVEN: readonly string[] = ['now', 'item', 'index', 'args'];

type Static = Pick<Condition, 'rule' | 'compiled' | 'facts' | 'unknownNames' | 'usesNow' | 'args'> & {
  readonly usesItem: boolean;
};

const staticMemo = new WeakMap<Rules, readonly Static[]>();

/** What of a condition hangs on the rules alone. */
function staticOf(rules: Rules): readonly Static[] {
  let known = staticMemo.get(rules);
  if (known === undefined) {
    known = rules.conditions.map((rule) => {
      const result = compile(rule.require, rule.define);
      const compiled = 'fault' in result ? null : result;
      const needs = compiled === null ? { args: [], names: [] } : needsOf(compiled);
      const facts = needs.names.filter((name) => rules.facts.some((fact) => fact.id === name));
      return {
        rule,
        compiled,
        facts,
        unknownNames: needs.names.filter((name) => !GIVEN.includes(name) && !facts.includes(name)),
        usesNow: needs.names.includes('now'),
        usesItem: needs.names.includes('item'),
        args: needs.args,
      };
    });
    staticMemo.set(rules, known);
  }
  return known;
}

export function listConditions(rules: Rules, proposal: Json | undefined): Condition[] {
  const out: Condition[] = [];
  for (const known of staticOf(rules)) {
    const { rule } = known;
    if (rule.each === undefined) {
      out.push({ ...known, id: rule.id, index: null, pointer: null });
      continue;
    }
    expand(proposal, rule.each).forEach(({ pointer }, index) => {
      const args = known.usesItem ? [...known.args, pointer] : known.args;
      out.push({ ...known, id: `${rule.id}/${index}`, index, pointer, args });
    });
  }
  return out;
}

export type ConditionResult =
  | {
      readonly kind: 'met' | 'false' | 'null';
      readonly source: Source | null;
      readonly origin: Source | null;
      readonly needs: readonly string[];
    }
  | { readonly kind: 'not_run'; readonly reason: 'phase' | 'not_measured' }
  | {
      readonly kind: 'unknown';
      readonly rule: string;
      readonly reason: ReasonId;
      readonly route: Route;
      readonly waits: readonly string[];
    };

export interface ConditionSurroundings {
  readonly run: RunInput;
  readonly rules: Rules;
  /** The arguments as they would be sent. */
  readonly args: Json;
  /** Settled value slots by id. */
  readonly slots: ReadonlyMap<string, SlotState>;
  /** Slots that this condition itself computes don't count among its needs. */
  computes(condition: string, slot: string): boolean;
  instances(fact: string, index: number | null): readonly FactInstance[];
  fact(instance: string): FactState;
  /** The strongest route behind what a fact waits for. */
  routeOf(waits: readonly string[]): Route | null;
}

export function judgeCondition(condition: Condition, around: ConditionSurroundings): ConditionResult {
  const { run, rules } = around;
  if (condition.compiled === null || condition.unknownNames.length > 0) {
    return {
      kind: 'unknown',
      rule: 'R11',
      reason: 'expression_invalid',
      route: 'definition_repair',
      waits: [],
    };
  }
  if (run.phase === 'at_instruction' && (condition.facts.length > 0 || condition.usesNow)) {
    return { kind: 'not_run', reason: 'phase' };
  }
  const needs: string[] = [];
  const waits: string[] = [];
  const routes: Route[] = [];
  const from: Origin[] = [];
  for (const state of around.slots.values()) {
    if (!condition.args.some((pattern) => reaches(pattern, state.slot))) continue;
    if (around.computes(condition.rule.id, state.slot)) continue;
    needs.push(state.slot);
    if (state.state === 'unknown') {
      waits.push(state.slot);
      routes.push(state.route);
    } else if (state.source !== null) {
      const origin = state.state === 'known' ? state.origin : null;
      from.push({ source: state.source, origin: origin ?? state.source });
    }
  }
  const scope: Record<string, Json> = Object.create(null);
  for (const name of condition.facts) {
    const instances = around.instances(name, condition.index);
    const records: Json[] = [];
    for (const instance of instances) {
      const state = around.fact(instance.id);
      needs.push(instance.id);
      if (state.state === 'measured') {
        for (const record of state.records) {
          const value = recordValue(run, instance.rule, record);
          if (value !== undefined) records.push(value);
        }
      } else {
        waits.push(instance.id);
        routes.push(around.routeOf([instance.id]) ?? 'system_lookup');
      }
    }
    const rule = rules.facts.find((fact) => fact.id === name);
    const list = rule?.take === 'all' || (rule?.each !== undefined && !sameEach(rule.each, condition));
    scope[name] = list ? records : (records[0] ?? null);
    from.push({ source: 'measured_data', origin: 'measured_data' });
  }
  if (condition.usesNow) {
    if (run.now === null) {
      return { kind: 'unknown', rule: 'R11', reason: 'now_unknown', route: 'system_lookup', waits: ['now'] };
    }
    scope.now = run.now;
  }
  if (waits.length > 0) {
    const onlyAbsent = waits.every((id) => isAbsent(id, around));
    if (condition.rule.when_measured && onlyAbsent) return { kind: 'not_run', reason: 'not_measured' };
    const route = strongestRoute(routes) as Route;
    return { kind: 'unknown', rule: 'S19', reason: 'waits_for', route, waits };
  }
  scope.args = around.args;
  if (condition.index !== null && condition.pointer !== null) {
    scope.item = valueAt(around.args, condition.pointer) ?? null;
    scope.index = condition.index;
  }
  const result = evaluate(condition.compiled, scope, { zone: rules.zone });
  const { source, origin } = [...from].sort(laterFirst)[0] ?? { source: null, origin: null };
  // What it checks is known to be nothing, and its expression does not take that. RULES R6.
  const nothing =
    'fault' in result ? needs.some((id) => around.slots.get(id)?.state === 'null') : result.value === null;
  if (nothing) return { kind: condition.rule.accepts_null ? 'met' : 'null', source, origin, needs };
  if ('fault' in result || typeof result.value !== 'boolean') {
    return {
      kind: 'unknown',
      rule: 'R11',
      reason: 'expression_failed',
      route: 'definition_repair',
      waits: [],
    };
  }
  return { kind: result.value ? 'met' : 'false', source, origin, needs };
}

interface Origin {
  readonly source: Source;
  readonly origin: Source;
}

/** A condition's source is the last of its needs' in search order (R11), and its origin that need's own: never erased. */
function laterFirst(a: Origin, b: Origin): number {
  return (
    SOURCES.indexOf(b.source) - SOURCES.indexOf(a.source) ||
    SOURCES.indexOf(b.origin) - SOURCES.indexOf(a.origin)
  );
}

function isAbsent(id: string, around: ConditionSurroundings): boolean {
  return around.fact(id).state === 'absent';
}

function sameEach(each: Pointer, condition: Condition): boolean {
  return condition.rule.each === each;
}

/** Whether what an expression reads and a slot lie on one path. */
export function reaches(pattern: Pointer, slot: Pointer): boolean {
  const a = splitPointer(pattern);
  const b = splitPointer(slot);
  const length = a.length < b.length ? a.length : b.length;
  for (let index = 0; index < length; index++) {
    if (a[index] !== '*' && a[index] !== b[index]) return false;
  }
  return true;
}
