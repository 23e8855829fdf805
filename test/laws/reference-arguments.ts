import type { Json } from '../../src/events/json.ts';
import { segmentsOf } from '../../src/events/pointer.ts';
import type { RunInput } from '../../src/gate/types.ts';
import type { State } from './opinion.ts';
import type { Slot } from './reference-slots.ts';
import { raw, textAt } from './reference-world.ts';

/** The arguments as they would be sent: null leaves left out, confirmed ones that the proposal lacks put in. */
export function argumentsFrom(
  run: RunInput,
  args: Json | undefined,
  slots: readonly Slot[],
  states: ReadonlyMap<string, State>,
): Json {
  const out = JSON.parse(JSON.stringify(args ?? {})) as Json;
  for (const { id, leaf, reader } of slots) {
    const state = states.get(id);
    const path = [...segmentsOf(id)];
    const last = path.pop() as string;
    let here = out as Record<string, Json> | undefined;
    const put = state?.state === 'known' && leaf === undefined && state.place != null;
    for (const part of path) {
      if (here !== undefined && !Object.hasOwn(here, part) && put) here[part] = {};
      here =
        here !== undefined && Object.hasOwn(here, part) && typeof here[part] === 'object'
          ? (here[part] as Record<string, Json>)
          : undefined;
    }
    if (here === undefined || here === null) continue;
    if (state?.state === 'null' && !Array.isArray(here)) delete here[last];
    if (!put || state.place == null || state.reason === 'declined') continue;
    const { place } = state;
    const there = raw(run, place);
    const context = { at: run.now, zone: 'UTC' };
    const value =
      place.in === 'text'
        ? reader?.readAt(textAt(run, place.segment) ?? '', place, context)
        : there === undefined
          ? undefined
          : reader?.fromJson(there, context);
    if (value !== undefined) here[last] = value;
  }
  return out;
}
