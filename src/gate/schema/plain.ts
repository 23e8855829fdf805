import { isArray, isObject, isWellFormed, type Json } from '../../events/json.ts';
import type { SchemaNode, SchemaObject } from './read.ts';

const PLAIN = ['type', 'properties', 'required', 'additionalProperties', 'items', 'enum'];
/** So few and so small that judging them is never more work than may be done. */
const MOST_VALUES = 200;
const MOST_NAMES = 100;

/**
 * Whether a schema surely takes a value, by its types, enums, properties and items alone: most tools' schemas say no more. A
 * no is no verdict, and neither is it where the schema says anything else: the validator, which takes its time, judges then.
 */
export function plainlyTakes(node: SchemaNode, value: Json): boolean {
  let left = MOST_VALUES;
  const takes = (here: SchemaNode, of: Json): boolean => {
    if (typeof here === 'boolean') return here;
    if (--left < 0 || !isPlain(here) || !hasType(here, of)) return false;
    if (here.enum !== undefined && (typeof of === 'object' || !here.enum.includes(of))) return false;
    if (isArray(of))
      return here.items === undefined || of.every((item) => takes(here.items as SchemaNode, item));
    if (!isObject(of)) return true;
    const { properties, required, additionalProperties: rest = true } = here;
    if (required?.every((name) => Object.hasOwn(of, name)) === false) return false;
    return Object.keys(of).every((key) => {
      const declared = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : rest;
      // A key that no URI can hold is the validator's to refuse.
      return declared !== undefined && isWellFormed(key) && takes(declared, of[key] as Json);
    });
  };
  return takes(node, value);
}

const plain = new WeakMap<SchemaObject, boolean>();

function isPlain(node: SchemaObject): boolean {
  let known = plain.get(node);
  if (known === undefined) {
    const { enum: only = [], required = [], items } = node;
    known =
      Object.keys(node).every((keyword) => PLAIN.includes(keyword)) &&
      !Array.isArray(items) &&
      only.length <= MOST_NAMES &&
      required.length <= MOST_NAMES;
    plain.set(node, known);
  }
  return known;
}

function hasType({ type }: SchemaObject, value: Json): boolean {
  if (type === undefined) return true;
  const own = isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  const types = typeof type === 'string' ? [type] : type;
  return types.includes(own) || (own === 'number' && types.includes('integer') && Number.isInteger(value));
}
