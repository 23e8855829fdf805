import type { Lookup, LookupRequest } from '../events/lookup.ts';
import type { Verdict } from '../events/verdict.ts';
import { answeringBoard } from './board.ts';
import { stepOn } from './step.ts';
import type { RunInput, StepFunction } from './types.ts';

export interface Driven {
  readonly verdict: Verdict;
  /** Every lookup that the gate asked for, in the order of the requests' canonical bytes. */
  readonly lookups: readonly Lookup[];
}

/**
 * The synchronous driver, for whoever can answer at once: audit answers from a transcript, what-if from a log. It runs the
 * gate's own step on a board that answers while it is asked, so that one pass does what `step` does in rounds.
 */
export function drive(run: RunInput, answer: (request: LookupRequest) => Lookup): Driven {
  const asking = answeringBoard(answer);
  const next = stepOn(run, asking);
  if ('need' in next) throw new Error('A board that answers at once left something open.');
  return { verdict: next.verdict, lookups: asking.answered() };
}

/** The same in rounds: the loop of a driver that must wait for its answers, here without the waiting. */
export function driveInRounds(
  step: StepFunction,
  run: RunInput,
  answer: (request: LookupRequest) => Lookup,
): Driven & { readonly rounds: number } {
  const lookups: Lookup[] = [];
  for (let rounds = 1; ; rounds++) {
    const next = step(run, lookups);
    if ('verdict' in next) return { verdict: next.verdict, lookups, rounds };
    for (const request of next.need) lookups.push(answer(request));
  }
}
