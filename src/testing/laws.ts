import { GroundsError } from '../errors.ts';
import { encode } from '../events/canonical.ts';
import type { Json } from '../events/json.ts';
import type { Lookup, LookupRequest } from '../events/lookup.ts';
import { Verdict } from '../events/verdict.ts';
import { walksOf } from '../events/walk.ts';
import { argumentsOf } from '../gate/arguments.ts';
import { type Driven, drive, driveInRounds } from '../gate/drive.ts';
import { locate } from '../gate/locator/index.ts';
import { step } from '../gate/step.ts';
import type { RunInput } from '../gate/types.ts';

/** How a lookup is answered: as drive does. */
export type Answer = (request: LookupRequest) => Lookup;

/**
 * Drives the gate and checks, on the way, the laws that hold of every run: it never asks again for what was answered; all
 * lookups at once, in any order, give the same verdict; the verdict has the same bytes on a copy of the input that
 * nothing can write to; what it makes from the run alone stands in canonical order; an executable verdict gives arguments, and no other does.
 *
 * @throws GroundsError `testing/law` where one is broken: that is a fault of the gate, not of the test.
 */
export function driveByTheLaws(run: RunInput, answer: Answer): Driven & { readonly rounds: number } {
  const asked = new Set<string>();
  const driven = driveInRounds(step, run, (request) => {
    const id = encode(request);
    if (asked.has(id)) broken('The gate asked again for what was answered.', { request });
    asked.add(id);
    return answer(request);
  });
  const bytes = encode(driven.verdict);
  for (const lookups of [driven.lookups, [...driven.lookups].reverse()]) {
    const once = step(run, lookups);
    if (!('verdict' in once))
      return broken('With all lookups at hand the gate asks for more.', { need: once.need });
    if (encode(once.verdict) !== bytes) broken('All lookups at once give another verdict.', {});
    if (once.asked.length !== asked.size) {
      broken('The gate names other lookups than it asked for.', { asked: [...asked], named: once.asked });
    }
  }
  const atOnce = drive(run, answer);
  if (encode(atOnce.verdict) !== bytes || atOnce.lookups.length !== driven.lookups.length) {
    broken('Answering at once gives another verdict, or other lookups, than answering in rounds.', {});
  }
  const own = drive(run, (request) => locate(run, request));
  const made = [...walksOf(own.lookups), own.verdict];
  if (JSON.stringify(made) !== encode(made))
    broken('What the gate makes from a run alone does not stand in canonical order.', { made });
  const copy = frozen(structuredClone(run));
  const again = step(copy, frozen(structuredClone(driven.lookups)));
  if (!('verdict' in again) || encode(again.verdict) !== bytes) {
    broken('A copy of the same input gives another verdict.', {});
  }
  const shape = Verdict.safeParse(driven.verdict);
  if (!shape.success) broken('The verdict does not fit its schema.', { issues: shape.error.issues });
  let args: Json | undefined;
  try {
    args = argumentsOf(run, driven.verdict);
  } catch (error) {
    if (driven.verdict.kind === 'executable') throw error;
  }
  if (args !== undefined && driven.verdict.kind !== 'executable') {
    broken('A verdict that is not executable gave arguments.', { kind: driven.verdict.kind });
  }
  return driven;
}

function broken(message: string, facts: Record<string, unknown>): never {
  throw new GroundsError('testing/law', message, {
    facts,
    hint: 'This is a fault in grounds: please report it with the conversation and the checklist.',
  });
}

/** Frozen all the way down: a write throws. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) frozen(part);
  }
  return value;
}
