import type { Lookup, LookupRequest } from '../../src/events/lookup.ts';
import type { Place } from '../../src/events/place.ts';
import type { Source } from '../../src/events/vocabulary.ts';

export type Answer = (request: LookupRequest) => Lookup;
export type Route = 'definition_repair' | 'system_lookup' | 'ask_user';

/** A state as the second opinion holds it: what a verdict's reader goes by. */
export interface State {
  readonly slot: string;
  readonly state: 'known' | 'null' | 'unknown';
  readonly reason: string;
  readonly source?: Source | null;
  readonly origin?: Source | null;
  readonly route?: Route;
  readonly pending?: boolean;
  readonly place?: Place | null;
}

export interface Opinion {
  readonly kind: string;
  readonly next_attempt: number | null;
  readonly exhausted: boolean;
  readonly intent: readonly State[];
  readonly slots: readonly State[] | null;
  readonly unknown_count: number | null;
  readonly unmet: readonly string[];
  readonly not_run: readonly string[];
  readonly reductions: readonly string[];
}

export const unknown = (slot: string, reason: string, route: Route, pending = false): State => ({
  slot,
  state: 'unknown',
  reason,
  route,
  pending,
});
