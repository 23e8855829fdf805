import { isArray, type Json } from '../events/json.ts';
import { child, pointerOf, segmentsOf } from '../events/pointer.ts';
import type { SlotState, Verdict } from '../events/verdict.ts';
import type { GapKind, GapOwner, Party, ReasonId, Route } from '../events/vocabulary.ts';
import type { CallRow, GapRow } from './call-row.ts';
import { kindOfSlot } from './verdict-facts.ts';

/** A requirement that was checked and not met. Nothing is missing there, so it is no gap; RULES R21 counts it apart. */
export interface UnmetRow {
  readonly call_id: string;
  readonly tool: string;
  /** The pattern, as in `GapRow`. */
  readonly slot: string;
  readonly reason: ReasonId;
  readonly declared_by: Party;
}

export interface GapsOfCall {
  readonly gaps: readonly GapRow[];
  readonly unmet: readonly UnmetRow[];
}

type Unknown = SlotState & { readonly state: 'unknown' };
type Call = Pick<CallRow, 'call_id' | 'tool' | 'arguments'>;

/** One blank as the verdict names it: an index stands where it stood. */
export type Blank = Pick<GapRow, 'slot' | 'kind' | 'owner' | 'reason' | 'route' | 'declared_by'>;

/**
 * The blanks that a verdict left, each with its kind and owner (R21): what `gaps` counts and `why` tells. What only waits for
 * another blank is counted there. Slots that are frozen until the trigger are no blanks yet.
 */
export function blanksOf(verdict: Verdict): Blank[] {
  const blank = (
    slot: string,
    kind: GapKind,
    of: { readonly reason: ReasonId; readonly route: Route | null; readonly declared_by: Party },
  ): Blank => ({
    slot,
    kind,
    owner: ownerOf({ intent: kind === 'intent', reason: of.reason, route: of.route }),
    reason: of.reason,
    route: of.route,
    declared_by: of.declared_by,
  });
  const open = (verdict.slots ?? []).filter(isOpen);
  const blanks = [
    ...verdict.defects.map(({ at, reason, declared_by }) =>
      blank(at, 'condition', { reason, route: 'definition_repair', declared_by }),
    ),
    ...verdict.intent.filter(isOpen).map((state) => blank(state.slot, 'intent', state)),
    ...rootsOf(open).map((state) => blank(state.slot, kindOfSlot(state.slot), state)),
  ];
  // An action key that could not be built leaves no slot and no defect behind, and still is somebody's to mend.
  if (verdict.rule === 'V4') {
    const of = {
      reason: 'action_key_failed',
      route: 'definition_repair',
      declared_by: 'system',
    } as const;
    blanks.push(blank('action_key', 'condition', of));
  }
  return blanks;
}

/** The same as rows of a call, by pattern, and what was checked and not met. */
export function gapsOf(call: Call, verdict: Verdict): GapsOfCall {
  const { call_id, tool } = call;
  return {
    gaps: blanksOf(verdict).map((blank) => ({
      call_id,
      tool,
      ...blank,
      slot: blank.kind === 'intent' ? blank.slot : patternOf(blank.slot, call.arguments),
    })),
    unmet: verdict.unmet.map(({ slot, reason, declared_by }) => ({
      call_id,
      tool,
      slot: patternOf(slot, call.arguments),
      reason,
      declared_by,
    })),
  };
}

function isOpen(state: SlotState): state is Unknown {
  return state.state === 'unknown' && !state.pending;
}

/** Blanks that stand for themselves, in the verdict's order: none of them only waits for another in the list. */
function rootsOf(open: readonly Unknown[]): Unknown[] {
  const bySlot = new Map(open.map((state) => [state.slot, state]));
  const isRoot = (state: Unknown): boolean =>
    state.reason !== 'waits_for' || !state.waits_for.some((id) => id !== state.slot && bySlot.has(id));
  const reachesRoot = (state: Unknown, seen: Set<string>): boolean => {
    if (isRoot(state)) return true;
    seen.add(state.slot);
    return state.waits_for.some((id) => {
      const next = bySlot.get(id);
      return next !== undefined && !seen.has(id) && reachesRoot(next, seen);
    });
  };
  const asks = open.some((state) => state.reason !== 'waits_for' && state.route === 'ask_user');
  return open.filter((state) => {
    if (state.reason !== 'waits_for') return true;
    // Slots that wait for each other in a ring have no root, and must not vanish.
    if (!isRoot(state)) return !reachesRoot(state, new Set());
    // It waits for a fact. Only a slot can be asked of the user, so this route came from one that is listed.
    return !(asks && state.route === 'ask_user');
  });
}

const BY_REASON: Partial<Record<ReasonId, GapOwner>> = {
  lookup_failed: 'implementation',
  measured_format: 'implementation',
  action_key_failed: 'implementation',
  no_source: 'integration',
  now_unknown: 'integration',
  checklist_unsound: 'declarer',
  not_allowed_to_declare: 'declarer',
  label_malformed: 'declarer',
  schema_missing: 'declarer',
  schema_unreadable: 'declarer',
  schema_unbounded: 'declarer',
  expression_invalid: 'declarer',
  expression_failed: 'declarer',
};

const BY_ROUTE_AND_REASON: Partial<Record<ReasonId, Partial<Record<Route, GapOwner>>>> = {
  unfinished: { system_lookup: 'integration' },
  no_answer: { system_lookup: 'integration' },
  // Waiting for a fact: one that failed, or one that nothing measured.
  waits_for: { definition_repair: 'implementation', system_lookup: 'integration' },
};

/** RULES R21: where the work on a blank goes. */
export function ownerOf(blank: {
  readonly intent: boolean;
  readonly reason: ReasonId;
  readonly route: Route | null;
}): GapOwner {
  const { intent, reason, route } = blank;
  if (intent) return reason === 'lookup_failed' ? 'implementation' : 'conversation_design';
  const byReason = BY_REASON[reason] ?? (route === null ? undefined : BY_ROUTE_AND_REASON[reason]?.[route]);
  return byReason ?? (route === 'ask_user' ? 'asking' : 'undetermined');
}

/**
 * A slot with `*` for each index of an array, and a condition without the index of its instance. Where the arguments can't
 * be read, every number is taken for an index.
 */
export function patternOf(slot: string, args: Json | null): string {
  if (!slot.startsWith('/')) return /^(.+)\/\d+$/.exec(slot)?.[1] ?? slot;
  let here: Json | undefined = args ?? undefined;
  return pointerOf(
    segmentsOf(slot).map((segment) => {
      const index = here === undefined ? /^(0|[1-9]\d*)$/.test(segment) : isArray(here);
      here = child(here, segment);
      return index ? '*' : segment;
    }),
  );
}
