import { GroundsError } from '../errors.ts';
import type { Json, JsonObject } from '../events/json.ts';
import { segmentsOf } from '../events/pointer.ts';
import type { Verdict } from '../events/verdict.ts';
import { without } from './conditions.ts';
import { contextOf } from './conversation.ts';
import { rawAt } from './keys.ts';
import { rulesFor } from './rules-for.ts';
import { listSlots, proposedArguments } from './slot-list.ts';
import type { RunInput, Segment } from './types.ts';

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
  const proposal = proposedArguments(run);
  const states = new Map(verdict.slots.map((state) => [state.slot, state]));
  let args: Json = proposal ?? {};
  for (const slot of listSlots(run, rules).slots) {
    const state = states.get(slot.id);
    if (state === undefined) continue;
    if (state.state === 'null') args = without(args, segmentsOf(slot.id));
    if (state.state !== 'known' || state.place === null || slot.reader === null) continue;
    const place = state.place;
    const raw = rawAt(run, place);
    const segment = place.in === 'entry' ? undefined : (run.segments[place.segment] as Segment | undefined);
    const context =
      segment === undefined ? { at: run.now, zone: rules.zone } : contextOf(run, rules, segment);
    const value =
      raw === undefined
        ? undefined
        : place.in === 'text' && typeof raw === 'string' && segment !== undefined
          ? (slot.reader.readAt(textAround(segment), place, context) ?? slot.reader.fromJson(raw, context))
          : slot.reader.fromJson(raw, context);
    if (value === undefined || (slot.leaf !== undefined && !slot.reader.same(value, slot.leaf))) {
      throw new GroundsError(
        'gate/place-differs',
        `The place of ${slot.id} does not read as what was judged.`,
        {
          facts: { slot: slot.id, place },
          hint: 'Judge the call again; if the log was changed, replay and verify show where.',
        },
      );
    }
    if (slot.leaf === undefined) args = withValue(args, segmentsOf(slot.id), value);
  }
  return args;
}

function textAround(segment: Segment): string {
  const body = 'plain' in segment.body ? segment.body.plain : '';
  return typeof body === 'string' ? body : '';
}

function withValue(value: Json, path: readonly string[], leaf: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return leaf;
  const object = (
    typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  ) as JsonObject;
  return { ...object, [key]: withValue(object[key] ?? {}, rest, leaf) };
}
