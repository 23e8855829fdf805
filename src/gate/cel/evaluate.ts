import type { Json } from '../../events/json.ts';
import { add, div, mod, mul, negate, sub } from '../decimal.ts';
import type { Compiled } from './compile.ts';
import type { BinaryOperator, EvaluationFaultCode, Expr } from './expr.ts';
import { callFunction, type Surroundings } from './functions.ts';
import {
  asBoolean,
  asList,
  asMap,
  asNumber,
  asText,
  type Budget,
  compareValues,
  equalValues,
  itemAt,
  type ListValue,
  lift,
  listValue,
  lower,
  mapValue,
  numberValue,
  Stop,
  spend,
  spendText,
  stop,
  type Value,
} from './value.ts';

/** The values that free names stand for, by own keys. */
export type Scope = { readonly [name: string]: Json };

export interface EvaluateOptions {
  /** The zone of `seconds()` for texts that carry none, as a checklist declares it: `-05:00`, `EST`. */
  readonly zone?: string | null;
}

export type Evaluation = { readonly value: Json } | { readonly fault: EvaluationFaultCode };

/** How many nodes one evaluation may run and elements it may visit, over all its macros, functions and comparisons. */
export const MAX_WORK = 500_000;

/**
 * Runs a compiled expression (RULES R11). Numbers are exact decimals. Unlike CEL, `&&`, `||`, `all` and `exists` go
 * strictly from left to right: what stands left of the deciding part must have a value, so that nothing hides a missing
 * key (`missing == 1 || true` is `no_such_key`, not true). What stands right of it is not looked at. Never throws;
 * the same arguments give the same bytes; works on frozen input.
 */
export function evaluate(compiled: Compiled, scope: Scope, options: EvaluateOptions = {}): Evaluation {
  const budget: Budget = { left: MAX_WORK };
  const run: Run = { scope, budget, zone: options.zone ?? null };
  try {
    return { value: lower(evaluateExpr(compiled.expr, null, run), budget) };
  } catch (error) {
    if (error instanceof Stop) return { fault: error.code };
    throw error;
  }
}

interface Run extends Surroundings {
  readonly scope: Scope;
}

/** What macros have bound, innermost first. */
type Bound = { readonly name: string; readonly value: Value; readonly outer: Bound } | null;

function evaluateExpr(expr: Expr, bound: Bound, run: Run): Value {
  spend(run.budget, 1);
  switch (expr.kind) {
    case 'literal': {
      const { value } = expr;
      return typeof value === 'object' && value !== null ? numberValue(value) : value;
    }
    case 'name':
      return named(expr.name, bound, run);
    case 'select':
      return there(asMap(evaluateExpr(expr.of, bound, run)).get(expr.key), 'no_such_key');
    case 'has':
      return asMap(evaluateExpr(expr.of, bound, run)).get(expr.key) !== undefined;
    case 'index':
      return indexed(evaluateExpr(expr.of, bound, run), evaluateExpr(expr.key, bound, run));
    case 'list':
      return listValue(expr.items.map((item) => evaluateExpr(item, bound, run)));
    case 'map':
      return mapOf(expr, bound, run);
    case 'unary': {
      const value = evaluateExpr(expr.of, bound, run);
      return expr.op === '!' ? !asBoolean(value) : numberValue(negate(asNumber(value)));
    }
    case 'logic': {
      const decides = expr.op === '||';
      if (asBoolean(evaluateExpr(expr.left, bound, run)) === decides) return decides;
      return asBoolean(evaluateExpr(expr.right, bound, run));
    }
    case 'binary':
      return binary(
        expr.op,
        evaluateExpr(expr.left, bound, run),
        evaluateExpr(expr.right, bound, run),
        run.budget,
      );
    case 'choose':
      return asBoolean(evaluateExpr(expr.test, bound, run))
        ? evaluateExpr(expr.yes, bound, run)
        : evaluateExpr(expr.no, bound, run);
    case 'macro':
      return looped(expr, bound, run);
    case 'call': {
      const args = expr.args.map((arg) => evaluateExpr(arg, bound, run));
      return callFunction(expr.fn, args, run);
    }
  }
}

/** Null is a value; only what is absent is missing. */
function there(value: Value | undefined, code: EvaluationFaultCode): Value {
  return value === undefined ? stop(code) : value;
}

function named(name: string, bound: Bound, run: Run): Value {
  for (let here = bound; here !== null; here = here.outer) if (here.name === name) return here.value;
  if (!Object.hasOwn(run.scope, name)) return stop('no_such_name');
  return lift(run.scope[name] ?? null);
}

function indexed(of: Value, key: Value): Value {
  if (typeof of === 'object' && of !== null && of.is === 'list')
    return there(itemAt(of, key), 'no_such_index');
  return there(asMap(of).get(asText(key)), 'no_such_key');
}

function mapOf(expr: Expr & { kind: 'map' }, bound: Bound, run: Run): Value {
  const entries = new Map<string, Value>();
  for (const [key, value] of expr.entries) {
    const name = asText(evaluateExpr(key, bound, run));
    if (entries.has(name)) return stop('doubled_key');
    entries.set(name, evaluateExpr(value, bound, run));
  }
  return mapValue(entries);
}

function looped(expr: Expr & { kind: 'macro' }, bound: Bound, run: Run): Value {
  const over = iterable(evaluateExpr(expr.over, bound, run), run.budget);
  const kept: Value[] = [];
  let matches = 0;
  for (let i = 0; i < over.size; i++) {
    const item = over.item(i);
    const body = evaluateExpr(expr.body, { name: expr.name, value: item, outer: bound }, run);
    if (expr.macro === 'map') {
      kept.push(body);
      continue;
    }
    const holds = asBoolean(body);
    if (expr.macro === 'all' && !holds) return false;
    if (expr.macro === 'exists' && holds) return true;
    if (!holds) continue;
    matches++;
    kept.push(item);
  }
  switch (expr.macro) {
    case 'all':
      return true;
    case 'exists':
      return false;
    case 'exists_one':
      return matches === 1;
    case 'filter':
    case 'map':
      return listValue(kept);
  }
}

/** A list, or the keys of a map. */
function iterable(value: Value, budget: Budget): ListValue {
  if (typeof value !== 'object' || value === null || value.is !== 'map') return asList(value);
  return listValue(value.keys(budget));
}

function binary(op: BinaryOperator, left: Value, right: Value, budget: Budget): Value {
  switch (op) {
    case '==':
      return equalValues(left, right, budget);
    case '!=':
      return !equalValues(left, right, budget);
    case '<':
      return compareValues(left, right, budget) < 0;
    case '<=':
      return compareValues(left, right, budget) <= 0;
    case '>':
      return compareValues(left, right, budget) > 0;
    case '>=':
      return compareValues(left, right, budget) >= 0;
    case 'in':
      return contains(right, left, budget);
    case '+':
      return plus(left, right, budget);
    case '-':
      return numberValue(sub(asNumber(left), asNumber(right)));
    case '*':
      return numberValue(mul(asNumber(left), asNumber(right)));
    case '/': {
      const quotient = div(asNumber(left), asNumber(right));
      return typeof quotient === 'string' ? stop(quotient) : numberValue(quotient);
    }
    case '%': {
      const rest = mod(asNumber(left), asNumber(right));
      return typeof rest === 'string' ? stop(rest) : numberValue(rest);
    }
  }
}

function plus(left: Value, right: Value, budget: Budget): Value {
  if (typeof left === 'string') {
    const text = left + asText(right);
    spendText(budget, text);
    return text;
  }
  if (typeof left !== 'object' || left === null || left.is !== 'list')
    return numberValue(add(asNumber(left), asNumber(right)));
  const other = asList(right);
  spend(budget, left.size + other.size);
  const items: Value[] = [];
  for (let i = 0; i < left.size; i++) items.push(left.item(i));
  for (let i = 0; i < other.size; i++) items.push(other.item(i));
  return listValue(items);
}

/** An element equal to it, or a key of that name. */
function contains(of: Value, wanted: Value, budget: Budget): boolean {
  if (typeof of === 'object' && of !== null && of.is === 'map') return of.get(asText(wanted)) !== undefined;
  const list = asList(of);
  for (let i = 0; i < list.size; i++) if (equalValues(list.item(i), wanted, budget)) return true;
  return false;
}
