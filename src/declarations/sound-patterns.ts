import { isArray, isObject, type Json } from '../events/json.ts';
import { pointerOf, segmentsOf } from '../events/pointer.ts';
import { celNames } from './cel-names.ts';
import type { Checklist, ToolRules } from './checklist.ts';
import { nearest } from './nearest.ts';
import type { Finding } from './soundness.ts';

const FACT_REF = /^([a-z][a-z0-9_]*)#/;

/**
 * Slot patterns that no argument can have, as the schemas in the same file tell: under a tool's slots, and on the right of a
 * fact's match where every tool that uses the fact has a schema here and none has the argument. Told when a file is loaded;
 * the gate does not run it, since what it judges by may come from several checklists.
 */
export function unknownPatterns(checklist: Checklist): Finding[] {
  const findings: Finding[] = [];
  const report = (path: readonly (string | number)[], pattern: string, of: string, known: string[]): void => {
    const meant = nearest(pattern, known);
    const hint =
      meant === undefined
        ? `It has ${known.slice(0, 12).join(', ') || 'no arguments'}.`
        : `Did you mean ${meant}?`;
    const message = `The schema of ${of} has no argument ${pattern}.`;
    findings.push({
      path: pointerOf(path),
      code: 'slot/not_in_schema',
      message,
      hint,
      reason: 'checklist_unsound',
    });
  };
  for (const [tool, { schema, slots }] of Object.entries(checklist.tools)) {
    if (schema === undefined) continue;
    for (const pattern of Object.keys(slots)) {
      if (!has(schema, segmentsOf(pattern)))
        report(['tools', tool, 'slots', pattern], pattern, tool, argumentsIn(schema));
    }
  }
  const users = usersOf(checklist);
  for (const [name, fact] of Object.entries(checklist.facts)) {
    const schemas = (users.get(name) ?? []).map((tool) => [tool, checklist.tools[tool]?.schema] as const);
    const [first] = schemas;
    if (first === undefined) continue;
    const lists = (['measured_by', 'stale_after'] as const).flatMap((list) =>
      fact[list].map(({ match }, i) => ({ match, at: ['facts', name, list, i, 'match'] })),
    );
    for (const { match, at } of lists) {
      for (const [left, right] of Object.entries(match)) {
        if (!right.startsWith('/')) continue;
        if (schemas.some(([, schema]) => schema === undefined || has(schema, segmentsOf(right)))) continue;
        const known = schemas.flatMap(([, schema]) => (schema === undefined ? [] : argumentsIn(schema)));
        report([...at, left], right, schemas.map(([tool]) => tool).join(', '), [...new Set(known)]);
      }
    }
  }
  return findings;
}

/** Whether an argument may stand there. What is not written out plainly (`$ref`, `anyOf`, …) may hold anything. */
function has(schema: Json, segments: readonly string[]): boolean {
  const [segment, ...rest] = segments;
  if (segment === undefined || !isObject(schema) || !isPlain(schema)) return true;
  if (segment === '*') return schema.items === undefined || has(schema.items, rest);
  const { properties, additionalProperties = false } = schema;
  if (!isObject(properties)) return true;
  const inner = Object.hasOwn(properties, segment) ? properties[segment] : undefined;
  return inner === undefined ? additionalProperties !== false : has(inner, rest);
}

function isPlain(schema: { readonly [key: string]: Json }): boolean {
  const others = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'patternProperties', 'prefixItems'];
  return !others.some((key) => Object.hasOwn(schema, key));
}

/** The patterns of a schema's arguments, groups and leaves, as far as it is written out. */
function argumentsIn(schema: Json, above = '', depth = 0): string[] {
  if (!isObject(schema) || depth > 8) return [];
  const { properties, items } = schema;
  const own = isObject(properties)
    ? Object.entries(properties).map(([key, inner]) => [`${above}${pointerOf([key])}`, inner] as const)
    : items !== undefined && !isArray(items)
      ? [[`${above}/*`, items] as const]
      : [];
  return own.flatMap(([pattern, inner]) => [pattern, ...argumentsIn(inner, pattern, depth + 1)]);
}

/** The tools that use each fact: by name in their slots and conditions, in a group, or through another fact's match. */
function usersOf(checklist: Checklist): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const [tool, rules] of Object.entries(checklist.tools)) {
    const used = new Set<string>();
    const take = (name: string | undefined): void => {
      const fact =
        name === undefined || !Object.hasOwn(checklist.facts, name) ? undefined : checklist.facts[name];
      if (name === undefined || fact === undefined || used.has(name)) return;
      used.add(name);
      for (const { match } of fact.measured_by) for (const right of Object.values(match)) take(factIn(right));
    };
    for (const ref of refsOf(rules)) take(factIn(ref));
    for (const { require } of Object.values(rules.conditions))
      for (const name of factNames(checklist, require)) take(name);
    for (const group of checklist.groups) {
      if (group.tools?.includes(tool) === false) continue;
      for (const record of group.records) take(factIn(record.fact));
    }
    for (const name of used) users.set(name, [...(users.get(name) ?? []), tool]);
  }
  return users;
}

function refsOf(rules: ToolRules): string[] {
  return Object.values(rules.slots).flatMap(({ measured, phrases, named_by }) => [
    ...measured,
    ...Object.values(phrases),
    ...named_by.map(({ record }) => record),
  ]);
}

function factIn(ref: string): string | undefined {
  return FACT_REF.exec(ref)?.[1];
}

/** The names in an expression and in the named parts that it uses. */
function factNames(checklist: Checklist, source: string): Set<string> {
  const names = new Set<string>();
  const read = (text: string): void => {
    for (const { name } of celNames(text)) {
      if (names.has(name)) continue;
      names.add(name);
      const part = Object.hasOwn(checklist.define, name) ? checklist.define[name] : undefined;
      if (part !== undefined) read(part);
    }
  };
  read(source);
  return names;
}
