import { GroundsError } from '../errors.ts';
import { encode } from '../events/canonical.ts';
import type { Lookup, LookupRequest } from '../events/lookup.ts';
import type { Source } from '../events/vocabulary.ts';
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
  /** What was answered of it, in the same order. */
  answered(): readonly Lookup[];
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
  return boardOn(answers, () => undefined);
}

/**
 * A board that answers as soon as it is asked. For whoever can answer at once it saves the rounds; that the verdict is
 * the same as step by step is a law of the gate.
 */
export function answeringBoard(answer: (request: LookupRequest) => Lookup): Board {
  return boardOn(new Map(), answer);
}

function boardOn(
  answers: Map<string, Lookup>,
  answer: (request: LookupRequest) => Lookup | undefined,
): Board {
  const asked = new Map<string, LookupRequest>();
  const needed = new Set<string>();
  const seek = (id: string, request: LookupRequest): Lookup | undefined => {
    asked.set(id, request);
    let found = answers.get(id);
    if (found === undefined) {
      found = answer(request);
      if (found !== undefined) answers.set(id, found);
    }
    return found;
  };
  return {
    ask(request) {
      const id = idOf(request);
      const found = seek(id, request);
      if (found === undefined) needed.add(id);
      return found;
    },
    alsoAsk(request) {
      seek(idOf(request), request);
    },
    needs() {
      if (needed.size === 0) return [];
      // One round carries all that is open, also what may turn out not to be needed: rounds are what costs.
      return order(asked).flatMap(([id, request]) => (answers.has(id) ? [] : [request]));
    },
    asked: () => order(asked).map(([, request]) => request),
    answered: () => order(asked).flatMap(([id]) => answers.get(id) ?? []),
  };
}

function order(asked: ReadonlyMap<string, LookupRequest>): [string, LookupRequest][] {
  return [...asked].sort(([a], [b]) => byCodeUnit(a, b));
}

const ids = new WeakMap<LookupRequest, string>();

export function idOf(request: LookupRequest): string {
  let id = ids.get(request);
  if (id === undefined) {
    id = isPlain(request) ? plainId(request.subject.slot, request.source) : (encode(request) as string);
    ids.set(request, id);
  }
  return id;
}

function isPlain(request: LookupRequest): request is LookupRequest & { subject: { slot: string } } {
  return 'slot' in request.subject && Object.keys(request.key).length === 0;
}

/** The canonical bytes of a request without a key, which most are; what `encode` gives for it (a law says so). */
function plainId(slot: string, source: string): string {
  return `{"key":{},"source":"${source}","subject":{"slot":${JSON.stringify(slot)}}}`;
}

const plainRequests = new Map<string, LookupRequest>();

/** What a source is asked of a slot, with no key. The same object each time, so that its identity is known. */
export function plainRequest(slot: string, source: Source): LookupRequest {
  const name = `${source} ${slot}`;
  let request = plainRequests.get(name);
  if (request === undefined) {
    request = { subject: { slot }, source, key: {} };
    if (plainRequests.size >= 8192) plainRequests.clear();
    plainRequests.set(name, request);
  }
  return request;
}
