import type { Place } from '../events/place.ts';
import type { Rejection, SlotState } from '../events/verdict.ts';
import { type Party, REASONS, type ReasonId, ROUTES, type Route, type Source } from '../events/vocabulary.ts';

/** Slot states are built with sorted keys, so that their plain JSON text is already canonical. */
export function knownState(
  slot: string,
  party: Party,
  rule: string,
  reason: ReasonId,
  from: { source: Source | null; origin?: Source | null; place?: Place | null; by?: Place | null | undefined; also?: number },
  rejected: readonly Rejection[] = [],
): SlotState {
  return {
    also: from.also ?? 1,
    by: from.by ?? null,
    declared_by: party,
    origin: from.origin === undefined ? from.source : from.origin,
    place: from.place ?? null,
    reason,
    rejected: [...rejected],
    rule,
    slot,
    source: from.source,
    state: 'known',
  };
}

export function nullState(
  slot: string,
  party: Party,
  rule: string,
  reason: ReasonId,
  source: Source,
  place: Place,
  rejected: readonly Rejection[] = [],
): SlotState {
  return { declared_by: party, place, reason, rejected: [...rejected], rule, slot, source, state: 'null' };
}

export function unknownState(
  slot: string,
  party: Party,
  rule: string,
  reason: ReasonId,
  route: Route,
  more: { waits?: readonly string[]; pending?: boolean; candidate?: Place | null } = {},
  rejected: readonly Rejection[] = [],
): SlotState {
  return {
    candidate: more.candidate ?? null,
    declared_by: party,
    pending: more.pending ?? false,
    reason,
    rejected: [...rejected],
    route,
    rule,
    slot,
    state: 'unknown',
    waits_for: [...(more.waits ?? [])],
  };
}

const RANK = new Map<string, number>(REASONS.map((reason, index) => [reason, index]));

/** Of several reasons the one that stands first in the closed list. */
export function strongestReason(reasons: readonly ReasonId[]): ReasonId {
  return [...reasons].sort((a, b) => (RANK.get(a) as number) - (RANK.get(b) as number))[0] as ReasonId;
}

/** repair > system > ask. */
export function strongestRoute(routes: readonly Route[]): Route | null {
  for (const route of ROUTES) if (routes.includes(route)) return route;
  return null;
}
