import { type OutputUnit, type Schema, validate } from '@cfworker/json-schema';
import type { Json } from '../events/json.ts';
import type { Pointer } from '../events/pointer.ts';
import { segmentsOf } from '../events/pointer.ts';
import { plainlyTakes } from './schema/plain.ts';
import {
  type Dialect,
  type ReadSchema,
  readSchema,
  type SchemaFault,
  type SchemaNode,
} from './schema/read.ts';
import { isShallow, MAX_VALUE_DEPTH, staysBounded } from './schema/work.ts';

export type { Dialect, SchemaFault } from './schema/read.ts';

export type PayloadResult =
  | { readonly ok: true }
  /** The keyword that failed, at the value's place; `unbounded` where judging it would not end soon. */
  | { readonly ok: false; readonly at: Pointer; readonly keyword: string };

/** Keywords that only report what a subschema said; the report is kept, not they. */
const WRAPPERS = [
  ...[
    '$ref',
    'allOf',
    'if',
    'properties',
    'patternProperties',
    'additionalProperties',
    'unevaluatedProperties',
  ],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'propertyNames', 'dependentSchemas'],
];
/** Keywords whose subschemas' complaints are noise: only one of them had to hold. */
const CHOICES = ['anyOf', 'oneOf', 'contains'];
/** Where a `false` schema stands, that keyword has failed. */
const CLOSED = [
  'additionalProperties',
  'unevaluatedProperties',
  'items',
  'additionalItems',
  'unevaluatedItems',
];

/**
 * Whether a schema may judge payloads: dialects draft-04, draft-07, 2019-09 and 2020-12 (the default). See `readSchema`
 * for what is unreadable and `readPattern` for which regular expressions are refused. Remembered by identity.
 */
export function checkSchema(schema: Json): { readonly dialect: Dialect } | { readonly fault: SchemaFault } {
  const read = readSchema(schema);
  if ('dialect' in read && read.fault === null) return { dialect: read.dialect };
  return { fault: read.fault ?? 'schema_unreadable' };
}

/**
 * Judges a whole argument object by a tool's schema (RULES R11, last sentence). Of several failures the first is given:
 * by place (numbers before names, names by code units), then by keyword. `format` is an annotation and not judged.
 * A schema that `checkSchema` refuses fails every payload, with its fault as the keyword. Never throws.
 */
export function validatePayload(schema: Json, value: Json): PayloadResult {
  const read = readSchema(schema);
  if (!('dialect' in read)) return { ok: false, at: '', keyword: read.fault };
  if (read.fault !== null) return { ok: false, at: '', keyword: read.fault };
  return judge(read, read.root, value);
}

/** Whether one node of a schema that has been read takes a value. */
export function accepts(read: ReadSchema, node: SchemaNode, value: Json): boolean {
  return judge(read, node, value).ok;
}

function judge(read: ReadSchema, node: SchemaNode, value: Json): PayloadResult {
  if (isShallow(value, MAX_VALUE_DEPTH) && plainlyTakes(node, value)) return { ok: true };
  if (!staysBounded(read, node, value)) return { ok: false, at: '', keyword: 'unbounded' };
  let errors: readonly OutputUnit[];
  try {
    // The library's own types are wider than what it reads; the nodes were built for it.
    const lookup = read.lookup as Record<string, Schema | boolean>;
    errors = validate(value, node as Schema | boolean, read.dialect, lookup, false).errors;
  } catch {
    // A key that no URI can hold, such as half a surrogate pair.
    return { ok: false, at: '', keyword: 'unreadable' };
  }
  if (errors.length === 0) return { ok: true };
  return { ok: false, ...firstOf(errors) };
}

interface Failure {
  readonly at: Pointer;
  readonly keyword: string;
}

function firstOf(errors: readonly OutputUnit[]): Failure {
  const choices = errors
    .filter((error) => CHOICES.includes(error.keyword))
    .map((e) => `${e.keywordLocation}/`);
  const heard = errors.filter((error) => !choices.some((choice) => error.keywordLocation.startsWith(choice)));
  const plain = heard.filter((error) => !WRAPPERS.includes(error.keyword));
  const failures = (plain.length > 0 ? plain : heard).map(failureOf).sort(inOrder);
  return failures[0] ?? { at: '', keyword: 'unreadable' };
}

function failureOf(error: OutputUnit): Failure {
  const parent = error.keywordLocation.split('/').at(-2) ?? '';
  const keyword = error.keyword === 'not' && CLOSED.includes(parent) ? parent : error.keyword;
  return { at: decodeURIComponent(error.instanceLocation.slice(1)), keyword };
}

function inOrder(a: Failure, b: Failure): number {
  const left = segmentsOf(a.at);
  const right = segmentsOf(b.at);
  for (let i = 0; i < left.length && i < right.length; i++) {
    const order = compareSegments(left[i] ?? '', right[i] ?? '');
    if (order !== 0) return order;
  }
  if (left.length !== right.length) return left.length - right.length;
  return a.keyword < b.keyword ? -1 : a.keyword > b.keyword ? 1 : 0;
}

const INDEX = /^(0|[1-9][0-9]*)$/;

/** Numbers before names: an object may have keys of both kinds. */
function compareSegments(a: string, b: string): number {
  const index = INDEX.test(a);
  if (index !== INDEX.test(b)) return index ? -1 : 1;
  if (index && a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}
