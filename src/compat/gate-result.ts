import type { SlotState, Verdict } from '../events/verdict.ts';
import type { RunInput } from '../gate/types.ts';
import { blocks } from './decision.ts';
import { intentState } from './fixed.ts';
import type { SkeletonGate } from './skeleton-record.ts';
import { nameOf } from './slot-name.ts';
import type { UserChecklist } from './user-checklist.ts';

/** Of both: how often the act, and the tool, are asked for in one request. RULES R13. */
const CEILING = 2;

/**
 * What a person is told. It asks for the act and never names the candidate tool: people pick what they are shown. No words
 * but these reach a user; the rest of the gate's result is for logs.
 */
const MESSAGES = {
  when: 'It is not clear when this should happen. Please say it again, with the time.',
  act: 'It is not clear what you want done. Please say it again in your own words.',
  both: 'It is not clear what you want done, or when. Please say both again in your own words.',
  tool: 'It is not clear which action would do this. Please describe in your own words what should happen.',
  exhausted: 'It is still not clear what you want done. Let us talk it over before anything is tried again.',
  failed: 'What you want done could not be looked up. This has to be repaired first; nothing was done.',
} as const;

/** The gate's result in the skeleton's shape; null where the skeleton has none: a defect of declaration, a deferred call. */
export function gateResultOf(
  run: RunInput,
  verdict: Verdict,
  others: readonly SlotState[],
  user: UserChecklist,
): SkeletonGate | null {
  switch (verdict.kind) {
    case 'intent_undetermined':
      return intentGate(run, verdict);
    case 'tool_undetermined':
      return toolGate(run, verdict);
    case 'schedulable':
      return null;
    default:
      if (verdict.slots !== null) return valueGate(verdict, others, user);
      return verdict.rule === 'V4' ? { kind: 'action_key_failed' } : null;
  }
}

function intentGate({ attempts }: RunInput, verdict: Verdict): SkeletonGate {
  const issues = verdict.intent.flatMap((state) =>
    state.state === 'unknown' && state.slot !== 'tool'
      ? [{ slot: fixedName(state.slot), code: state.reason }]
      : [],
  );
  const open = (name: string): boolean => issues.some(({ slot }) => slot === name);
  const asked =
    open('c1_when_case') && open('c2_user_action_name') ? 'both' : open('c1_when_case') ? 'when' : 'act';
  return {
    kind: verdict.exhausted ? 'intent_undetermined_exhausted' : 'intent_undetermined',
    user_message:
      MESSAGES[verdict.exhausted ? 'exhausted' : verdict.next_attempt === null ? 'failed' : asked],
    next_intent_attempt: verdict.next_attempt,
    _diag: { issues, attempt: attempts.intent, limit: CEILING },
  };
}

/** The time, event or threshold of a later call is a slot of Grounds' own: in the skeleton it is part of the timing. */
function fixedName(slot: string): string {
  return slot === 'act' ? 'c2_user_action_name' : 'c1_when_case';
}

function toolGate({ tool, attempts }: RunInput, verdict: Verdict): SkeletonGate {
  return {
    kind: verdict.exhausted ? 'tool_undetermined_exhausted' : 'tool_undetermined',
    user_message:
      MESSAGES[verdict.exhausted ? 'exhausted' : verdict.next_attempt === null ? 'failed' : 'tool'],
    next_tool_attempt: verdict.next_attempt,
    _diag: {
      candidate_tool: tool.name,
      reason: intentState(verdict, 'tool')?.reason ?? null,
      attempt: attempts.tool,
      limit: CEILING,
    },
  };
}

const SCHEMA_FAULTS: readonly string[] = ['schema_missing', 'schema_unreadable', 'schema_unbounded'];

/** Only what stands in the way: what is pending is counted, and waits for its trigger. */
function valueGate(verdict: Verdict, others: readonly SlotState[], user: UserChecklist): SkeletonGate {
  const open = others.filter(blocks);
  const failures = open.filter(({ reason }) => reason === 'lookup_failed');
  const unsupported =
    verdict.kind === 'definition_repair' && open.some(({ reason }) => SCHEMA_FAULTS.includes(reason));
  const invalid = verdict.unmet.some(({ reason }) => reason === 'payload_invalid');
  return {
    ...(unsupported ? { kind: 'schema_unsupported' } : invalid ? { kind: 'payload_invalid' } : {}),
    unknown_fields: open.map(({ slot, reason }) => ({ name: nameOf(slot), note: reason })),
    unverified_checklist: [...user.open],
    ...(invalid ? { payload_violation: 'the arguments do not fit the tool’s schema' } : {}),
    _diag: { lookup_failures: failures.map(({ slot }) => ({ name: nameOf(slot), detail: null })) },
  };
}
