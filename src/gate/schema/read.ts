import { isArray, isObject, type Json, type JsonObject } from '../../events/json.ts';
import { at, type Pointer, pointerOf } from '../../events/pointer.ts';
import { loopsInPlace } from './in-place.ts';
import { type Pattern, readPattern } from './pattern.ts';
import {
  LISTS,
  MAPS,
  MAX_NESTING,
  MORE_ONE,
  type Names,
  namesOf,
  ONE,
  own,
  Refusal,
  referenceOf,
  unreadable,
} from './references.ts';

export type Dialect = '4' | '7' | '2019-09' | '2020-12';
export type SchemaFault = 'schema_unreadable' | 'schema_unbounded';

/** A schema as the validator gets it: own copies, local references only, no annotations. */
export type SchemaNode = boolean | SchemaObject;
export interface SchemaObject {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode;
  readonly unevaluatedProperties?: SchemaNode;
  readonly propertyNames?: SchemaNode;
  readonly items?: SchemaNode | readonly SchemaNode[];
  readonly prefixItems?: readonly SchemaNode[];
  readonly additionalItems?: SchemaNode;
  readonly unevaluatedItems?: SchemaNode;
  readonly contains?: SchemaNode;
  readonly allOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly not?: SchemaNode;
  readonly if?: SchemaNode;
  readonly then?: SchemaNode;
  readonly else?: SchemaNode;
  readonly dependentSchemas?: Readonly<Record<string, SchemaNode>>;
  readonly dependencies?: Readonly<Record<string, SchemaNode | readonly string[]>>;
  readonly pattern?: string;
  readonly uniqueItems?: boolean;
}

export interface ReadSchema {
  readonly dialect: Dialect;
  readonly root: SchemaNode;
  /** Every node that a `$ref` may name, by that name. */
  readonly lookup: Readonly<Record<string, SchemaNode>>;
  readonly patterns: ReadonlyMap<string, Pattern>;
  /** A pattern that may not run, if there is one: it has been left out, and the schema may not judge a payload. */
  readonly fault: SchemaFault | null;
}

const DIALECTS: Readonly<Record<string, Dialect>> = {
  'http://json-schema.org/draft-04/schema': '4',
  'http://json-schema.org/draft-07/schema': '7',
  'https://json-schema.org/draft/2019-09/schema': '2019-09',
  'https://json-schema.org/draft/2020-12/schema': '2020-12',
};
const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
const COUNTS = [
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
  ...['minContains', 'maxContains'],
];
const NUMBERS = ['minimum', 'maximum', 'multipleOf'];

/** The most nodes of a schema, its references followed once each. */
const MAX_NODES = 20_000;

interface Reading {
  readonly names: Names;
  readonly lookup: Record<string, SchemaNode>;
  readonly patterns: Map<string, Pattern>;
  /** References whose targets are still to be read: a chain of them is not nesting. */
  readonly pending: Pointer[];
  fault: SchemaFault | null;
  nodes: number;
}

const memo = new WeakMap<object, ReadSchema | { readonly fault: SchemaFault }>();

/**
 * Reads a tool's JSON Schema for the gate. Unreadable: an unknown dialect, a keyword of a wrong shape, an external or
 * dangling `$ref`, an embedded `$id`. Unbounded: too many or too deep nodes, a reference
 * that comes back to itself without going into the value. Without `$schema` it is 2020-12, as MCP
 * says. `format` is an annotation and is not judged. A bad pattern is noted in `fault` and left out.
 */
export function readSchema(schema: Json): ReadSchema | { readonly fault: SchemaFault } {
  if (typeof schema !== 'object' || schema === null) return readFresh(schema);
  const known = memo.get(schema);
  if (known !== undefined) return known;
  const fresh = readFresh(schema);
  memo.set(schema, fresh);
  return fresh;
}

function readFresh(document: Json): ReadSchema | { readonly fault: SchemaFault } {
  try {
    const dialect = dialectOf(document);
    const reading: Reading = {
      names: namesOf(document, dialect),
      lookup: Object.create(null) as Record<string, SchemaNode>,
      patterns: new Map(),
      pending: [],
      fault: null,
      nodes: 0,
    };
    const root = readNode(document, '', reading, 0);
    for (let next = reading.pending.pop(); next !== undefined; next = reading.pending.pop())
      readNode(at(document, next), next, reading, 0);
    if (loopsInPlace(Object.values(reading.lookup), reading.lookup)) throw new Refusal('schema_unbounded');
    const { lookup, patterns, fault } = reading;
    return { dialect, root, lookup, patterns, fault };
  } catch (error) {
    if (error instanceof Refusal) return { fault: error.fault };
    throw error;
  }
}

function dialectOf(document: Json): Dialect {
  if (!isObject(document) || !Object.hasOwn(document, '$schema')) return '2020-12';
  const named = document.$schema;
  if (typeof named !== 'string') return unreadable();
  const bare = named.endsWith('#') ? named.slice(0, -1) : named;
  return (Object.hasOwn(DIALECTS, bare) ? DIALECTS[bare] : undefined) ?? unreadable();
}

function readNode(json: Json | undefined, pointer: Pointer, reading: Reading, depth: number): SchemaNode {
  const known = reading.lookup[`#${pointer}`];
  if (known !== undefined) return known;
  reading.nodes++;
  if (reading.nodes > MAX_NODES || depth > MAX_NESTING) throw new Refusal('schema_unbounded');
  if (typeof json === 'boolean') {
    // As `not: {}`, so that the validator says in its own words where nothing is allowed.
    const node: SchemaNode = json ? true : { not: {} };
    reading.lookup[`#${pointer}`] = node;
    return node;
  }
  if (!isObject(json)) return unreadable();
  const node = Object.create(null) as Record<string, unknown>;
  reading.lookup[`#${pointer}`] = node;
  const sub = (child: Json | undefined, ...path: (string | number)[]): SchemaNode =>
    readNode(child, pointer + pointerOf(path), reading, depth + 1);
  const reference = referenceOf(json, reading.names);
  if (reference !== undefined) {
    node.$ref = `#${reference}`;
    reading.pending.push(reference);
    if (reading.names.dialect === '4' || reading.names.dialect === '7') return node;
  }
  readAssertions(json, node, reading);
  readApplicators(json, node, reading, sub);
  return node;
}

function readAssertions(json: JsonObject, node: Record<string, unknown>, reading: Reading): void {
  const take = (keyword: string, fits: (value: Json) => boolean): void => {
    const value = own(json, keyword);
    if (value === undefined) return;
    if (!fits(value)) unreadable();
    node[keyword] = value;
  };
  const isType = (value: Json): boolean => typeof value === 'string' && TYPES.includes(value);
  const isNames = (value: Json): boolean => isArray(value) && value.every((one) => typeof one === 'string');
  take('type', (value) => isType(value) || (isArray(value) && value.every(isType)));
  take('const', () => true);
  take('enum', isArray);
  take('required', isNames);
  take('dependentRequired', (value) => isObject(value) && Object.values(value).every(isNames));
  take('uniqueItems', (value) => typeof value === 'boolean');
  for (const keyword of COUNTS) take(keyword, (value) => typeof value === 'number' && value >= 0);
  for (const keyword of NUMBERS) take(keyword, (value) => typeof value === 'number');
  const exclusive = reading.names.dialect === '4' ? 'boolean' : 'number';
  for (const keyword of ['exclusiveMinimum', 'exclusiveMaximum'])
    take(keyword, (value) => typeof value === exclusive);
  take('pattern', (value) => typeof value === 'string');
  if (typeof node.pattern === 'string' && !admit(node.pattern, reading)) delete node.pattern;
}

function admit(source: string, reading: Reading): boolean {
  if (reading.patterns.has(source)) return true;
  const pattern = readPattern(source);
  if (!('fault' in pattern)) {
    reading.patterns.set(source, pattern);
    return true;
  }
  reading.fault ??= pattern.fault === 'unreadable' ? 'schema_unreadable' : 'schema_unbounded';
  return false;
}

function readApplicators(
  json: JsonObject,
  node: Record<string, unknown>,
  reading: Reading,
  sub: (child: Json | undefined, ...path: (string | number)[]) => SchemaNode,
): void {
  for (const keyword of [...ONE, ...MORE_ONE, 'items']) {
    const value = own(json, keyword);
    if (value === undefined || (keyword === 'items' && isArray(value))) continue;
    node[keyword] = sub(value, keyword);
  }
  for (const keyword of [...LISTS, 'items']) {
    const value = own(json, keyword);
    if (value === undefined || (keyword === 'items' && !isArray(value))) continue;
    if (!isArray(value)) unreadable();
    node[keyword] = value.map((one, i) => sub(one, keyword, i));
  }
  for (const keyword of [...MAPS, 'dependencies']) {
    const value = own(json, keyword);
    if (value === undefined) continue;
    if (!isObject(value)) unreadable();
    const map = Object.create(null) as Record<string, unknown>;
    for (const key of Object.keys(value)) {
      const one = value[key];
      if (keyword === 'patternProperties' && !admit(key, reading)) continue;
      if (keyword === 'dependencies' && isArray(one)) {
        if (!one.every((name) => typeof name === 'string')) unreadable();
        map[key] = one;
      } else map[key] = sub(one, keyword, key);
    }
    node[keyword] = map;
  }
}
