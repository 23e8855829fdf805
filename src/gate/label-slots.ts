import { attributeOf } from '../declarations/labels.ts';
import { plainOf } from '../events/content.ts';
import type { Place } from '../events/place.ts';
import type { SlotState } from '../events/verdict.ts';
import { type Board, plainRequest } from './board.ts';
import { isInstance, sameJson } from './expand.ts';
import { inEntry } from './places.ts';
import type { AskedLabel, Rules } from './rules-for.ts';
import { listSlots, type ValueSlot } from './slot-list.ts';
import { isNoTo, rangesAt, rangesFor, type StandingRange } from './standing-ranges.ts';
import { knownState, unknownState } from './states.ts';
import type { RunInput } from './types.ts';

/** A label as the user's own word leaves it, and the standing ranges that may speak where that is open. */
export interface LabelState {
  readonly state: SlotState;
  readonly ranges: readonly StandingRange[];
}

/** The slots that a tool's [Verify] and [Notice] lines add. null: a lookup is still needed. RULES, "Labels". */
export function labelSlots(
  run: RunInput,
  rules: Rules,
  slots: readonly ValueSlot[],
  board: Board,
): readonly LabelState[] | null {
  const states: LabelState[] = [];
  let open = false;
  for (const label of rules.labels) {
    const lookup = board.ask(plainRequest(label.id, 'user_answer'));
    const ranges = rangesFor(run, label);
    const standing = ranges.length === 0 ? null : board.ask(plainRequest(label.id, 'pre_set_data'));
    if (lookup === undefined || standing === undefined) {
      open = true;
      continue;
    }
    const state = stateOf(run, label, slots, lookup.outcome.said, placesIn(lookup.outcome));
    if (state.state !== 'unknown' || state.reason !== 'not_said' || standing === null)
      states.push({ state, ranges: [] });
    else if (standing.outcome.said === 'failed') states.push({ state: failed(label), ranges: [] });
    else states.push({ state, ranges: rangesAt(ranges, placesIn(standing.outcome)) });
  }
  const defect = (state: SlotState): number => states.push({ state, ranges: [] });
  for (const { at, slot, reason, declared_by } of rules.defects) {
    if (slot?.startsWith('label:'))
      defect(unknownState(slot, declared_by, 'R4', reason, 'definition_repair'));
    else if (at.startsWith('label:') && slot !== null && rules.conditions.every(({ id }) => id !== slot)) {
      defect(unknownState(slot, declared_by, 'R4', reason, 'definition_repair'));
    }
  }
  return open ? null : states;
}

function failed(label: AskedLabel): SlotState {
  return unknownState(label.id, 'provider', 'S1', 'lookup_failed', 'definition_repair');
}

function placesIn(outcome: {
  readonly said: string;
  readonly claims?: readonly { readonly at: Place }[];
}): readonly Place[] {
  return outcome.claims?.map((claim) => claim.at) ?? [];
}

function stateOf(
  run: RunInput,
  label: AskedLabel,
  slots: readonly ValueSlot[],
  said: string,
  places: readonly Place[],
): SlotState {
  if (said === 'failed') return failed(label);
  const place = places.at(-1);
  const consent = place === undefined ? null : consentAt(run, label, slots, place);
  if (consent === 'given')
    return knownState(label.id, 'provider', 'S2', 'answered', {
      source: 'user_answer',
      place: place ?? null,
    });
  if (consent === 'declined')
    return knownState(label.id, 'provider', 'S6', 'declined', {
      source: 'user_answer',
      place: place ?? null,
    });
  return unknownState(label.id, 'provider', 'S22', 'not_said', 'ask_user');
}

/** What an entry says to a label: a shown notice's very text; a consent to the values that a [Verify] is bound to. */
export function consentAt(
  run: RunInput,
  label: AskedLabel,
  slots: readonly ValueSlot[],
  place: Place,
): 'given' | 'declined' | null {
  if (place.in !== 'entry') return null;
  const entry = run.entries[place.entry];
  if (entry === undefined) return null;
  if (label.kind === 'notice') return entry.kind === 'notice' && entry.text === label.text ? 'given' : null;
  if (entry.kind !== 'approval' || entry.tool !== run.tool_digest) return null;
  if (!entry.shown.some((shown) => shown.slot === label.id)) return null;
  if (entry.declined) return 'declined';
  // A later no to the same label takes the yes back.
  const later = run.entries.slice(place.entry + 1);
  if (later.some((one) => isNoTo(run, one, label.id))) return null;
  const on = attributeOf(label, 'on')?.pointers;
  const isBound = (id: string): boolean => on === undefined || on.some((pattern) => isInstance(id, pattern));
  const bound = slots.filter(({ id }) => isBound(id));
  // An argument that was shown and is proposed no more has changed like any other.
  const left = entry.shown.every(
    ({ slot }) => !slot.startsWith('/') || !isBound(slot) || bound.some(({ id }) => id === slot),
  );
  const same = bound.every(({ id, leaf }) =>
    entry.shown.some((shown) => shown.slot === id && sameJson(plainOf(shown.value), leaf)),
  );
  return left && same ? 'given' : null;
}

/** Where the entries consent to a label; the newest word counts. */
export function labelPlace(run: RunInput, rules: Rules, id: string): Place | null {
  const label = rules.labels.find((known) => known.id === id);
  if (label === undefined) return null;
  const { slots } = listSlots(run, rules);
  for (let index = run.entries.length - 1; index >= 0; index--) {
    const place = inEntry(index, '');
    if (consentAt(run, label, slots, place) !== null) return place;
  }
  return null;
}

/** Where standing ranges speak to a label, oldest first. */
export function rangePlaces(run: RunInput, rules: Rules, id: string): readonly Place[] {
  const label = rules.labels.find((known) => known.id === id);
  return label === undefined ? [] : rangesFor(run, label).map(({ place }) => place);
}
