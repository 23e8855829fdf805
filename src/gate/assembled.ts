import { isArray, isObject, type Json } from '../events/json.ts';
import { segmentsOf } from '../events/pointer.ts';
import type { SlotState } from '../events/verdict.ts';
import { readPlace } from './keys.ts';
import type { Rules } from './rules-for.ts';
import type { ValueSlot } from './slot-list.ts';
import type { RunInput } from './types.ts';

/**
 * The argument object as it would be sent: null leaves left out, and what was confirmed though the proposal lacks it put
 * in. Conditions and the tool's schema judge this, and the executor gets this.
 */
export function assembled(
  run: RunInput,
  rules: Rules,
  slots: readonly ValueSlot[],
  states: ReadonlyMap<string, SlotState>,
  proposal: Json | undefined,
): Json {
  let args: Json = proposal ?? {};
  for (const slot of slots) {
    const state = states.get(slot.id);
    if (state?.state === 'null') args = without(args, segmentsOf(slot.id));
    if (state?.state !== 'known' || slot.leaf !== undefined || state.reason === 'declined') continue;
    const value = readValue(run, rules, slot, state);
    if (value !== undefined) args = withValue(args, segmentsOf(slot.id), value);
  }
  return args;
}

/** What a known slot's place reads as; undefined where it has none, or reads as nothing. */
export function readValue(
  run: RunInput,
  rules: Rules,
  slot: ValueSlot,
  state: SlotState & { readonly state: 'known' },
): Json | undefined {
  return state.place === null || slot.reader === null
    ? undefined
    : readPlace(run, rules, slot.reader, state.place);
}

/** A value without what stands at a path; an array keeps its length. */
export function without(value: Json, path: readonly string[]): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (isArray(value)) {
    return value.map((item, index) =>
      String(index) === key && rest.length > 0 ? without(item, rest) : item,
    );
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([own, item]) =>
      own !== key ? [[own, item]] : rest.length === 0 ? [] : [[own, without(item, rest)]],
    ),
  );
}

function withValue(value: Json, path: readonly string[], leaf: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return leaf;
  if (isArray(value)) {
    return value.map((item, index) => (String(index) === key ? withValue(item, rest, leaf) : item));
  }
  const object = isObject(value) ? value : {};
  const own = Object.hasOwn(object, key) ? (object[key] as Json) : {};
  return Object.fromEntries([...Object.entries(object), [key, withValue(own, rest, leaf)]]);
}
