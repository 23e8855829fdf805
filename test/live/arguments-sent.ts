import { encode } from '../../src/events/canonical.ts';
import { isArray, isObject, type Json } from '../../src/events/json.ts';
import { argumentsOf, locate } from '../../src/gate/index.ts';
import { opinionOf } from '../laws/reference.ts';
import { argumentsFrom } from '../laws/reference-arguments.ts';
import { listSlots } from '../laws/reference-slots.ts';
import { inForce } from '../laws/reference-world.ts';
import type { Effect } from './effects.ts';
import { givenTo, lookupsOf, type StartRecord } from './record.ts';

type Claim = (holds: boolean, what: string) => void;

/** What was sent, against the recorded slots: as the gate reads them, as a slow second reading does, and leaf by leaf. */
export function againstArguments(effect: Effect, record: StartRecord, claim: Claim): void {
  const run = givenTo(record);
  claim(same(argumentsOf(run, record.verdict), effect.args), 'other arguments than its places read as');

  const lookups = lookupsOf(record);
  const opinion = opinionOf(run, (request) => lookups.get(encode(request)) ?? locate(run, request));
  claim(opinion.kind === 'executable' && opinion.unknown_count === 0, `is ${opinion.kind} by the tables`);
  const prepared = run.proposal?.prepared;
  const proposed = prepared != null && 'plain' in prepared ? prepared.plain : undefined;
  const slots = listSlots(run, inForce(run)).slots;
  const states = new Map((opinion.slots ?? []).map((state) => [state.slot, state]));
  claim(
    same(argumentsFrom(run, proposed, slots, states), effect.args),
    'other arguments than a second reading of its places',
  );

  const sent = leavesOf(effect.args);
  const recorded = new Map((record.verdict.slots ?? []).map((state) => [state.slot, state]));
  for (const [slot, value] of leavesOf(proposed ?? {})) {
    const now = sent.get(slot);
    // What was empty has been filled: each of that is looked at below.
    if (now === undefined && isObject(value)) continue;
    if (now === undefined) claim(recorded.get(slot)?.state === 'null', `${slot} was proposed and left out`);
    else claim(same(now, value), `${slot} was proposed otherwise`);
  }
  const offered = leavesOf(proposed ?? {});
  for (const slot of sent.keys()) {
    if (offered.has(slot) || slot === '') continue;
    const state = recorded.get(slot);
    claim(state?.state === 'known' && state.place !== null, `${slot} was added and nobody said it`);
  }
}

/** Every leaf by its pointer; what is empty is one. */
function leavesOf(value: Json, at = ''): Map<string, Json> {
  const entries = isArray(value)
    ? value.map((item, index) => [String(index), item] as const)
    : isObject(value)
      ? Object.entries(value)
      : [];
  if (entries.length === 0) return new Map([[at, value]]);
  return new Map(
    entries.flatMap(([key, item]) => [
      ...leavesOf(item, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    ]),
  );
}

export function same(a: unknown, b: unknown): boolean {
  return encode(a as Json) === encode(b as Json);
}
