import { isArray, isObject, type Json } from '../../events/json.ts';
import { inPlaceOf } from './in-place.ts';
import { affordable, type Pattern } from './pattern.ts';
import type { ReadSchema, SchemaNode, SchemaObject } from './read.ts';

/** The most subschemas that judging one value may run, each as often as the validator would. */
const MAX_WORK = 50_000;
/** How deep the validator may call itself. */
const MAX_CALLS = 400;
/** The deepest value that is judged at all. */
export const MAX_VALUE_DEPTH = 64;

interface Cost {
  readonly work: number;
  readonly calls: number;
}

const FREE: Cost = { work: 1, calls: 1 };
const TOO_MUCH: Cost = { work: MAX_WORK + 1, calls: 0 };

/**
 * Whether judging this value by this schema ends soon. Counted before it is done, because the validator has no limits
 * of its own: references that fan out double with each step, and a regular expression runs as long as the text lets it.
 */
export function staysBounded(read: ReadSchema, node: SchemaNode, value: Json): boolean {
  if (!isShallow(value, MAX_VALUE_DEPTH)) return false;
  const memo = new Map<SchemaNode, Map<Json, Cost>>();
  const cost = (here: SchemaNode, of: Json, depth: number): Cost => {
    if (typeof here === 'boolean') return FREE;
    // The true depth is at most that of the walk.
    if (depth > MAX_CALLS) return TOO_MUCH;
    let costs = memo.get(here);
    if (costs === undefined) {
      costs = new Map();
      memo.set(here, costs);
    }
    const known = costs.get(of);
    if (known !== undefined) return known;
    const total = ownWork(here, of, read.patterns);
    let { work, calls } = total;
    const count: Count = (child, childValue) => {
      if (work > MAX_WORK) return;
      const found = child === null ? TOO_MUCH : cost(child, childValue, depth + 1);
      work += found.work;
      if (found.calls + 1 > calls) calls = found.calls + 1;
    };
    for (const child of inPlaceOf(here, read.lookup)) count(child, of);
    if (isObject(of)) eachProperty(here, of, read.patterns, count);
    else if (isArray(of)) eachItem(here, of, count);
    const sum: Cost = work > MAX_WORK ? TOO_MUCH : { work, calls };
    costs.set(of, sum);
    return sum;
  };
  const total = cost(node, value, 0);
  return total.work <= MAX_WORK && total.calls <= MAX_CALLS;
}

export function isShallow(value: Json, left: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return left > 0 && Object.values(value).every((one) => isShallow(one, left - 1));
}

function ownWork(node: SchemaObject, value: Json, patterns: ReadonlyMap<string, Pattern>): Cost {
  if (typeof value === 'string' && node.pattern !== undefined) {
    const pattern = patterns.get(node.pattern);
    if (pattern === undefined || !affordable(pattern, value.length)) return TOO_MUCH;
  }
  let work = 1;
  if (node.enum !== undefined) work += node.enum.length;
  if (isArray(value) && node.uniqueItems === true) work += value.length * value.length;
  return { work, calls: 1 };
}

/** null: something that may not run at all. */
type Count = (child: SchemaNode | null, value: Json) => void;

function eachProperty(
  node: SchemaObject,
  value: { readonly [key: string]: Json },
  patterns: ReadonlyMap<string, Pattern>,
  count: Count,
): void {
  const { properties = {}, patternProperties = {}, propertyNames } = node;
  const byPattern = Object.entries(patternProperties);
  for (const key of Object.keys(value)) {
    const child = value[key] ?? null;
    if (propertyNames !== undefined) count(propertyNames, key);
    const named = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (named !== undefined) count(named, child);
    for (const [source, one] of byPattern) {
      const pattern = patterns.get(source);
      if (pattern === undefined || !affordable(pattern, key.length)) count(null, key);
      count(one, child);
    }
    if (named !== undefined) continue;
    if (node.additionalProperties !== undefined) count(node.additionalProperties, child);
    if (node.unevaluatedProperties !== undefined) count(node.unevaluatedProperties, child);
  }
}

function eachItem(node: SchemaObject, value: readonly Json[], count: Count): void {
  const { items, prefixItems = [], additionalItems, unevaluatedItems, contains } = node;
  const tuple = isTuple(items) ? items : prefixItems;
  const rest = [additionalItems, unevaluatedItems, contains];
  if (items !== undefined && !isTuple(items)) rest.push(items);
  for (const [i, child] of value.entries()) {
    const own = tuple[i];
    if (own !== undefined) count(own, child);
    for (const one of rest) if (one !== undefined) count(one, child);
  }
}

/** One schema for each element, as older dialects have it. */
export function isTuple(items: SchemaObject['items']): items is readonly SchemaNode[] {
  return Array.isArray(items);
}
