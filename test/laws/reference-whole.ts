import { checkSchema, validatePayload } from '../../src/gate/payload.ts';
import type { RunInput } from '../../src/gate/types.ts';
import { type Answer, type Opinion, type State, unknown } from './opinion.ts';
import { argumentsFrom } from './reference-arguments.ts';
import { type Condition, conditionsOf, type Judged, judgeCondition } from './reference-conditions.ts';
import { mixed } from './reference-groups.ts';
import { labelStates } from './reference-labels.ts';
import { pathsFor } from './reference-measured.ts';
import { settleAll } from './reference-settling.ts';
import { listSlots, schemaOf } from './reference-slots.ts';
import { statesOf } from './reference-states.ts';
import { type InForce, named, proposed } from './reference-world.ts';

/** Steps 4 to 7 of R1: slots, states, requirements, the whole. */
export function whole(
  run: RunInput,
  rules: InForce,
  answer: Answer,
  reductions: Set<string>,
): Partial<Opinion> {
  const args = proposed(run);
  const { schema, fromProposal } = schemaOf(run, rules);
  const listed = listSlots(run, rules);
  const conditions = conditionsOf(run, rules);
  const computed = listed.slots.filter(({ decl }) => decl?.fixed_by !== undefined);
  const table = settleAll(run, rules, answer, listed.slots, conditions);
  const { instances, facts, instancesOf } = table;
  const { states, routeBehind } = statesOf(table, run.phase === 'at_instruction');
  for (const slot of listed.slots) {
    if (slot.fixedBySchema)
      states.set(slot.id, {
        slot: slot.id,
        state: 'known',
        reason: 'fixed_by_schema',
        source: null,
        origin: null,
      });
  }
  // R7c.
  for (const id of mixed(run, rules, listed.slots, instancesOf, facts, answer)) {
    if (states.get(id)?.state === 'known') states.set(id, unknown(id, 'mixed_group', 'ask_user'));
  }
  // R4: what was declared and can't stand keeps its slot open.
  const spoil = (): void => {
    for (const { slot: spoiled, reason } of rules.defects) {
      for (const { id } of listed.slots) {
        if (spoiled !== null && named(id, spoiled)) states.set(id, unknown(id, reason, 'definition_repair'));
      }
    }
  };
  spoil();

  // R11, with `fixed_by`: computed slots take the state of their condition.
  for (const { id } of computed) states.set(id, unknown(id, 'waits_for', 'definition_repair'));
  const given = () => argumentsFrom(run, args, listed.slots, states);
  const judge = (condition: Condition): Judged =>
    judgeCondition(run, rules, condition, listed.slots, states, given(), instances, facts, routeBehind);
  for (const _ of [...computed, null]) {
    for (const slot of computed) {
      const own = conditions.filter(({ name }) => name === slot.decl?.fixed_by);
      const condition =
        own.find(
          ({ each, index }) => each !== undefined && slot.id.startsWith(`${each.slice(0, -1)}${index}/`),
        ) ??
        own.find(({ index }) => index === null) ??
        own[0];
      if (condition === undefined) continue;
      const judged = judge(condition);
      states.set(
        slot.id,
        judged.is === 'unknown'
          ? unknown(slot.id, 'waits_for', judged.route)
          : {
              slot: slot.id,
              state: 'known',
              reason: 'computed',
              source: judged.source ?? null,
              origin: judged.origin ?? null,
            },
      );
    }
    spoil();
  }

  const unmet: string[] = [];
  const not_run: string[] = [];
  const conditionStates: State[] = [];
  for (const condition of conditions) {
    const defect =
      rules.defects.find(({ slot }) => slot === condition.name) ??
      (condition.sourceless ? { reason: 'no_source' } : undefined);
    const judged: Judged =
      defect === undefined
        ? judge(condition)
        : { is: 'unknown', reason: defect.reason, route: 'definition_repair' };
    if (judged.is === 'not_run') not_run.push(`${condition.id} ${judged.reason}`);
    else if (judged.is === 'unknown')
      conditionStates.push(unknown(condition.id, judged.reason, judged.route));
    else {
      const reason = judged.is === 'met' ? 'met' : judged.reason;
      conditionStates.push({
        slot: condition.id,
        state: 'known',
        reason,
        source: judged.source,
        origin: judged.origin,
      });
      if (judged.is === 'unmet') unmet.push(`${condition.id} ${judged.reason}`);
    }
  }
  const labels = labelStates(run, rules, listed.slots, answer, { args: given(), states });
  for (const { id, required } of listed.slots)
    if (required && states.get(id)?.state === 'null') unmet.push(`${id} required_null`);
  for (const { slot, state, reason } of [...states.values(), ...labels]) {
    if (state === 'known' && reason === 'declined') unmet.push(`${slot} declined`);
  }

  // The whole.
  const root: State[] = [];
  if (run.proposal !== null && args === undefined)
    root.push(unknown('/', 'arguments_unreadable', 'definition_repair'));
  else if (!fromProposal) {
    const checked = schema === null ? { fault: 'schema_missing' } : checkSchema(schema);
    if ('fault' in checked) root.push(unknown('/', checked.fault, 'definition_repair'));
    else if (schema !== null) {
      // What is neither proposed nor found leaves no whole to judge.
      const lacks = listed.slots.some(
        ({ id, leaf }) => leaf === undefined && states.get(id)?.state === 'unknown',
      );
      if (listed.notAllowed || (!lacks && !validatePayload(schema, given()).ok))
        unmet.push('/ payload_invalid');
    }
  }
  // What was sent can't be read: nothing that the user could say would fill it (R7, S19).
  const unreadable = root.some(({ reason }) => reason === 'arguments_unreadable');
  const afterArguments = (state: State): State =>
    unreadable && state.state === 'unknown' && state.route !== 'definition_repair'
      ? unknown(state.slot, 'waits_for', 'definition_repair')
      : state;
  const slots = [
    ...root,
    ...listed.slots.map(({ id }) => afterArguments(states.get(id) as State)),
    ...labels,
    ...conditionStates.map(afterArguments),
  ];

  if (fromProposal) reductions.add('slots_from_proposal ');
  for (const pattern of listed.ungated) reductions.add(`ungated_argument ${pattern}`);
  for (const slot of listed.slots) {
    if (slot.decl?.select === 'member' && pathsFor(rules, slot).some(({ member }) => member))
      reductions.add(`member ${slot.pattern}`);
  }
  for (const { name, whenMeasured } of conditions) if (whenMeasured) reductions.add(`when_measured ${name}`);

  const blocking = slots.filter(({ state, pending }) => state === 'unknown' && pending !== true);
  const kind =
    unmet.length > 0
      ? 'unmet'
      : blocking.length > 0
        ? blocking.every(({ route }) => route === 'definition_repair')
          ? 'definition_repair'
          : 'unknown'
        : run.phase === 'at_instruction'
          ? 'schedulable'
          : 'executable';
  return {
    kind,
    slots,
    unknown_count: slots.filter(({ state }) => state === 'unknown').length,
    unmet: unmet.sort(),
    not_run: not_run.sort(),
    reductions: [...reductions].sort(),
  };
}
