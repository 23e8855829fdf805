import type { Verdict } from '../events/verdict.ts';
import { argumentsOf } from '../gate/arguments.ts';
import { rulesFor } from '../gate/rules-for.ts';
import type { RunInput } from '../gate/types.ts';
import { besideOf } from './beside.ts';
import { decisionOf } from './decision.ts';
import { fieldsOf } from './fields.ts';
import { fixedOf, intentState, phaseOf } from './fixed.ts';
import { gateResultOf } from './gate-result.ts';
import type { SkeletonDecision, SkeletonGate, SkeletonRecord } from './skeleton-record.ts';
import { userChecklistOf, userConditions } from './user-checklist.ts';

/** What a run and its verdict don't hold: a verdict has neither a clock nor ids. */
export interface BesideRun {
  /** The run's own; null where there is none. */
  readonly action_key: string | null;
  /** When its lookups were made, ISO 8601: of every field, since a run's lookups are one commit. */
  readonly resolved_at: string;
}

/**
 * A verdict as the reference skeleton's record, schema 1.8. Pure. Values are read at the places that the verdict names; what
 * the skeleton has no place for stands under `grounds`. The table of differences is docs/compatibility.md. RULES R22.
 *
 * @param run what the verdict was found for
 * @throws GroundsError `gate/place-differs` where a place no longer reads as what was judged; `events/sealed`
 * @example
 * renderRecord(run, drive(run, locate).verdict, { action_key: null, resolved_at: '2026-03-11T09:24:07.000Z' })
 *   .execution_decision // 'execute', 'deferred', 'ask_user' or 'hold'
 */
export function renderRecord(run: RunInput, verdict: Verdict, beside: BesideRun): SkeletonRecord {
  const rules = rulesFor(run);
  const decision = decisionOf(verdict);
  const user = userChecklistOf(run, rules, verdict);
  const own = new Set(userConditions(run, rules).map(({ id }) => id));
  const others = (verdict.slots ?? []).filter(({ slot }) => !own.has(slot));
  const decided = verdict.slots !== null;
  const gate = gateResultOf(run, verdict, others, user);
  return {
    schema_version: '1.8',
    action_key: keyed(run, verdict) ? beside.action_key : null,
    phase: phaseOf(run, rules, verdict),
    fixed: fixedOf(run, rules, verdict),
    fields: decided ? fieldsOf(run, rules, others, beside.resolved_at) : null,
    // A description that belongs to an undetermined tool must not reach the model as if it were the tool.
    advisory_notes: decided ? (run.tool.description ?? '') : '',
    user_checklist: [...user.items],
    unknown_count: decided ? others.filter(({ state }) => state === 'unknown').length : null,
    unverified_checklist_count: user.unverified,
    call_arguments:
      decision === 'execute' ? (argumentsOf(run, verdict) as SkeletonRecord['call_arguments']) : null,
    gate,
    execution_decision: decision,
    reason: reasonOf(decision, verdict, gate),
    timestamp: beside.resolved_at,
    grounds: besideOf(verdict, others),
  };
}

/** The key is built after the act is settled, and before the tool is looked at. RULES R17. */
function keyed(run: RunInput, verdict: Verdict): boolean {
  return (
    run.action_key === 'ok' &&
    verdict.kind !== 'intent_undetermined' &&
    intentState(verdict, 'act')?.state === 'known'
  );
}

/** A rendering of what stands in the record, for people: nothing is to be read from it. */
function reasonOf(decision: SkeletonDecision, verdict: Verdict, gate: SkeletonGate | null): string {
  const unmet = verdict.unmet.map(({ slot, reason }) => `${slot}: ${reason}`);
  if (unmet.length > 0) return `${decision}: not met (${unmet.join(', ')})`;
  const open = verdict.intent.flatMap((state) =>
    state.state === 'unknown' ? [`${state.slot}: ${state.reason}`] : [],
  );
  if (open.length > 0) return `${decision}: ${verdict.kind.replace('_', ' ')} (${open.join(', ')})`;
  if (verdict.slots === null) {
    const defects = verdict.defects.map(({ at, reason }) => `${at}: ${reason}`);
    return `${decision}: ${defects.length === 0 ? 'action_key_failed' : defects.join(', ')}`;
  }
  if (gate === null) return `${decision}: waits for its trigger (pending=${verdict.unknown_count ?? 0})`;
  const { unknown_fields, unverified_checklist } = gate;
  return `${decision}: unknown_fields=${unknown_fields?.length ?? 0}, unverified_checklist=${unverified_checklist?.length ?? 0}`;
}
