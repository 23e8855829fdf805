import type { Place } from '../../src/events/place.ts';
import { REASONS, type Source } from '../../src/events/vocabulary.ts';
import type { RunInput } from '../../src/gate/types.ts';
import { type Route, type State, unknown } from './opinion.ts';
import type { Sign } from './reference-claims.ts';
import type { Slot } from './reference-slots.ts';

export type Said = Sign & { readonly source: Source };

export interface Settled {
  readonly signs: readonly Said[];
  /** null: S19–S23 are still to be applied. */
  readonly state: State | null;
}
/** S1–S18 for one sign; null: the walk goes on. */
export function rowOf(run: RunInput, slot: Slot, source: Source, sign: Sign): State | null {
  const id = slot.id;
  const known = (reason: string, place: Place, origin: Source | null = source): State => ({
    slot: id,
    state: 'known',
    reason,
    source,
    origin,
    place,
  });
  if (sign.is === 'F') return unknown(id, 'lookup_failed', 'definition_repair');
  switch (source) {
    case 'user_answer':
      if (sign.is === 'D') return known('declined', sign.place);
      if (sign.is === 'V' && sign.how === 'candidate_confirmed')
        return known('candidate_confirmed', sign.place, sign.origin ?? source);
      if (sign.is === 'V') return known('answered', sign.place);
      if (sign.is === 'N') return { slot: id, state: 'null', reason: 'answered_none', source };
      if (sign.is === 'B') return unknown(id, 'format', 'ask_user');
      // R7b for the slot's own answer.
      if (sign.is === 'R' && sign.reason === 'differs_from_proposal')
        return unknown(id, 'differs_from_proposal', 'ask_user');
      return null;
    case 'instruction':
      if (sign.is === 'V') return known('located', sign.place);
      if (sign.is === 'C') return unknown(id, 'conflicting_claims', 'ask_user');
      if (sign.is === 'B') return unknown(id, 'format', 'ask_user');
      return null;
    case 'pre_set_data':
      if (sign.is === 'V') return known(sign.how === 'approved' ? 'approved' : 'setting', sign.place);
      if (sign.is === 'N') return { slot: id, state: 'null', reason: 'setting_none', source };
      if (sign.is === 'B') return unknown(id, 'format', 'ask_user');
      return null;
    case 'measured_data':
      if (sign.is === 'V') return known('measured', sign.place);
      if (sign.is === 'N') return { slot: id, state: 'null', reason: 'measured_none', source };
      if (sign.is === 'B') return unknown(id, 'measured_format', 'definition_repair');
      return null;
    case 'prior_state':
      if (sign.is === 'V' && run.ruleset === 'inherit' && sign.origin != null)
        return known('inherited', sign.place, sign.origin);
      return null;
  }
}

/** S19–S24. */
export function endOf(
  slot: Slot,
  signs: readonly Said[],
  routeBehind: (ids: readonly string[]) => Route | null,
  pendingHere: boolean,
): State {
  const pending = pendingHere && slot.decl?.pending_at_trigger === true;
  const open = (reason: string, route: Route) => unknown(slot.id, reason, route, pending);
  const waits = signs.flatMap((sign) => (sign.is === 'W' ? [...sign.on] : []));
  const route = routeBehind(waits);
  if (route !== null) return open('waits_for', route);
  if (signs.every(({ is }) => is === 'P')) return open('no_source', 'definition_repair');
  if (signs.some(({ is, source }) => is === 'S' && source === 'measured_data'))
    return open('unfinished', 'system_lookup');
  const refusals = signs.flatMap((sign) => (sign.is === 'R' ? [sign.reason] : []));
  const first = REASONS.find((reason) => refusals.includes(reason));
  const fillable = signs.some(
    ({ is, source }) => is !== 'P' && ['user_answer', 'instruction', 'pre_set_data'].includes(source),
  );
  return fillable ? open(first ?? 'not_said', 'ask_user') : open(first ?? 'no_answer', 'system_lookup');
}
