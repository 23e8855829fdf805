import type { Lookup, LookupRequest } from '../events/lookup.ts';
import type { Verdict } from '../events/verdict.ts';
import type { RunInput, StepFunction } from './types.ts';

export interface Driven {
  readonly verdict: Verdict;
  /** Every lookup that the gate asked for, in the order of the requests' canonical bytes. */
  readonly lookups: readonly Lookup[];
  readonly rounds: number;
}

/**
 * The synchronous driver: answers each need and steps again until there is a verdict. Audit answers from a transcript,
 * what-if from a log; the live driver does the same with promises.
 */
export function drive(step: StepFunction, run: RunInput, answer: (request: LookupRequest) => Lookup): Driven {
  const lookups: Lookup[] = [];
  for (let rounds = 1; ; rounds++) {
    const next = step(run, lookups);
    if ('verdict' in next) return { verdict: next.verdict, lookups, rounds };
    for (const request of next.need) lookups.push(answer(request));
  }
}
