import { GroundsError } from '../errors.ts';
import type { Json } from '../events/json.ts';
import type { Verdict } from '../events/verdict.ts';
import { assembled, readValue } from './assembled.ts';
import { rulesFor } from './rules-for.ts';
import { listSlots, proposedArguments } from './slot-list.ts';
import type { RunInput } from './types.ts';

/**
 * The arguments that a verdict confirmed: each known slot's value read again at its place, each null one left out. The
 * executor has no other way to arguments.
 *
 * @throws GroundsError `gate/not-executable` for any verdict but an executable one; `gate/place-differs` where a place no
 * longer reads as the value that was judged.
 */
export function argumentsOf(run: RunInput, verdict: Verdict): Json {
  if (verdict.kind !== 'executable' || verdict.slots === null) {
    throw new GroundsError(
      'gate/not-executable',
      `A verdict that is ${verdict.kind} has no arguments to execute.`,
      {
        facts: { kind: verdict.kind },
        hint: 'Fill what the verdict lists as unknown or unmet, and judge again.',
      },
    );
  }
  const rules = rulesFor(run);
  const { slots } = listSlots(run, rules);
  const states = new Map(verdict.slots.map((state) => [state.slot, state]));
  for (const slot of slots) {
    const state = states.get(slot.id);
    if (state?.state !== 'known' || state.place === null || slot.reader === null) continue;
    const value = readValue(run, rules, slot, state);
    if (value === undefined || (slot.leaf !== undefined && !slot.reader.same(value, slot.leaf))) {
      throw new GroundsError(
        'gate/place-differs',
        `The place of ${slot.id} does not read as what was judged.`,
        {
          facts: { slot: slot.id, place: state.place },
          hint: 'Judge the call again; if the log was changed, replay and verify show where.',
        },
      );
    }
  }
  return assembled(run, rules, slots, states, proposedArguments(run));
}
