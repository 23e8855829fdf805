import { attributeOf } from '../../src/declarations/labels.ts';
import type { Json } from '../../src/events/json.ts';
import { segmentsOf } from '../../src/events/pointer.ts';
import { SOURCES, type Source } from '../../src/events/vocabulary.ts';
import { compile, evaluate, needsOf } from '../../src/gate/cel/index.ts';
import type { RunInput } from '../../src/gate/types.ts';
import type { Route, State } from './opinion.ts';
import { type FactOutcome, type Instance, recordAt } from './reference-facts.ts';
import type { Slot } from './reference-slots.ts';
import { all, type InForce, proposed } from './reference-world.ts';

export interface Condition {
  readonly id: string;
  readonly name: string;
  readonly index: number | null;
  readonly each: string | undefined;
  readonly item: Json | undefined;
  readonly pointer: string;
  readonly require: string;
  readonly define: Readonly<Record<string, string>>;
  readonly whenMeasured: boolean;
  readonly acceptsNull: boolean;
  readonly facts: readonly string[];
  readonly sourceless: boolean;
}

export function conditionsOf(run: RunInput, rules: InForce): Condition[] {
  const declared = rules.conditions.map(({ id, body, define }) => ({ id, body, define, sourceless: false }));
  const labelled = rules.labels.flatMap((label) => {
    if (label.kind !== 'required_condition') return [];
    const by = attributeOf(label, 'by');
    const path =
      by === undefined
        ? ''
        : segmentsOf(by.pointer)
            .map((part) => `[${JSON.stringify(part)}]`)
            .join('');
    return [
      {
        id: label.id,
        body: {
          require: attributeOf(label, 'require')?.expression ?? 'value == true',
          when_measured: false,
          accepts_null: false,
          each: undefined,
        },
        define: (by === undefined ? {} : { value: by.of + path }) as Record<string, string>,
        sourceless: by === undefined || !Object.hasOwn(rules.facts, by.of),
      },
    ];
  });
  return [...declared, ...labelled].flatMap(({ id, body, define, sourceless }): Condition[] => {
    const compiled = compile(body.require, define);
    const names = 'fault' in compiled ? [] : needsOf(compiled).names;
    const common = {
      name: id,
      each: body.each,
      require: body.require,
      define,
      whenMeasured: body.when_measured,
      acceptsNull: body.accepts_null,
      facts: names.filter((name) => Object.hasOwn(rules.facts, name)),
      sourceless,
    };
    if (body.each === undefined) return [{ ...common, id, index: null, item: undefined, pointer: '' }];
    return all(proposed(run), body.each).map(({ value, pointer }, index) => ({
      ...common,
      id: `${id}/${index}`,
      index,
      item: value,
      pointer,
    }));
  });
}

export type Judged =
  | { is: 'met'; source: Source | null; origin: Source | null }
  | { is: 'unmet'; source: Source | null; origin: Source | null; reason: string }
  | { is: 'not_run'; reason: string; source?: undefined; origin?: undefined }
  | { is: 'unknown'; reason: string; route: Route };

/** R11. */
export function judgeCondition(
  run: RunInput,
  rules: InForce,
  condition: Condition,
  slots: readonly Slot[],
  states: ReadonlyMap<string, State>,
  args: Json,
  instances: readonly Instance[],
  facts: ReadonlyMap<string, FactOutcome>,
  routeBehind: (ids: readonly string[], except: string | null) => Route | null,
): Judged {
  const compiled = compile(condition.require, condition.define);
  const invalid: Judged = { is: 'unknown', reason: 'expression_invalid', route: 'definition_repair' };
  if ('fault' in compiled) return invalid;
  const needs = needsOf(compiled);
  if (
    needs.names.some(
      (name) => !['now', 'item', 'index', 'args'].includes(name) && !condition.facts.includes(name),
    )
  )
    return invalid;
  const usesNow = needs.names.includes('now');
  if (run.phase === 'at_instruction' && (condition.facts.length > 0 || usesNow))
    return { is: 'not_run', reason: 'phase' };
  const routes: Route[] = [];
  const sources: Source[] = [];
  const origins: Source[] = [];
  let slotsOpen = false;
  let absent = 0;
  let otherFacts = 0;
  const patterns = [...needs.args, ...(needs.names.includes('item') ? [condition.pointer] : [])];
  const onPath = (pattern: string, id: string) => {
    const a = segmentsOf(pattern);
    const b = segmentsOf(id);
    return a.every((part, i) => i >= b.length || part === '*' || part === b[i]);
  };
  const needed = slots.filter(
    ({ id, decl }) => decl?.fixed_by !== condition.name && patterns.some((pattern) => onPath(pattern, id)),
  );
  for (const { id } of needed) {
    const state = states.get(id) as State;
    if (state.state === 'unknown') {
      slotsOpen = true;
      routes.push(state.route as Route);
    } else if (state.source != null) {
      sources.push(state.source);
      origins.push(state.origin ?? state.source);
    }
  }
  const scope: Record<string, Json> = { args };
  for (const name of condition.facts) {
    const decl = rules.facts[name] as Instance['decl'];
    const own = instances.filter(
      (one) =>
        one.name === name &&
        (condition.index === null ||
          decl.each === undefined ||
          decl.each !== condition.each ||
          one.index === condition.index),
    );
    const records: Json[] = [];
    for (const { id } of own) {
      const fact = facts.get(id) as FactOutcome;
      if (fact.is === 'measured') {
        for (const record of fact.records) {
          const value = recordAt(run, decl, record);
          if (value !== undefined) records.push(value);
        }
      } else if (fact.is === 'absent') {
        absent++;
        routes.push('system_lookup');
      } else {
        otherFacts++;
        routes.push(
          fact.is === 'failed'
            ? 'definition_repair'
            : fact.is === 'waits'
              ? (routeBehind(fact.on, null) ?? 'system_lookup')
              : 'system_lookup',
        );
      }
    }
    sources.push('measured_data');
    origins.push('measured_data');
    const many = decl.take === 'all' || (decl.each !== undefined && decl.each !== condition.each);
    if (many) scope[name] = records;
    else if (records[0] !== undefined) scope[name] = records[0];
    else if (own.length === 0) {
      otherFacts++;
      routes.push('system_lookup');
    }
  }
  if (usesNow && run.now === null) return { is: 'unknown', reason: 'now_unknown', route: 'system_lookup' };
  if (usesNow) scope.now = run.now;
  if (routes.length > 0) {
    // Only that the fact was looked for and is absent excuses.
    if (condition.whenMeasured && absent > 0 && !slotsOpen && otherFacts === 0)
      return { is: 'not_run', reason: 'not_measured' };
    return {
      is: 'unknown',
      reason: 'waits_for',
      route: (['definition_repair', 'system_lookup', 'ask_user'] as const).find((route) =>
        routes.includes(route),
      ) as Route,
    };
  }
  if (condition.index !== null && condition.item !== undefined) {
    scope.item = all(args, condition.pointer)[0]?.value ?? condition.item;
    scope.index = condition.index;
  }
  const source = SOURCES.findLast((one) => sources.includes(one)) ?? null;
  // Of the needs that have this source, the origin that comes last in search order.
  const origin =
    SOURCES.findLast((one) => sources.some((each, at) => each === source && origins[at] === one)) ?? null;
  const result = evaluate(compiled, scope, { zone: rules.zone });
  if ('value' in result && typeof result.value === 'boolean') {
    return result.value
      ? { is: 'met', source, origin }
      : { is: 'unmet', source, origin, reason: 'condition_false' };
  }
  // R6: what it checks is known to be nothing, and its requirement does not take that.
  const nothing =
    'value' in result ? result.value === null : needed.some(({ id }) => states.get(id)?.state === 'null');
  if (!nothing) return { is: 'unknown', reason: 'expression_failed', route: 'definition_repair' };
  return condition.acceptsNull
    ? { is: 'met', source, origin }
    : { is: 'unmet', source, origin, reason: 'condition_null' };
}
