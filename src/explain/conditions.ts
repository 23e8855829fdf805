import type { Json } from '../events/json.ts';
import type { Place } from '../events/place.ts';
import { at as valueAt } from '../events/pointer.ts';
import type { Verdict } from '../events/verdict.ts';
import { type Compiled, compile, type Expr, evaluate, needsOf, type Scope } from '../gate/cel/index.ts';
import { type Condition as ListedCondition, listConditions } from '../gate/conditions.ts';
import { expand } from '../gate/expand.ts';
import { fieldsOf, recordValue } from '../gate/facts.ts';
import type { FactRule } from '../gate/rules-for.ts';
import { proposedArguments } from '../gate/slot-list.ts';
import { factSaid, type Heard } from './said.ts';
import type { Condition, Read } from './schema.ts';
import { filledBy, REASON_SAYS } from './sentences.ts';

/** Every condition of a verdict with the parts it was run over, in the verdict's order. */
export function conditionsOf(heard: Heard, verdict: Verdict): Condition[] {
  return listConditions(heard.rules, proposedArguments(heard.run)).map((condition) =>
    conditionOf(heard, verdict, condition),
  );
}

function conditionOf(heard: Heard, verdict: Verdict, condition: ListedCondition): Condition {
  const { rule, id } = condition;
  const state = verdict.slots?.find(({ slot }) => slot === id);
  const unmet = verdict.unmet.find(({ slot }) => slot === id);
  const skipped = verdict.not_run.find(({ slot }) => slot === id);
  const reason = unmet?.reason ?? skipped?.reason ?? state?.reason ?? 'not_measured';
  const unknown = state?.state === 'unknown' ? state : null;
  const { reads, define } = readsOf(heard, condition);
  return {
    id,
    name: rule.id,
    index: condition.index,
    state:
      unmet !== undefined
        ? 'unmet'
        : skipped !== undefined
          ? 'not_run'
          : unknown !== null
            ? 'unknown'
            : 'met',
    reason,
    reason_says: REASON_SAYS[reason],
    rule: state?.rule ?? 'R11',
    expression: rule.require,
    define,
    reads,
    says: rule.says ?? null,
    declared_by: rule.declared_by,
    checklist: checklistOf(heard, rule.id, rule.declared_by),
    source: state?.state === 'known' ? state.source : null,
    requested_by: heard.shows(unmet?.requested_by),
    route: unknown?.route ?? null,
    filled_by: unknown === null ? null : filledBy(unknown),
    waits_for: unknown === null ? [] : [...unknown.waits_for],
    said: condition.facts.flatMap((fact) =>
      factSaid(heard, fact, ownIndex(heard, fact, condition), null, null),
    ),
  };
}

function checklistOf({ run }: Heard, id: string, party: string): string | null {
  const found = run.checklists.find(
    ({ body }) =>
      body.declared_by === party &&
      Object.hasOwn(body.tools, run.tool.name) &&
      Object.hasOwn(body.tools[run.tool.name]?.conditions ?? {}, id),
  );
  return found?.body.checklist ?? null;
}

function ownIndex({ rules }: Heard, fact: string, condition: ListedCondition): number | null {
  const each = rules.facts.find(({ id }) => id === fact)?.each;
  return each !== undefined && each === condition.rule.each ? condition.index : null;
}

/** The arguments, fields and named parts that an expression reads, with the values it was run over. */
function readsOf(
  heard: Heard,
  condition: ListedCondition,
): { reads: Read[]; define: Record<string, string> } {
  const { run, rules } = heard;
  const { compiled, rule } = condition;
  const define = Object.fromEntries(
    Object.entries(rule.define).filter(([name]) => new RegExp(`\\b${name}\\b`).test(rule.require)),
  );
  if (compiled === null) return { reads: [], define };
  const proposal = proposedArguments(run);
  const reads: Read[] = [];
  const plain = (name: string, value: Json): void => {
    reads.push({ name, value, where: null, age_seconds: null });
  };
  const scope: Record<string, Json> = { args: proposal ?? {} };
  for (const pattern of needsOf(compiled).args) {
    for (const { pointer, value } of expand(proposal, pattern)) plain(pointer === '' ? '/' : pointer, value);
  }
  const item = condition.pointer === null ? undefined : valueAt(proposal, condition.pointer);
  if (condition.index !== null && item !== undefined) {
    scope.item = item;
    scope.index = condition.index;
    for (const pattern of patternsInto(compiled, 'item')) {
      for (const { pointer, value } of expand(item, pattern)) plain(`item${pointer}`, value);
    }
  }
  for (const fact of condition.facts) {
    const declared = rules.facts.find(({ id }) => id === fact);
    if (declared === undefined) continue;
    const records = recordsOf(heard, declared, ownIndex(heard, fact, condition));
    const list =
      declared.take === 'all' || (declared.each !== undefined && declared.each !== condition.rule.each);
    const values = records.flatMap((place) => recordValue(run, declared, place) ?? []);
    scope[fact] = list ? values : (values[0] ?? null);
    for (const pattern of patternsInto(compiled, fact)) {
      const path = list ? pattern.replace(/^\/(\*|[0-9]+)/, '') : pattern;
      for (const place of list ? records : records.slice(0, 1)) {
        for (const field of fieldsOf(run, declared, place, path)) {
          const name = `${fact}${tail(place, field.place, path)}`;
          reads.push({
            name,
            value: field.value,
            where: heard.shows(field.place),
            age_seconds: ageOf(heard, field.place),
          });
        }
      }
    }
  }
  if (condition.usesNow && run.now !== null) {
    scope.now = run.now;
    plain('now', run.now);
  }
  for (const name of Object.keys(define)) {
    const value = definedValue(name, rule.define, scope, rules.zone);
    if (value !== undefined) plain(name, value);
  }
  return { reads, define };
}

function definedValue(
  name: string,
  define: Readonly<Record<string, string>>,
  scope: Scope,
  zone: string,
): Json | undefined {
  const compiled = compile(name, define);
  if ('fault' in compiled) return undefined;
  const result = evaluate(compiled, scope, { zone });
  return 'fault' in result ? undefined : result.value;
}

/** Where below its record a field lies. */
function tail(record: Place, field: Place, path: string): string {
  return field.in === 'json' && record.in === 'json' ? field.pointer.slice(record.pointer.length) : path;
}

function recordsOf({ walks }: Heard, fact: FactRule, index: number | null): Place[] {
  return walks.flatMap(({ subject, answers }) => {
    if (!('fact' in subject) || subject.fact !== fact.id) return [];
    if (index !== null && subject.index !== index) return [];
    const last = answers.findLast(({ outcome }) => outcome.said === 'claim');
    return last?.outcome.said === 'claim' ? last.outcome.claims.map(({ at }) => at) : [];
  });
}

/** How long before the call it was measured: only where the transcript gives both times. */
function ageOf({ run }: Heard, place: Place): number | null {
  if (place.in === 'entry' || run.now === null) return null;
  const at = run.segments[place.segment]?.at;
  if (at === null || at === undefined) return null;
  const seconds = (Date.parse(run.now) - Date.parse(at)) / 1000;
  return Number.isFinite(seconds) ? seconds : null;
}

/** Patterns into a free name's value: the gate derives them for `args`, so the name takes its place. */
function patternsInto(compiled: Compiled, name: string): readonly string[] {
  return needsOf({ source: compiled.source, expr: renamed(compiled.expr, name) }).args;
}

function renamed(expr: Expr, name: string): Expr {
  const go = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(go);
    if (typeof node !== 'object' || node === null) return node;
    const kind = (node as { kind?: unknown }).kind;
    if (kind === 'literal') return node;
    if (kind === 'name') {
      const own = (node as { name: string }).name;
      return { kind, name: own === name ? 'args' : own === 'args' ? 'args of the call' : own };
    }
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, go(value)]));
  };
  return go(expr) as Expr;
}
