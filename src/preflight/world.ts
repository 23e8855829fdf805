import type { Entry } from '../events/entry.ts';
import type { Lookup, LookupRequest } from '../events/lookup.ts';
import type { Segment } from '../events/segment.ts';
import type { RunInput } from '../gate/index.ts';

/** What a hook found for one request that the run itself could not answer. */
export interface Measured {
  readonly request: LookupRequest;
  /**
   * A result, as a segment of its own: the gate reads it where it stands, and so does a replay. Or what the hook said
   * without one: that it failed, has not finished, or has nothing to say (`absent`), and then what the run itself holds counts. null:
   * no hook was asked, or another request holds the same result.
   */
  readonly found: { readonly segment: Segment } | { readonly lookup: Lookup } | null;
}

/** What is known before the gate is asked: how hooks judge timing and match, and what the execution is called. */
export interface Judgement {
  readonly entries: readonly Entry[];
  /** Opaque in the log; null where there is none. */
  readonly action_key: { readonly state: 'ok' | 'failed'; readonly key: string | null };
}

/** What a live run has beside the log: its hooks, behind one port. None of these ever throws: a hook's failure is an answer. */
export interface World {
  judge(run: RunInput): Promise<Judgement>;
  /** Answers an `instruction` lookup; null, or left out: no hook does, and the locator answers by rule. */
  claim?(run: RunInput, request: LookupRequest): Promise<Lookup | null>;
  /** Asks the hooks that are declared to measure these facts, side by side. In the order of the requests. */
  measure(run: RunInput, open: readonly LookupRequest[]): Promise<readonly Measured[]>;
}

/** No hooks at all: rules locate, and only what the conversation holds measures. */
export const NO_HOOKS: World = {
  judge: async () => ({ entries: [], action_key: { state: 'ok', key: null } }),
  measure: async (_, open) => open.map((request) => ({ request, found: null })),
};
