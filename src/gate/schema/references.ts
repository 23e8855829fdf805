import { isArray, isObject, type Json, type JsonObject } from '../../events/json.ts';
import { at, escapeSegment, type Pointer, pointerOf, segmentsOf } from '../../events/pointer.ts';
import type { Dialect, SchemaFault } from './read.ts';

/** Keywords that hold one subschema, a list of them, or a map of them. `items` holds one or a list. */
export const ONE = [
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
];
export const MORE_ONE = ['propertyNames', 'not', 'if', 'then', 'else'];
export const LISTS = ['prefixItems', 'allOf', 'anyOf', 'oneOf'];
export const MAPS = ['properties', 'patternProperties', 'dependentSchemas'];

/** The deepest nesting of a schema, references not counted. */
export const MAX_NESTING = 100;

/** Stops the reading of a schema; never leaves `readSchema`. */
export class Refusal {
  readonly fault: SchemaFault;
  constructor(fault: SchemaFault) {
    this.fault = fault;
  }
}

export function unreadable(): never {
  throw new Refusal('schema_unreadable');
}

export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** What references of one document may name. */
export interface Names {
  readonly document: Json;
  readonly dialect: Dialect;
  /** The document's own id, without a fragment. */
  readonly id: string;
  readonly anchors: ReadonlyMap<string, Pointer>;
}

export function namesOf(document: Json, dialect: Dialect): Names {
  const anchors = new Map<string, Pointer>();
  collectAnchors(document, '', dialect, anchors, 0);
  return { document, dialect, id: rootId(document, dialect), anchors };
}

function idKeyword(dialect: Dialect): string {
  return dialect === '4' ? 'id' : '$id';
}

function rootId(document: Json, dialect: Dialect): string {
  const id = isObject(document) ? own(document, idKeyword(dialect)) : undefined;
  if (typeof id !== 'string') return '';
  return id.endsWith('#') ? id.slice(0, -1) : id;
}

/** Anchors stand anywhere, also where no reference has led yet. An embedded `$id` would open a second document. */
function collectAnchors(
  json: Json,
  pointer: Pointer,
  dialect: Dialect,
  anchors: Map<string, Pointer>,
  depth: number,
): void {
  if (!isObject(json)) return;
  if (depth > MAX_NESTING) throw new Refusal('schema_unbounded');
  const id = own(json, idKeyword(dialect));
  if (pointer !== '' && typeof id === 'string') {
    if (!id.startsWith('#')) unreadable();
    anchors.set(id.slice(1), pointer);
  }
  for (const keyword of ['$anchor', '$dynamicAnchor']) {
    const anchor = own(json, keyword);
    if (typeof anchor === 'string') anchors.set(anchor, pointer);
  }
  for (const [child, where] of children(json, pointer))
    collectAnchors(child, where, dialect, anchors, depth + 1);
}

function* children(json: JsonObject, pointer: Pointer): Generator<[Json, Pointer]> {
  for (const keyword of [...ONE, ...MORE_ONE, 'items', ...LISTS]) {
    const value = own(json, keyword);
    if (value === undefined) continue;
    if (isArray(value)) for (const [i, one] of value.entries()) yield [one, `${pointer}/${keyword}/${i}`];
    else yield [value, `${pointer}/${keyword}`];
  }
  for (const keyword of [...MAPS, 'dependencies', '$defs', 'definitions']) {
    const value = own(json, keyword);
    if (!isObject(value)) continue;
    for (const key of Object.keys(value))
      yield [value[key] ?? null, `${pointer}/${keyword}/${escapeSegment(key)}`];
  }
}

/** The pointer that `$ref` names. A single document has one dynamic scope: a dynamic reference is a plain one. */
export function referenceOf(json: JsonObject, names: Names): Pointer | undefined {
  const keywords = ['$ref', '$dynamicRef', '$recursiveRef'].filter((key) => Object.hasOwn(json, key));
  const [keyword] = keywords;
  if (keyword === undefined) return undefined;
  const reference = json[keyword];
  if (typeof reference !== 'string' || keywords.length > 1) return unreadable();
  const hash = reference.indexOf('#');
  const document = hash === -1 ? reference : reference.slice(0, hash);
  if (document !== '' && document !== names.id) return unreadable();
  const fragment = decoded(hash === -1 ? '' : reference.slice(hash + 1));
  if (fragment === '') return '';
  if (!fragment.startsWith('/')) return names.anchors.get(fragment) ?? unreadable();
  // One spelling of each pointer, so that one node has one name.
  const pointer = pointerOf(segmentsOf(fragment));
  return at(names.document, pointer) === undefined ? unreadable() : pointer;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return unreadable();
  }
}
