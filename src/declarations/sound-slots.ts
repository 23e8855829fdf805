import type { SlotDeclaration, ToolRules } from './checklist.ts';
import { nearest } from './nearest.ts';
import { arrayPattern, factRef } from './sound-facts.ts';
import { readerExists } from './sound-words.ts';
import type { Scope } from './soundness.ts';

type Path = readonly (string | number)[];

/** A tool's slots, conditions and ungated arguments: what they refer to exists, and they don't contradict each other. */
export function unsoundSlots(scope: Scope): void {
  for (const [tool, rules] of Object.entries(scope.checklist.tools)) {
    const under: Path = ['tools', tool];
    for (const [pattern, slot] of Object.entries(rules.slots))
      oneSlot(scope, rules, slot, [...under, 'slots', pattern]);
    for (const pattern of Object.keys(rules.ungated))
      ungated(scope, rules, pattern, [...under, 'ungated', pattern]);
    for (const [name, condition] of Object.entries(rules.conditions)) {
      if (condition.each !== undefined)
        arrayPattern(scope, condition.each, [...under, 'conditions', name, 'each']);
    }
    if (rules.slots_from_proposal && rules.schema !== undefined) {
      const hint = 'Keep the schema: the proposal is the weaker list of slots.';
      scope.report([...under, 'slots_from_proposal'], 'slots/two_lists', 'There is a schema too.', hint);
    }
    if (
      rules.schema !== undefined &&
      (typeof rules.schema !== 'object' || rules.schema === null || Array.isArray(rules.schema))
    ) {
      const hint = 'Write the JSON Schema of the arguments: { type: object, properties: … }.';
      scope.report([...under, 'schema'], 'schema/form', 'An argument schema is a mapping.', hint);
    }
  }
}

function oneSlot(scope: Scope, rules: ToolRules, slot: SlotDeclaration, at: Path): void {
  readerExists(scope, slot.reader, [...at, 'reader']);
  slot.measured.forEach((ref, i) => {
    factRef(scope, ref, [...at, 'measured', i]);
  });
  for (const [phrase, ref] of Object.entries(slot.phrases)) factRef(scope, ref, [...at, 'phrases', phrase]);
  slot.named_by.forEach((named, i) => {
    const here: Path = [...at, 'named_by', i];
    factRef(scope, named.record, [...here, 'record']);
    if (!named.record.endsWith('/*')) {
      const hint = `Write ${named.record.replace(/\/+$/, '')}/*: a field names an id among its siblings.`;
      scope.report([...here, 'record'], 'named_by/no_siblings', 'This is one record, not several.', hint);
    }
  });
  if (slot.fixed_by !== undefined && !Object.hasOwn(rules.conditions, slot.fixed_by)) {
    const near = nearest(slot.fixed_by, Object.keys(rules.conditions));
    const hint =
      near === undefined
        ? `Declare "${slot.fixed_by}" under the conditions of this tool.`
        : `Did you mean "${near}"?`;
    scope.report([...at, 'fixed_by'], 'slot/fixed_by', `There is no condition "${slot.fixed_by}".`, hint);
  }
  sources(scope, slot, [...at, 'sources']);
}

function sources(scope: Scope, slot: SlotDeclaration, at: Path): void {
  const listed = slot.sources;
  if (listed === undefined) return;
  const measures = slot.measured.length > 0;
  if (scope.checklist.declared_by === 'system') {
    if (listed.includes('measured_data') && !measures) {
      const hint = 'Add "measured: [fact#/field]", or leave measured_data out.';
      scope.report(at, 'sources/nothing_measured', 'Nothing is declared that measures it.', hint);
    }
    if (measures && !listed.includes('measured_data')) {
      const hint = 'Add measured_data to sources, or remove "measured".';
      scope.report(at, 'sources/not_measured', '"measured" is declared, but the sources leave it out.', hint);
    }
  }
  if (slot.setting !== undefined && !listed.includes('pre_set_data')) {
    const hint = 'Add pre_set_data to sources, or remove "setting".';
    scope.report(at, 'sources/not_set', '"setting" is declared, but the sources leave it out.', hint);
  }
  // R10: a prior value is only a candidate that the user confirms.
  const alone = listed.includes('prior_state') && !listed.includes('user_answer');
  if (alone && scope.options.ruleset !== 'inherit') {
    const hint = 'Add user_answer: a prior value is a candidate that the user confirms.';
    scope.report(at, 'sources/prior_state_alone', 'prior_state confirms nothing by itself.', hint);
  }
}

function ungated(scope: Scope, rules: ToolRules, pattern: string, at: Path): void {
  const slot = Object.hasOwn(rules.slots, pattern) ? rules.slots[pattern] : undefined;
  if (slot === undefined) return;
  const message = slot.required
    ? `${pattern} is required, and what is required is never ungated.`
    : `${pattern} has rules under slots too.`;
  scope.report(at, 'ungated/has_rules', message, 'Keep one of the two.');
}
