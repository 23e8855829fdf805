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
  return boardOn((id) => answers.get(id));
}

/**
 * A board that answers as soon as it is asked, or says that it can't yet. For whoever can answer at once it saves the rounds; that
 * the verdict is the same as step by step is a law of the gate.
 */
export function answeringBoard(answer: (request: LookupRequest) => Lookup | undefined): Board {
  return boardOn((_, request) => answer(request));
}

interface Asked {
  readonly id: string;
  readonly request: LookupRequest;
  readonly answer: Lookup | undefined;
}

function boardOn(answer: (id: string, request: LookupRequest) => Lookup | undefined): Board {
  const asked = new Map<string, Asked>();
  let ordered: readonly Asked[] | null = null;
  let needed = false;
  const seek = (request: LookupRequest): Lookup | undefined => {
    const id = idOf(request);
    let found = asked.get(id);
    if (found === undefined) {
      found = { id, request, answer: answer(id, request) };
      asked.set(id, found);
      ordered = null;
    }
    return found.answer;
  };
  const inOrder = (): readonly Asked[] => {
    ordered ??= [...asked.values()].sort((a, b) => byCodeUnit(a.id, b.id));
    return ordered;
  };
  return {
    ask(request) {
      const found = seek(request);
      if (found === undefined) needed = true;
      return found;
    },
    alsoAsk(request) {
      seek(request);
    },
    needs() {
      if (!needed) return [];
      // One round carries all that is open, also what may turn out not to be needed: rounds are what costs.
      return inOrder().flatMap(({ request, answer }) => (answer === undefined ? [request] : []));
    },
    asked: () => inOrder().map(({ request }) => request),
    answered: () => inOrder().flatMap(({ answer }) => answer ?? []),
  };
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
