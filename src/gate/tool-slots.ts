import { isArray, isObject, type Json, type JsonObject } from '../events/json.ts';
import { type Pointer, pointerOf } from '../events/pointer.ts';
import { accepts } from './payload.ts';
import { isNames } from './schema/in-place.ts';
import { matches } from './schema/pattern.ts';
import {
  type ReadSchema,
  readSchema,
  type SchemaFault,
  type SchemaNode,
  type SchemaObject,
} from './schema/read.ts';
import { isTuple } from './schema/work.ts';

export interface Leaf {
  readonly pointer: Pointer;
  /** The pointer with `*` for each array index. */
  readonly pattern: Pointer;
  /** Its object requires it, or it is an array's element: it can't be left out. */
  readonly required: boolean;
  /**
   * The one value that the schema takes here (`const`, or an `enum` of one); absent where there is none, and within a
   * branch that the proposal's own values chose: there the choice is not the schema's.
   */
  readonly const?: Json;
  /** false: the schema has no place for it (R7: `payload_invalid`). */
  readonly allowed: boolean;
}

type Segment = string | number;

/**
 * A node that judges a place. `sure`: whatever the proposal says; not so within a branch that the proposal's own values
 * have chosen, where a `const` fixes nothing: it only names the choice.
 */
interface Judge<Node extends SchemaNode = SchemaNode> {
  readonly node: Node;
  readonly sure: boolean;
}

/** Deeper values, and deeper required objects, end in a leaf. */
const MAX_DEPTH = 64;

/**
 * The leaves of RULES R7: every required argument down to the leaves, and every leaf that the proposal carries, sorted
 * by pointer (indexes as numbers, keys by code units). `[]`, `{}`, `""` and null are leaves. Chosen where R7 is silent:
 *
 * - What an absent required object requires is listed down to its leaves; where it requires nothing, and for an absent
 *   required array, `anyOf` or `oneOf`, the thing itself is the leaf. A required cycle ends in a leaf.
 * - A carried `{}` whose schema requires something is not a leaf itself: what it lacks is.
 * - Of `anyOf` and `oneOf` the first branch that takes the carried value counts; where none does, no leaf below is
 *   allowed. Nor is one below a value of a type that the schema does not take.
 * - Without a schema (null) the leaves are the proposal's own: none required, all allowed.
 *
 * Defaults are never injected. A pattern that may not run narrows nothing here; `checkSchema` says that it is there.
 */
export function slotsOf(
  schema: Json | null,
  proposal: Json | undefined,
): { readonly leaves: readonly Leaf[] } | { readonly fault: SchemaFault } {
  const read = readSchema(schema ?? true);
  if (!('dialect' in read)) return { fault: read.fault };
  const walk: Walk = { read, found: [] };
  visit(
    [{ node: read.root, sure: true }],
    proposal,
    { path: [], required: false, allowed: true, absent: [] },
    walk,
  );
  // The whole argument object is no argument: an empty one has no leaves.
  const leaves = walk.found
    .filter((leaf) => leaf.path.length > 0)
    .sort((a, b) => comparePaths(a.path, b.path));
  return { leaves: leaves.map((found) => found.leaf) };
}

interface Walk {
  readonly read: ReadSchema;
  readonly found: { readonly path: readonly Segment[]; readonly leaf: Leaf }[];
}

interface Spot {
  readonly path: readonly Segment[];
  readonly required: boolean;
  readonly allowed: boolean;
  /** The nodes through which an absent value has been followed, against cycles. */
  readonly absent: readonly SchemaNode[];
}

function visit(nodes: readonly Judge[], value: Json | undefined, spot: Spot, walk: Walk): void {
  const merged = mergedOf(nodes, value, walk.read);
  const allowed = spot.allowed && merged.taken && takesType(merged.plain, value);
  const here: Spot = { ...spot, allowed };
  const deepest = spot.path.length >= MAX_DEPTH;
  const again = value === undefined && merged.plain.some(({ node }) => spot.absent.includes(node));
  if (isArray(value) && !deepest) visitArray(merged.plain, value, here, walk);
  else if (isObject(value) && !deepest) visitObject(merged.plain, value, { ...here, absent: [] }, walk);
  else if (isAbsentObject(merged.plain, value) && !deepest && !again) {
    const absent = [...spot.absent, ...merged.plain.map(({ node }) => node)];
    visitObject(merged.plain, {}, { ...here, absent }, walk);
  } else leaf(merged.plain, here, walk);
}

function visitObject(plain: readonly Judge<SchemaObject>[], value: JsonObject, spot: Spot, walk: Walk): void {
  const required = new Set<string>();
  for (const { node } of plain) {
    for (const key of node.required ?? []) required.add(key);
    if (isObject(node.const)) for (const key of Object.keys(node.const)) required.add(key);
  }
  const keys = new Set([...required, ...Object.keys(value)]);
  if (keys.size === 0) leaf(plain, spot, walk);
  for (const key of keys) {
    const child = Object.hasOwn(value, key) ? value[key] : undefined;
    const nodes = propertyNodes(plain, key, walk.read);
    visit(
      nodes ?? [],
      child,
      {
        path: [...spot.path, key],
        required: required.has(key),
        allowed: spot.allowed && nodes !== null,
        absent: spot.absent,
      },
      walk,
    );
  }
}

function visitArray(
  plain: readonly Judge<SchemaObject>[],
  value: readonly Json[],
  spot: Spot,
  walk: Walk,
): void {
  if (value.length === 0) leaf(plain, spot, walk);
  for (const [i, child] of value.entries()) {
    const nodes = itemNodes(plain, i);
    visit(
      nodes ?? [],
      child,
      { path: [...spot.path, i], required: true, allowed: spot.allowed && nodes !== null, absent: [] },
      walk,
    );
  }
}

function leaf(plain: readonly Judge<SchemaObject>[], spot: Spot, walk: Walk): void {
  const pattern = pointerOf(spot.path.map((segment) => (typeof segment === 'number' ? '*' : segment)));
  const only = onlyValue(plain);
  const { required, allowed } = spot;
  const base = { pointer: pointerOf(spot.path), pattern, required, allowed };
  walk.found.push({ path: spot.path, leaf: only === undefined ? base : { ...base, const: only } });
}

function onlyValue(plain: readonly Judge<SchemaObject>[]): Json | undefined {
  for (const { node, sure } of plain) {
    if (!sure) continue;
    if (node.const !== undefined) return node.const;
    if (node.enum?.length === 1) return node.enum[0];
  }
  return undefined;
}

/** Everything that judges this value at this place, with references followed and branches chosen. */
function mergedOf(
  judges: readonly Judge[],
  value: Json | undefined,
  read: ReadSchema,
): { readonly plain: readonly Judge<SchemaObject>[]; readonly taken: boolean } {
  const found = new Map<SchemaObject, boolean>();
  let taken = true;
  const add = (node: SchemaNode, sure: boolean): void => {
    if (typeof node === 'boolean') return;
    const before = found.get(node);
    if (before === true || (before === false && !sure)) return;
    found.set(node, sure);
    if (isNever(node)) taken = false;
    if (node.$ref !== undefined) add(read.lookup[node.$ref] ?? true, sure);
    for (const one of node.allOf ?? []) add(one, sure);
    if (value === undefined) return;
    for (const branches of [node.anyOf, node.oneOf]) {
      if (branches === undefined) continue;
      const chosen = branches.find((branch) => accepts(read, branch, value));
      if (chosen === undefined) taken = false;
      else add(chosen, sure && branches.length === 1);
    }
    if (node.if !== undefined) {
      const holds = accepts(read, node.if, value);
      if (holds) add(node.if, false);
      add((holds ? node.then : node.else) ?? true, false);
    }
    if (!isObject(value)) return;
    for (const [key, one] of Object.entries({ ...node.dependencies, ...node.dependentSchemas })) {
      if (Object.hasOwn(value, key) && !isNames(one)) add(one, false);
    }
  };
  for (const { node, sure } of judges) add(node, sure);
  return { plain: [...found].map(([node, sure]) => ({ node, sure })), taken };
}

/** `false` as it has been read. */
function isNever(node: SchemaNode): boolean {
  if (typeof node === 'boolean') return !node;
  return typeof node.not === 'object' && Object.keys(node).length === 1 && Object.keys(node.not).length === 0;
}

function isAbsentObject(plain: readonly Judge<SchemaObject>[], value: Json | undefined): boolean {
  if (value !== undefined) return false;
  return plain.some(({ node }) => (node.required?.length ?? 0) > 0 || isObject(node.const));
}

function takesType(plain: readonly Judge<SchemaObject>[], value: Json | undefined): boolean {
  if (value === undefined) return true;
  const own = isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  return plain.every(({ node: { type } }) => {
    if (type === undefined) return true;
    const types = typeof type === 'string' ? [type] : type;
    return types.includes(own) || (own === 'number' && types.includes('integer'));
  });
}

/** What judges a property; null where some node has no place for it. */
function propertyNodes(plain: readonly Judge<SchemaObject>[], key: string, read: ReadSchema): Judge[] | null {
  const out: Judge[] = [];
  let evaluated = false;
  let closed = false;
  for (const { node, sure } of plain) {
    const before = out.length;
    const { properties, patternProperties = {}, additionalProperties: rest } = node;
    if (properties !== undefined && Object.hasOwn(properties, key))
      out.push({ node: properties[key] ?? true, sure });
    for (const [source, one] of Object.entries(patternProperties)) {
      const pattern = read.patterns.get(source);
      if (pattern !== undefined && matches(pattern, key)) out.push({ node: one, sure });
    }
    if (out.length === before && rest !== undefined) {
      if (isNever(rest)) return null;
      out.push({ node: rest, sure });
    }
    if (out.length > before) evaluated = true;
    if (isObject(node.const)) {
      if (!Object.hasOwn(node.const, key)) return null;
      out.push({ node: { const: node.const[key] ?? null }, sure });
      evaluated = true;
    }
    if (node.unevaluatedProperties !== undefined && isNever(node.unevaluatedProperties)) closed = true;
    if (node.propertyNames !== undefined && !accepts(read, node.propertyNames, key)) return null;
  }
  return (closed && !evaluated) || out.some(({ node }) => isNever(node)) ? null : out;
}

/** What judges an element; null where some node has no place for it. */
function itemNodes(plain: readonly Judge<SchemaObject>[], index: number): Judge[] | null {
  const out: Judge[] = [];
  for (const { node, sure } of plain) {
    const { items, prefixItems, additionalItems, const: only } = node;
    const tuple = isTuple(items) ? items : prefixItems;
    const rest = isTuple(items) ? additionalItems : items;
    const own = tuple?.[index] ?? (isTuple(rest) ? undefined : rest);
    if (own !== undefined) out.push({ node: own, sure });
    if (!isArray(only)) continue;
    if (index >= only.length) return null;
    out.push({ node: { const: only[index] ?? null }, sure });
  }
  return out.some(({ node }) => isNever(node)) ? null : out;
}

function comparePaths(a: readonly Segment[], b: readonly Segment[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const left = a[i] ?? '';
    const right = b[i] ?? '';
    if (left === right) continue;
    // Below one place all segments are of one kind.
    return left < right ? -1 : 1;
  }
  return a.length - b.length;
}
