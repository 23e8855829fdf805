import { isArray, type Json } from '../../events/json.ts';
import {
  compareDecimals,
  type Decimal,
  decimalOf,
  decimalToJson,
  digitsOf,
  equalDecimals,
} from '../decimal.ts';
import type { EvaluationFaultCode } from './expr.ts';

/** A value while an expression runs. Lists and maps read JSON where it lies; nothing is copied. */
export type Value = null | boolean | string | NumberValue | ListValue | MapValue;

export interface NumberValue {
  readonly is: 'number';
  readonly value: Decimal;
}

export interface ListValue {
  readonly is: 'list';
  readonly size: number;
  item(index: number): Value;
}

export interface MapValue {
  readonly is: 'map';
  /** Own keys, in code unit order. Counted as so many visits. */
  keys(budget: Budget): readonly string[];
  get(key: string): Value | undefined;
}

/** Stops an evaluation. Never leaves `evaluate`. */
export class Stop {
  readonly code: EvaluationFaultCode;
  constructor(code: EvaluationFaultCode) {
    this.code = code;
  }
}

export function stop(code: EvaluationFaultCode): never {
  throw new Stop(code);
}

/**
 * What is left of an evaluation's allowance. A node of the expression that is run, an element that is visited and each
 * 64 code units of text that is built or compared count one.
 */
export interface Budget {
  left: number;
}

/** The deepest value that is compared or given back. */
const MAX_VALUE_DEPTH = 200;
/** The longest number that arithmetic may build, in digits. */
const MAX_NUMBER_DIGITS = 1000;

export function spend(budget: Budget, steps: number): void {
  budget.left -= steps;
  if (budget.left < 0) stop('too_much_work');
}

export function spendText(budget: Budget, text: string): void {
  spend(budget, text.length / 64);
}

export function numberValue(value: Decimal): NumberValue {
  if (value.scale > MAX_NUMBER_DIGITS || digitsOf(value) > MAX_NUMBER_DIGITS) stop('number_too_long');
  return { is: 'number', value };
}

export function listValue(items: readonly Value[]): ListValue {
  return { is: 'list', size: items.length, item: (index) => items[index] ?? null };
}

export function mapValue(entries: ReadonlyMap<string, Value>): MapValue {
  return {
    is: 'map',
    keys: (budget) => inOrder([...entries.keys()], budget),
    get: (key) => entries.get(key),
  };
}

export function lift(json: Json): Value {
  if (json === null || typeof json === 'boolean' || typeof json === 'string') return json;
  if (typeof json === 'number') {
    const value = decimalOf(json);
    return value === undefined ? stop('wrong_type') : { is: 'number', value };
  }
  if (isArray(json)) return { is: 'list', size: json.length, item: (index) => lift(json[index] ?? null) };
  return {
    is: 'map',
    keys: (budget) => inOrder(Object.keys(json), budget),
    get: (key) => (Object.hasOwn(json, key) ? lift(json[key] ?? null) : undefined),
  };
}

export function lower(value: Value, budget: Budget, depth = 0): Json {
  if (value === null || typeof value !== 'object') return value;
  if (depth > MAX_VALUE_DEPTH) stop('too_deep');
  if (value.is === 'number') {
    const number = decimalToJson(value.value);
    return number === undefined ? stop('not_representable') : number;
  }
  if (value.is === 'list') {
    spend(budget, value.size);
    const items: Json[] = [];
    for (let i = 0; i < value.size; i++) items.push(lower(value.item(i), budget, depth + 1));
    return items;
  }
  // fromEntries defines own properties, so that `__proto__` stays a plain key.
  return Object.fromEntries(
    value.keys(budget).map((key) => [key, lower(value.get(key) ?? null, budget, depth + 1)] as const),
  );
}

/** Numbers by value, lists and maps by their content; values of different types are not equal. */
export function equalValues(a: Value, b: Value, budget: Budget, depth = 0): boolean {
  spend(budget, 1);
  if (depth > MAX_VALUE_DEPTH) stop('too_deep');
  if (typeof a === 'string' && typeof b === 'string') return equalTexts(a, b, budget);
  if (a === null || typeof a !== 'object' || b === null || typeof b !== 'object') return a === b;
  if (a.is === 'number') return b.is === 'number' && equalDecimals(a.value, b.value);
  if (a.is === 'list') {
    if (b.is !== 'list' || a.size !== b.size) return false;
    for (let i = 0; i < a.size; i++) if (!equalValues(a.item(i), b.item(i), budget, depth + 1)) return false;
    return true;
  }
  if (b.is !== 'map') return false;
  const keys = a.keys(budget);
  if (keys.length !== b.keys(budget).length) return false;
  for (const key of keys) {
    const other = b.get(key);
    if (other === undefined || !equalValues(a.get(key) ?? null, other, budget, depth + 1)) return false;
  }
  return true;
}

function equalTexts(a: string, b: string, budget: Budget): boolean {
  if (a.length !== b.length) return false;
  spendText(budget, a);
  return a === b;
}

/** Two numbers by value, or two strings by code units; anything else is a fault. */
export function compareValues(a: Value, b: Value, budget: Budget): -1 | 0 | 1 {
  if (typeof a === 'string' && typeof b === 'string') {
    spendText(budget, a.length < b.length ? a : b);
    return a < b ? -1 : a > b ? 1 : 0;
  }
  return compareDecimals(asNumber(a), asNumber(b));
}

export function asNumber(value: Value): Decimal {
  return typeof value === 'object' && value !== null && value.is === 'number'
    ? value.value
    : stop('wrong_type');
}

export function asList(value: Value): ListValue {
  return typeof value === 'object' && value !== null && value.is === 'list' ? value : stop('wrong_type');
}

export function asMap(value: Value): MapValue {
  return typeof value === 'object' && value !== null && value.is === 'map' ? value : stop('wrong_type');
}

export function asText(value: Value): string {
  return typeof value === 'string' ? value : stop('wrong_type');
}

export function asBoolean(value: Value): boolean {
  return typeof value === 'boolean' ? value : stop('not_boolean');
}

/** The element at a number, or undefined where a list has none. */
export function itemAt(list: ListValue, key: Value): Value | undefined {
  const number = asNumber(key);
  if (number.scale !== 0) stop('not_an_integer');
  const { coefficient } = number;
  return coefficient >= 0n && coefficient < BigInt(list.size) ? list.item(Number(coefficient)) : undefined;
}

function inOrder(keys: string[], budget: Budget): readonly string[] {
  spend(budget, keys.length);
  return keys.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
