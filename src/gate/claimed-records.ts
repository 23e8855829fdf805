import type { Claim, LookupRequest } from '../events/lookup.ts';
import type { Place } from '../events/place.ts';
import type { ReasonId } from '../events/vocabulary.ts';
import { idOf } from './board.ts';
import { sameJson } from './expand.ts';
import type { FactState } from './fact-board.ts';
import { keyGroups, type Measured, measure } from './facts.ts';
import { keysOf, rawAt } from './keys.ts';
import type { FactRule, Rules } from './rules-for.ts';
import type { RunInput } from './types.ts';

const memo = new WeakMap<RunInput, Map<string, Measured | null>>();

/** What the conversation measures for one request; null where no declared alternative is keyed so. A pure memo. */
export function measuredFor(
  run: RunInput,
  rules: Rules,
  fact: FactRule,
  request: LookupRequest,
): Measured | null {
  let known = memo.get(run);
  if (known === undefined) {
    known = new Map();
    memo.set(run, known);
  }
  const id = idOf(request);
  let measured = known.get(id);
  if (measured === undefined) {
    measured = measureFor(run, rules, fact, request);
    known.set(id, measured);
  }
  return measured;
}

function measureFor(run: RunInput, rules: Rules, fact: FactRule, request: LookupRequest): Measured | null {
  const asked = Object.keys(request.key);
  const group = keyGroups(fact).find(
    ({ refs }) => refs.length === asked.length && refs.every((ref) => Object.hasOwn(request.key, ref)),
  );
  if (group === undefined) return null;
  const keys = keysOf(run, rules, request);
  if (keys === null) return { said: 'failed', code: 'key_unreadable' };
  return measure(run, rules, fact, group.alternatives, keys);
}

/**
 * A fact's records, whoever claimed them, are those that the conversation measures and no others: a place in some other
 * result, in a request, in what anyone wrote, or of an older or stale measurement is no measurement of this. RULES R8b.
 */
export function claimedRecords(
  run: RunInput,
  rules: Rules,
  fact: FactRule,
  request: LookupRequest,
  claims: readonly Claim[],
): FactState {
  const measured = measuredFor(run, rules, fact, request);
  if (measured?.said === 'failed' || measured?.said === 'unfinished') return { state: measured.said };
  const records = measured?.said === 'records' ? measured.records : [];
  const places = claims.map(({ at }) => at);
  if (sameJson(places, records)) return { state: 'measured', records, keyed_by: Object.keys(request.key) };
  const wrong = places.find((place) => !records.some((own) => sameJson(own, place))) ?? places[0];
  return { state: 'refused', reason: whyRefused(run, wrong as Place), place: wrong as Place };
}

function whyRefused(run: RunInput, place: Place): ReasonId {
  if (place.in === 'json' && place.of === 'arguments') return 'claim_is_echo';
  if (rawAt(run, place) === undefined) return 'claim_not_there';
  const observes = place.in === 'entry' ? null : run.segments[place.segment]?.observes;
  return observes === null || observes === undefined ? 'claim_untrusted' : 'claim_has_wrong_key';
}
