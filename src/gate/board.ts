import { GroundsError } from '../errors.ts';
import { encode } from '../events/canonical.ts';
import type { Lookup, LookupRequest } from '../events/lookup.ts';
import { byCodeUnit } from './expand.ts';

/**
 * What has been asked and what was answered, in one call of `step`. Identity of a request is its canonical bytes, so the
 * order in which answers arrived never matters.
 */
export interface Board {
  /** The answer, or undefined; asks for it in that case. */
  ask(request: LookupRequest): Lookup | undefined;
  /** Asks without needing the answer: it goes out in the same round as what is needed. */
  alsoAsk(request: LookupRequest): void;
  /** What is still needed, in a total order. */
  needs(): readonly LookupRequest[];
  /** Everything asked for, in a total order. */
  asked(): readonly LookupRequest[];
}

export function board(lookups: readonly Lookup[]): Board {
  const answers = new Map<string, Lookup>();
  for (const lookup of lookups) {
    const id = idOf(lookup.request);
    const known = answers.get(id);
    if (known !== undefined && encode(known.outcome) !== encode(lookup.outcome)) {
      throw new GroundsError('gate/two-answers', 'One request was answered twice, with different outcomes.', {
        facts: { request: lookup.request },
        hint: 'Give the gate one lookup for each request; a new measurement belongs to a new run.',
      });
    }
    answers.set(id, lookup);
  }
  const asked = new Map<string, LookupRequest>();
  const needed = new Set<string>();
  return {
    ask(request) {
      const id = idOf(request);
      asked.set(id, request);
      const answer = answers.get(id);
      if (answer === undefined) needed.add(id);
      return answer;
    },
    alsoAsk(request) {
      asked.set(idOf(request), request);
    },
    needs() {
      if (needed.size === 0) return [];
      // One round carries all that is open, also what may turn out not to be needed: rounds are what costs.
      return order(asked).flatMap(([id, request]) => (answers.has(id) ? [] : [request]));
    },
    asked: () => order(asked).map(([, request]) => request),
  };
}

function order(asked: ReadonlyMap<string, LookupRequest>): [string, LookupRequest][] {
  return [...asked].sort(([a], [b]) => byCodeUnit(a, b));
}

const ids = new WeakMap<LookupRequest, string>();

export function idOf(request: LookupRequest): string {
  const known = ids.get(request);
  if (known !== undefined) return known;
  const id: string = encode(request);
  ids.set(request, id);
  return id;
}
