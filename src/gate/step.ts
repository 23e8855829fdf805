import type { Json } from '../events/json.ts';
import type { Lookup } from '../events/lookup.ts';
import type { Reduction, SlotState, Unmet, Verdict } from '../events/verdict.ts';
import type { Party, ReasonId } from '../events/vocabulary.ts';
import { assembled } from './assembled.ts';
import { type Board, board } from './board.ts';
import { type Condition, type ConditionResult, judgeCondition, listConditions } from './conditions.ts';
import { byCodeUnit, isInstance } from './expand.ts';
import { type Settled, settleAll } from './fixpoint.ts';
import { mixedSlots } from './groups.ts';
import { type Intent, settleIntent } from './intent.ts';
import { labelSlots } from './label-slots.ts';
import { pathsOf } from './measuring.ts';
import { checkSchema, validatePayload } from './payload.ts';
import { type Defect, type Rules, rulesFor } from './rules-for.ts';
import { listSlots, proposedArguments, type SlotList, type ValueSlot } from './slot-list.ts';
import { knownState, unknownState } from './states.ts';
import type { RunInput, Step } from './types.ts';
import { kindOf } from './verdict-kind.ts';
import { wordLookups } from './walk.ts';

/**
 * The gate. Given what is declared and the lookups made so far, it says which lookups it needs next, or the verdict and the
 * lookups that it asked for. Pure: no clock, chance, I/O or locale; the same arguments give the same bytes.
 * Throws `gate/two-answers` where one request was answered twice in different ways.
 */
export function step(run: RunInput, lookups: readonly Lookup[]): Step {
  return stepOn(run, board(lookups));
}

/** The same gate on a board that may answer at once. */
export function stepOn(run: RunInput, asking: Board): Step {
  const rules = rulesFor(run);
  const defects: Defect[] = [
    ...run.unsound.map(({ digest, declared_by }) => ({
      at: digest,
      slot: null,
      reason: 'checklist_unsound' as const,
      declared_by,
    })),
    ...rules.defects.filter((defect) => defect.slot === null),
  ];
  const empty = { run, unsound: defects.length > 0, intent: null, slots: null, unmet: 0 };
  const unsound = kindOf(empty, true);
  if (unsound !== null) return finish(run, asking, unsound, { defects });

  const intent = settleIntent(run, rules, asking);
  if (intent.ends === 'open') return need(asking);
  const early = kindOf({ ...empty, intent }, true);
  if (early !== null) return finish(run, asking, early, { intent });
  return settle(atItsPhase(run, intent), rules, asking, intent);
}

/** What runs later is judged at the instruction until its trigger fires, whatever phase was asked for. RULES R12. */
function atItsPhase(run: RunInput, intent: Intent): RunInput {
  const now = intent.timing === 'immediate' || run.entries.some(({ kind }) => kind === 'trigger');
  return now || run.phase === 'at_instruction' ? run : { ...run, phase: 'at_instruction' };
}

function settle(run: RunInput, rules: Rules, asking: Board, intent: Intent): Step {
  const list = listSlots(run, rules);
  const proposal = proposedArguments(run);
  const conditions = listConditions(rules, proposal);
  const settled = settleAll(run, rules, list.slots, conditions, asking);
  const labels = labelSlots(run, rules, list.slots, asking);
  const [first, ...rest] = asking.needs();
  if (settled === null || labels === null || first !== undefined) {
    return { need: first === undefined ? neverEmpty() : [first, ...rest] };
  }
  return judgeAll({ run, rules, asking, intent, list, proposal, conditions, settled, labels });
}

function need(asking: Board): Step {
  const [first, ...rest] = asking.needs();
  return { need: first === undefined ? neverEmpty() : [first, ...rest] };
}

function neverEmpty(): never {
  throw new Error('The gate is open and asks for nothing: a rule is missing.');
}

interface Whole {
  readonly run: RunInput;
  readonly rules: Rules;
  readonly asking: Board;
  readonly intent: Intent;
  readonly list: SlotList;
  readonly proposal: Json | undefined;
  readonly conditions: readonly Condition[];
  readonly settled: Settled;
  readonly labels: readonly SlotState[];
}

function judgeAll(whole: Whole): Step {
  const { run, rules, asking, intent, list, proposal, conditions, settled } = whole;
  const states = new Map<string, SlotState>();
  for (const slot of list.slots) {
    if (slot.fixedBySchema) {
      states.set(slot.id, knownState(slot.id, 'provider', 'R7', 'fixed_by_schema', { source: null }));
    } else {
      const state = settled.states.get(slot.id);
      if (state !== undefined) states.set(slot.id, state);
    }
  }
  applyGroups(whole, states);
  if (asking.needs().length > 0) return need(asking);
  applyDefects(whole, states);
  const root = rootState(run, rules, proposal);
  const unreadable = root?.state === 'unknown' && root.reason === 'arguments_unreadable';
  if (unreadable) for (const [id, state] of states) states.set(id, waitingForArguments(state));
  const sent = assembled(run, rules, list.slots, states, proposal);
  const results = judgeConditions(whole, states, sent);

  const unmet: Unmet[] = [];
  const not_run: { slot: string; reason: ReasonId }[] = [];
  const conditionStates: SlotState[] = [];
  for (const condition of conditions) {
    const party = condition.rule.declared_by;
    const defect = rules.defects.find(({ slot }) => slot === condition.rule.id);
    const result: ConditionResult =
      defect === undefined
        ? (results.get(condition.id) as ConditionResult)
        : { kind: 'unknown', rule: 'R4', reason: defect.reason, route: 'definition_repair', waits: [] };
    if (result.kind === 'not_run') {
      not_run.push({ reason: result.reason, slot: condition.id });
    } else if (result.kind === 'unknown') {
      const open = unknownState(condition.id, party, result.rule, result.reason, result.route, {
        waits: result.waits,
      });
      conditionStates.push(unreadable ? waitingForArguments(open) : open);
    } else {
      const reason =
        result.kind === 'met' ? 'met' : result.kind === 'null' ? 'condition_null' : 'condition_false';
      conditionStates.push(
        knownState(condition.id, party, 'R11', reason, {
          source: result.source,
          origin: result.origin,
          also: 0,
        }),
      );
      if (result.kind !== 'met') {
        const asked = result.needs
          .map((id) => states.get(id))
          .find((state) => state?.state === 'known' && state.source === 'instruction');
        unmet.push({
          declared_by: party,
          reason,
          requested_by: asked?.state === 'known' ? asked.place : null,
          slot: condition.id,
        });
      }
    }
  }

  const order = new Map(list.slots.map((slot, index) => [slot.id, index]));
  const values = [...states.values()].sort((a, b) => (order.get(a.slot) ?? 0) - (order.get(b.slot) ?? 0));
  for (const slot of list.slots) {
    const state = states.get(slot.id);
    if (slot.required && state?.state === 'null') {
      unmet.push({
        declared_by: slot.declared_by,
        reason: 'required_null',
        requested_by: null,
        slot: slot.id,
      });
    }
  }
  for (const state of [...values, ...whole.labels]) {
    if (state.state === 'known' && state.reason === 'declined') {
      unmet.push({
        declared_by: state.declared_by,
        reason: 'declined',
        requested_by: state.place,
        slot: state.slot,
      });
    }
  }

  // Before anything was proposed there is a whole to judge only once nothing of it is open.
  const complete = proposal !== undefined || values.every((state) => state.state !== 'unknown');
  if (root === null && complete && rules.schema !== null && rules.slotsFromProposal === null) {
    if (list.notAllowed.length > 0 || !validatePayload(rules.schema, sent).ok) {
      unmet.push({ declared_by: 'provider', reason: 'payload_invalid', requested_by: null, slot: '/' });
    }
  }

  const slots = [...(root === null ? [] : [root]), ...values, ...whole.labels, ...conditionStates];
  const findings = { run, unsound: false, intent, slots, unmet: unmet.length };
  const kind = kindOf(findings, false);
  if (kind === null) throw new Error('No row of the verdict table holds: a rule is missing.');
  return finish(run, asking, kind, {
    intent,
    slots,
    unmet,
    not_run,
    reductions: [...intent.reductions, ...reductionsOf(rules, list, conditions)],
  });
}

/** What is wrong with the arguments or their schema as a whole. */
function rootState(run: RunInput, rules: Rules, proposal: Json | undefined): SlotState | null {
  if (run.proposal !== null && proposal === undefined) {
    return unknownState('/', 'provider', 'R7', 'arguments_unreadable', 'definition_repair');
  }
  if (rules.slotsFromProposal !== null) return null;
  // A missing schema is not one that requires nothing.
  if (rules.schema === null)
    return unknownState('/', 'provider', 'R7', 'schema_missing', 'definition_repair');
  const checked = checkSchema(rules.schema);
  return 'fault' in checked ? unknownState('/', 'provider', 'R7', checked.fault, 'definition_repair') : null;
}

/** What was sent could not be read exactly: asking the user for what stands in it would fill nothing. RULES R7, S19. */
function waitingForArguments(state: SlotState): SlotState {
  if (state.state !== 'unknown' || state.route === 'definition_repair') return state;
  return {
    ...state,
    pending: false,
    reason: 'waits_for',
    route: 'definition_repair',
    rule: 'S19',
    waits_for: ['/'],
  };
}

/** What was declared for a slot and can't be used as it stands keeps the slot open, for whoever declared it to mend. R4. */
function applyDefects({ rules, list }: Whole, states: Map<string, SlotState>): void {
  for (const defect of rules.defects) {
    if (defect.slot === null) continue;
    for (const slot of list.slots) {
      if (!isInstance(slot.id, defect.slot)) continue;
      states.set(
        slot.id,
        unknownState(slot.id, defect.declared_by, 'R4', defect.reason, 'definition_repair'),
      );
    }
  }
}

function applyGroups(
  { run, rules, asking, list, proposal, settled }: Whole,
  states: Map<string, SlotState>,
): void {
  const mixed = mixedSlots(run, rules, list.slots, proposal, settled.facts, (slot) =>
    wordLookups(slot, asking, settled.facts),
  );
  for (const id of mixed) {
    const state = states.get(id);
    if (state?.state !== 'known') continue;
    states.set(id, unknownState(id, state.declared_by, 'R7c', 'mixed_group', 'ask_user', {}, state.rejected));
  }
}

function judgeConditions(
  whole: Whole,
  states: Map<string, SlotState>,
  args: Json,
): Map<string, ConditionResult> {
  const { run, rules, list, conditions, settled } = whole;
  const fixed = list.slots.filter((slot) => slot.fixedBy !== null);
  const fixers = new Map(fixed.map((slot) => [slot.id, fixerOf(slot, conditions)]));
  const results = new Map<string, ConditionResult>();
  const around = {
    run,
    rules,
    args,
    slots: states,
    computes: (condition: string, slot: string) =>
      fixed.some((item) => item.id === slot && item.fixedBy === condition),
    instances: (fact: string, index: number | null) => {
      const each = rules.facts.find((known) => known.id === fact)?.each;
      return settled.facts.instances(fact, index, each);
    },
    fact: settled.facts.state,
    routeOf: settled.facts.routeOf,
  };
  const judge = (condition: Condition): ConditionResult => {
    const own = {
      ...around,
      instances: (fact: string, index: number | null) =>
        settled.facts.instances(fact, index, condition.rule.each),
    };
    return judgeCondition(condition, own);
  };
  // A computed slot stands open until its condition is judged, and may itself be what another condition needs.
  for (const slot of fixed) {
    states.set(
      slot.id,
      unknownState(slot.id, slot.declared_by, 'S19', 'waits_for', 'definition_repair', {
        waits: [slot.fixedBy as string],
      }),
    );
  }
  for (let pass = 0, moved = true; moved && pass <= fixed.length; pass++) {
    moved = false;
    for (const slot of fixed) {
      const condition = fixers.get(slot.id);
      if (condition === undefined) continue;
      const state = computedState(slot, judge(condition));
      moved ||= states.get(slot.id)?.state !== state.state;
      states.set(slot.id, state);
    }
    // A computed slot whose declaration can't stand is computed by nothing.
    applyDefects(whole, states);
  }
  for (const condition of conditions) results.set(condition.id, judge(condition));
  return results;
}

function fixerOf(slot: ValueSlot, conditions: readonly Condition[]): Condition | undefined {
  const own = conditions.filter((condition) => condition.rule.id === slot.fixedBy);
  return (
    own.find(
      ({ index, rule }) =>
        index !== null && rule.each !== undefined && slot.id.startsWith(`${rule.each.slice(0, -1)}${index}/`),
    ) ??
    own.find(({ index }) => index === null) ??
    own[0]
  );
}

function computedState(slot: ValueSlot, result: ConditionResult): SlotState {
  const party = slot.declared_by;
  if (result.kind === 'unknown') {
    return unknownState(slot.id, party, 'S19', 'waits_for', result.route, {
      waits: [slot.fixedBy as string],
    });
  }
  // A condition that was excused or is not met leaves the value computed; whether it holds stands with the condition.
  const { source, origin } = result.kind === 'not_run' ? { source: null, origin: null } : result;
  return knownState(slot.id, party, 'R11', 'computed', { source, origin, also: 0 });
}

function reductionsOf(rules: Rules, list: SlotList, conditions: readonly Condition[]): Reduction[] {
  const seen = new Map<string, Reduction>();
  const add = (kind: Reduction['kind'], slot: string | null, declared_by: Party): void => {
    seen.set(`${kind} ${slot ?? ''}`, { declared_by, kind, slot });
  };
  if (rules.slotsFromProposal !== null) add('slots_from_proposal', null, rules.slotsFromProposal);
  for (const { pattern, declared_by } of list.ungated) add('ungated_argument', pattern, declared_by);
  for (const slot of list.slots) {
    if (slot.rule?.select === 'member' && pathsOf(rules, slot).some((path) => path.member)) {
      add('member', slot.pattern, slot.rule.declared_by);
    }
  }
  for (const { rule } of conditions) if (rule.when_measured) add('when_measured', rule.id, rule.declared_by);
  return [...seen].sort(([a], [b]) => byCodeUnit(a, b)).map(([, reduction]) => reduction);
}

interface Found {
  readonly defects?: readonly Defect[];
  readonly intent?: Intent;
  readonly slots?: readonly SlotState[];
  readonly unmet?: readonly Unmet[];
  readonly not_run?: Verdict['not_run'];
  readonly reductions?: readonly Reduction[];
}

function finish(
  run: RunInput,
  asking: Board,
  rule: { id: string; kind: Verdict['kind'] },
  found: Found,
): Step {
  const slots = found.slots ?? null;
  // Intent and tool are asked for at most twice a request; a third time the gate says so and asks no more. RULES R13.
  const spent = rule.id === 'V3' ? run.attempts.intent : rule.id === 'V6' ? run.attempts.tool : null;
  const exhausted = spent !== null && spent >= 2;
  const verdict: Verdict = {
    defects: (found.defects ?? []).map(({ at, reason, declared_by }) => ({ at, declared_by, reason })),
    exhausted,
    intent: [...(found.intent?.states ?? [])],
    kind: rule.kind,
    next_attempt: spent === null || exhausted ? null : spent + 1,
    not_run: [...(found.not_run ?? [])],
    phase: run.phase,
    reductions: [...(found.reductions ?? found.intent?.reductions ?? [])],
    rests_on: {
      checklists: [
        ...run.checklists.map(({ digest }) => digest),
        ...run.unsound.map(({ digest }) => digest),
      ].sort(byCodeUnit),
      gate: run.gate,
      ruleset: run.ruleset,
      tool: run.tool_digest,
    },
    rule: rule.id,
    slots: slots === null ? null : [...slots],
    unknown_count: slots === null ? null : slots.filter((slot) => slot.state === 'unknown').length,
    unmet: [...(found.unmet ?? [])],
  };
  return { verdict, asked: asking.asked() };
}
