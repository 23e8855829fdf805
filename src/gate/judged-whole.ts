import type { SlotState, Unmet } from '../events/verdict.ts';
import type { ReasonId } from '../events/vocabulary.ts';
import { assembled } from './assembled.ts';
import { judgeConditions } from './computed.ts';
import type { ConditionResult } from './conditions.ts';
import { applyDefects, applyGroups } from './kept-open.ts';
import { need } from './need.ts';
import { validatePayload } from './payload.ts';
import { reductionsOf } from './reductions.ts';
import { rootState, waitingForArguments } from './root-state.ts';
import { settledByRange } from './standing-ranges.ts';
import { knownState, unknownState } from './states.ts';
import type { Step } from './types.ts';
import { finish } from './verdict.ts';
import { kindOf } from './verdict-kind.ts';
import type { Whole } from './whole.ts';

/** Steps 6 and 7: requirements, the whole argument object, and the verdict. RULES R1. */
export function judgeAll(whole: Whole): Step {
  const { run, rules, asking, intent, list, proposal, conditions, settled } = whole;
  const states = new Map<string, SlotState>();
  for (const slot of list.slots) {
    if (slot.fixedBySchema) {
      states.set(slot.id, knownState(slot.id, rules.schemaBy, 'R7', 'fixed_by_schema', { source: null }));
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
  const wait = (): void => {
    if (unreadable) for (const [id, state] of states) states.set(id, waitingForArguments(state));
  };
  wait();
  const sent = assembled(run, rules, list.slots, states, proposal);
  const results = judgeConditions(whole, states, sent);
  // A computed value waits like any other.
  wait();
  const around = { run, zone: rules.zone, args: sent, unreadable, slots: states };
  const labels = whole.labels.map(({ state, ranges }) => settledByRange(state, ranges, around));

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
  for (const state of [...values, ...labels]) {
    if (state.state === 'known' && state.reason === 'declined') {
      unmet.push({
        declared_by: state.declared_by,
        reason: 'declined',
        requested_by: state.place,
        slot: state.slot,
      });
    }
  }

  // While something that it needs is neither proposed nor found, there is no whole to judge: that blank is asked for.
  const complete = list.slots.every(
    (slot) => slot.leaf !== undefined || states.get(slot.id)?.state !== 'unknown',
  );
  if (root === null && rules.schema !== null && rules.slotsFromProposal === null) {
    if (list.notAllowed.length > 0 || (complete && !validatePayload(rules.schema, sent).ok)) {
      unmet.push({ declared_by: rules.schemaBy, reason: 'payload_invalid', requested_by: null, slot: '/' });
    }
  }

  const slots = [...(root === null ? [] : [root]), ...values, ...labels, ...conditionStates];
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
