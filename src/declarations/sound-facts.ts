import type { FactDeclaration } from './checklist.ts';
import { nearest } from './nearest.ts';
import type { Scope } from './soundness.ts';
import { templateFault, templateParts } from './template.ts';

type Path = readonly (string | number)[];

const ARRAY_PATTERN = /^(\/([^~/]|~[01])+)+\/\*$/;
const SLOT_PATTERN = /^(\/([^~/]|~[01])*)+$/;
const FACT_REF = /^([a-z][a-z0-9_]*)#(\/([^~/]|~[01])*)*$/;
/** Names that an expression has already. */
export const RESERVED = [
  'args',
  'now',
  'item',
  'index',
  'value',
  'true',
  'false',
  'null',
  'in',
  'size',
  'has',
];

/** Facts and groups: what they refer to exists, and each can be measured at all. */
export function unsoundFacts(scope: Scope): void {
  for (const [name, fact] of Object.entries(scope.checklist.facts)) {
    const at: Path = ['facts', name];
    if (RESERVED.includes(name)) {
      scope.report(
        at,
        'name/reserved',
        `"${name}" has a meaning in expressions.`,
        'Give the fact another name.',
      );
    }
    if (fact.each !== undefined) arrayPattern(scope, fact.each, [...at, 'each']);
    fact.measured_by.forEach((by, i) => {
      alternative(scope, name, fact, by, [...at, 'measured_by', i]);
    });
    fact.stale_after.forEach((stale, i) => {
      match(scope, fact, stale.match, [...at, 'stale_after', i, 'match']);
    });
  }
  scope.checklist.groups.forEach((group, i) => {
    group.of.forEach((pattern, j) => {
      arrayPattern(scope, pattern, ['groups', i, 'of', j]);
    });
    group.records.forEach((record, j) => {
      const at: Path = ['groups', i, 'records', j];
      factRef(scope, record.fact, [...at, 'fact']);
      const fields = Object.keys(record.fields);
      for (const field of fields) {
        if (group.of.some((pattern) => isUnder(field, pattern))) continue;
        const hint = `Begin it with ${group.of.join(' or ')}.`;
        scope.report(
          [...at, 'fields', field],
          'group/field_outside',
          `${field} is no leaf of this group.`,
          hint,
        );
      }
      for (const pattern of group.of) {
        if (fields.some((field) => isUnder(field, pattern))) continue;
        const hint = `Say where in the record ${pattern} stands: "${pattern}: record/…".`;
        scope.report([...at, 'fields'], 'group/not_covered', `No field says where ${pattern} stands.`, hint);
      }
    });
  });
}

function alternative(
  scope: Scope,
  name: string,
  fact: FactDeclaration,
  by: FactDeclaration['measured_by'][number],
  at: Path,
): void {
  match(scope, fact, by.match, [...at, 'match']);
  for (const [left, right] of Object.entries(by.match)) {
    if (!right.startsWith(`${name}#`)) continue;
    const hint = 'Key it by a slot, another fact or typed.';
    scope.report([...at, 'match', left], 'fact/keyed_by_itself', `${name} is keyed by itself here.`, hint);
  }
  if (by.template === undefined) return;
  const fault = templateFault(by.template);
  if (fault !== null) {
    scope.report(
      [...at, 'template'],
      'template/form',
      fault,
      'Write fixed words with {name} parts between them.',
    );
    return;
  }
  if (by.record !== '') {
    const hint = 'Remove "record": the parts of the template are the record.';
    scope.report([...at, 'record'], 'template/record', 'A template has no other record.', hint);
  }
  const parts = templateParts(by.template);
  for (const left of Object.keys(by.match)) {
    if (!left.startsWith('record/')) continue;
    const part = left.slice('record/'.length);
    if (parts.includes(part)) continue;
    const hint = `Its parts are ${parts.join(', ')}.`;
    scope.report([...at, 'match', left], 'template/part', `The template has no part {${part}}.`, hint);
  }
}

function match(scope: Scope, fact: FactDeclaration, pairs: Readonly<Record<string, string>>, at: Path): void {
  for (const [left, right] of Object.entries(pairs)) {
    const here: Path = [...at, left];
    if (right === 'typed') continue;
    if (FACT_REF.test(right)) {
      factRef(scope, right, here);
    } else if (!SLOT_PATTERN.test(right)) {
      const near = nearest(
        right,
        scope.facts.filter(() => !right.includes('/')),
      );
      const hint =
        near !== undefined || scope.facts.includes(right)
          ? `Write ${near ?? right}#/<field>.`
          : `Write a slot (/${right.replace(/^#?\/?/, '')}), a fact's field (order#/id) or typed.`;
      scope.report(here, 'match/right', `"${right}" is no slot, fact's field or typed.`, hint);
    } else if (right.includes('/*') && (fact.each === undefined || !isUnder(right, fact.each))) {
      const hint = `Add "each: ${right.slice(0, right.lastIndexOf('/*') + 2)}" to the fact.`;
      scope.report(here, 'match/which_element', `Which element of ${right} is meant is not said.`, hint);
    }
  }
}

/** Reports a `fact#/path` whose fact is not declared. */
export function factRef(scope: Scope, ref: string, path: Path): void {
  const name = ref.slice(0, ref.indexOf('#'));
  if (scope.facts.includes(name) || !scope.complete) return;
  const near = nearest(name, scope.facts);
  const hint = near === undefined ? `Declare "${name}" under facts.` : `Did you mean "${near}"?`;
  scope.report(path, 'fact/unknown', `There is no fact "${name}".`, hint);
}

/** Reports a pattern that does not end in the elements of an array. */
export function arrayPattern(scope: Scope, pattern: string, path: Path): void {
  if (ARRAY_PATTERN.test(pattern)) return;
  const hint = `Write ${pattern.replace(/\/+$/, '')}/*.`;
  scope.report(path, 'pattern/not_elements', `${pattern} does not name the elements of an array.`, hint);
}

function isUnder(pattern: string, parent: string): boolean {
  return pattern === parent || pattern.startsWith(`${parent}/`);
}
