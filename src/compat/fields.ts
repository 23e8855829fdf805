import type { Json } from '../events/json.ts';
import type { SlotState } from '../events/verdict.ts';
import { readValue } from '../gate/assembled.ts';
import type { Rules } from '../gate/rules-for.ts';
import { listSlots, type ValueSlot } from '../gate/slot-list.ts';
import type { RunInput } from '../gate/types.ts';
import type { SkeletonField } from './skeleton-record.ts';
import { isArgument, nameOf } from './slot-name.ts';

/**
 * The slots that the skeleton has a place for: arguments that are known or unknown, and of the other slots (a provider's or
 * the system's condition, a label) those that are unknown. A reader of the record sends what is known, and a condition is
 * nothing to send. A null slot is neither known nor unknown: it stands beside the record's own fields.
 *
 * @param states all of the verdict's slots but the user's conditions, which have a list of their own
 */
export function fieldsOf(
  run: RunInput,
  rules: Rules,
  states: readonly SlotState[],
  resolved_at: string,
): SkeletonField[] {
  const slots = new Map(listSlots(run, rules).slots.map((slot) => [slot.id, slot]));
  return states.flatMap((state) => {
    if (state.state === 'unknown') return [unknownField(state, resolved_at)];
    if (state.state === 'null' || !isArgument(state.slot)) return [];
    return [knownField(state, valueAtPlace(run, rules, slots.get(state.slot), state), resolved_at)];
  });
}

type Known = SlotState & { readonly state: 'known' };

/**
 * A value is read at its place, and from nowhere else: one that a condition computes or the schema fixes has no place, and so
 * no value here. `call_arguments` has it.
 */
function valueAtPlace(
  run: RunInput,
  rules: Rules,
  slot: ValueSlot | undefined,
  state: Known,
): Json | undefined {
  return slot === undefined || state.reason === 'declined' ? undefined : readValue(run, rules, slot, state);
}

function knownField(state: Known, value: Json | undefined, resolved_at: string): SkeletonField {
  return {
    name: nameOf(state.slot),
    ...(value === undefined ? {} : { value }),
    status: 'known',
    source: state.source,
    origin_source: state.origin,
    resolved_at,
    ...(value === undefined ? { note: state.reason } : {}),
  };
}

function unknownField(state: SlotState & { readonly state: 'unknown' }, resolved_at: string): SkeletonField {
  return {
    name: nameOf(state.slot),
    status: 'unknown',
    source: null,
    origin_source: null,
    resolved_at,
    ...(state.pending ? { pending_at_trigger: true } : {}),
    ...(state.reason === 'lookup_failed' ? { lookup_failed: true } : {}),
    note: state.reason,
  };
}
