import type { Place } from '../events/place.ts';
import type { ReasonId, Route, Source } from '../events/vocabulary.ts';

/**
 * What one source said of one slot, after the gate has read it: V reads well · B does not fit the slot's type · R refused ·
 * N there is none · A nothing here · P no place for it here · S unfinished · F failed · W waits for slots or facts ·
 * D declined · C two live claims that read differently.
 */
export type Sign = 'V' | 'B' | 'R' | 'N' | 'A' | 'P' | 'S' | 'F' | 'W' | 'D' | 'C';

export interface Said {
  readonly source: Source;
  readonly sign: Sign;
  readonly place?: Place;
  readonly by?: Place | undefined;
  readonly also?: number;
  readonly origin?: Source | null;
  /** Of V: how it came about; of R: why it was refused. */
  readonly reason?: ReasonId;
  /** Of W: what it waits for. */
  readonly waits?: readonly string[];
}

export type Decision =
  | { readonly state: 'known'; readonly rule: string; readonly said: Said; readonly reason: ReasonId }
  | { readonly state: 'null'; readonly rule: string; readonly said: Said; readonly reason: ReasonId }
  | {
      readonly state: 'unknown';
      readonly rule: string;
      readonly reason: ReasonId;
      readonly route: Route;
      readonly waits: readonly string[];
    };

/** One row of the settling table: a named value, so that `why` can print it and a mutant is one row removed. */
interface Row {
  readonly id: string;
  readonly section: 'Settling a slot';
  judge(said: Said, ruleset: 'standard' | 'inherit'): Decision | null;
}

const row = (id: string, judge: Row['judge']): Row => ({ id, section: 'Settling a slot', judge });
const known = (rule: string, said: Said, reason: ReasonId): Decision => ({
  state: 'known',
  rule,
  said,
  reason,
});
const unknown = (rule: string, reason: ReasonId, route: Route): Decision => ({
  state: 'unknown',
  rule,
  reason,
  route,
  waits: [],
});

/** S1–S18: applied to each source in search order; the first row that ends decides. */
export const WALK: readonly Row[] = [
  row('S1', (said) => (said.sign === 'F' ? unknown('S1', 'lookup_failed', 'definition_repair') : null)),
  row('S6', (said) =>
    said.source === 'user_answer' && said.sign === 'D' ? known('S6', said, 'declined') : null,
  ),
  row('S3', (said) =>
    said.source === 'user_answer' && said.sign === 'V' && said.reason === 'candidate_confirmed'
      ? known('S3', said, 'candidate_confirmed')
      : null,
  ),
  row('S2', (said) =>
    said.source === 'user_answer' && said.sign === 'V' ? known('S2', said, 'answered') : null,
  ),
  row('R7b', (said) =>
    // The user answered for this very slot: no later source can outweigh that the proposal differs.
    said.source === 'user_answer' && said.sign === 'R' && said.reason === 'differs_from_proposal'
      ? unknown('R7b', 'differs_from_proposal', 'ask_user')
      : null,
  ),
  row('S4', (said) =>
    said.source === 'user_answer' && said.sign === 'N'
      ? { state: 'null', rule: 'S4', said, reason: 'answered_none' }
      : null,
  ),
  row('S5', (said) =>
    said.source === 'user_answer' && said.sign === 'B' ? unknown('S5', 'format', 'ask_user') : null,
  ),
  row('S7', (said) =>
    said.source === 'instruction' && said.sign === 'V' ? known('S7', said, 'located') : null,
  ),
  row('S8', (said) =>
    said.source === 'instruction' && said.sign === 'C'
      ? unknown('S8', 'conflicting_claims', 'ask_user')
      : null,
  ),
  row('S9', (said) =>
    said.source === 'instruction' && said.sign === 'B' ? unknown('S9', 'format', 'ask_user') : null,
  ),
  row('S10', (said) =>
    said.source === 'pre_set_data' && said.sign === 'V' && said.reason === 'approved'
      ? known('S10', said, 'approved')
      : null,
  ),
  row('S11', (said) => {
    if (said.source !== 'pre_set_data') return null;
    if (said.sign === 'V') return known('S11', said, 'setting');
    return said.sign === 'N' ? { state: 'null', rule: 'S11', said, reason: 'setting_none' } : null;
  }),
  row('S12', (said) =>
    said.source === 'pre_set_data' && said.sign === 'B' ? unknown('S12', 'format', 'ask_user') : null,
  ),
  row('S13', (said) =>
    said.source === 'measured_data' && said.sign === 'V' ? known('S13', said, 'measured') : null,
  ),
  row('S14', (said) =>
    said.source === 'measured_data' && said.sign === 'N'
      ? { state: 'null', rule: 'S14', said, reason: 'measured_none' }
      : null,
  ),
  row('S15', (said) =>
    said.source === 'measured_data' && said.sign === 'B'
      ? unknown('S15', 'measured_format', 'definition_repair')
      : null,
  ),
  row('S17', (said, ruleset) =>
    said.source === 'prior_state' && said.sign === 'V' && ruleset === 'inherit' && said.origin
      ? known('S17', said, 'inherited')
      : null,
  ),
];

export function judge(said: Said, ruleset: 'standard' | 'inherit'): Decision | null {
  for (const { judge } of WALK) {
    const decision = judge(said, ruleset);
    if (decision !== null) return decision;
  }
  return null;
}

const USER_FILLS: readonly Source[] = ['user_answer', 'instruction', 'pre_set_data'];

/**
 * S19–S23, where no source decided. `routeOf` gives the strongest route of the unknown slots behind what is waited for,
 * or null where nothing but this slot is behind it.
 */
export function settleEnd(
  walk: readonly Said[],
  sources: readonly Source[],
  reasonOf: (reasons: readonly ReasonId[]) => ReasonId,
  routeOf: (waits: readonly string[]) => Route | null,
): Decision {
  const waits = [...new Set(walk.flatMap((said) => (said.sign === 'W' ? (said.waits ?? []) : [])))];
  const route = waits.length > 0 ? routeOf(waits) : null;
  if (route !== null) return { state: 'unknown', rule: 'S19', reason: 'waits_for', route, waits };
  if (sources.length === 0 || walk.every((said) => said.sign === 'P')) {
    return unknown('S20', 'no_source', 'definition_repair');
  }
  if (walk.some((said) => said.source === 'measured_data' && said.sign === 'S')) {
    return unknown('S21', 'unfinished', 'system_lookup');
  }
  const refusals = walk.flatMap((said) =>
    said.sign === 'R' && said.reason !== undefined ? [said.reason] : [],
  );
  const reason = refusals.length > 0 ? reasonOf(refusals) : null;
  const fillable = sources.some(
    (source) =>
      USER_FILLS.includes(source) && walk.some((said) => said.source === source && said.sign !== 'P'),
  );
  return fillable
    ? unknown('S22', reason ?? 'not_said', 'ask_user')
    : unknown('S23', reason ?? 'no_answer', 'system_lookup');
}
