import type { Lookup } from '../events/lookup.ts';
import type { Place } from '../events/place.ts';
import type { Rejection, SlotState } from '../events/verdict.ts';
import type { Route, Source } from '../events/vocabulary.ts';
import { type Board, plainRequest } from './board.ts';
import { namingFacts } from './locator/named.ts';
import { type FactTable, readMeasured } from './measuring.ts';
import { readLookup } from './reading.ts';
import type { Rules } from './rules-for.ts';
import { type Decision, judge, type Said, settleEnd } from './settling.ts';
import type { ValueSlot } from './slot-list.ts';
import { knownState, nullState, strongestReason, unknownState } from './states.ts';
import type { RunInput } from './types.ts';

export interface Walk {
  readonly slot: ValueSlot;
  readonly said: readonly Said[];
  /** null while a lookup or a fact is still open. */
  readonly decision: Decision | 'end' | null;
  readonly candidate: Place | null;
}

/**
 * Walks a slot's allowed sources in order until one decides. What the log itself can answer goes out in one round; a
 * fact is read once it is settled.
 */
export function walkSlot(run: RunInput, rules: Rules, slot: ValueSlot, board: Board, facts: FactTable): Walk {
  const said: Said[] = [];
  let candidate: Place | null = null;
  for (const source of slot.sources) {
    if (source !== 'measured_data') board.alsoAsk(plainRequest(slot.id, source));
  }
  for (const source of slot.sources) {
    for (const say of [firstSaid, namedSaid]) {
      const sign = say(run, rules, slot, source, board, facts);
      if (sign === 'open') return { slot, said, decision: null, candidate };
      if (sign === null) continue;
      said.push(sign);
      if (sign.source === 'prior_state' && sign.sign === 'V' && sign.place !== undefined)
        candidate = sign.place;
      const decision = judge(sign, run.ruleset);
      if (decision !== null) return { slot, said, decision, candidate };
    }
  }
  return { slot, said, decision: 'end', candidate };
}

function firstSaid(
  run: RunInput,
  rules: Rules,
  slot: ValueSlot,
  source: Source,
  board: Board,
  facts: FactTable,
): Said | 'open' {
  if (source === 'measured_data') return readMeasured(run, rules, slot, facts) ?? 'open';
  const lookup = board.ask(plainRequest(slot.id, source));
  return lookup === undefined ? 'open' : readLookup(run, rules, slot, lookup);
}

/** Words that name a recorded value can be read only once the record is measured; null where nothing names one. */
function namedSaid(
  run: RunInput,
  rules: Rules,
  slot: ValueSlot,
  source: Source,
  board: Board,
  facts: FactTable,
): Said | 'open' | null {
  if (source !== 'instruction' && source !== 'pre_set_data') return null;
  const key = namingKey(slot, facts);
  if (key === 'open') return 'open';
  if (Object.keys(key).length === 0) return null;
  const named = board.ask({ subject: { slot: slot.id }, source, key });
  return named === undefined ? 'open' : readLookup(run, rules, slot, named);
}

function namingKey(slot: ValueSlot, facts: FactTable): Record<string, Place> | 'open' {
  const key: Record<string, Place> = {};
  for (const fact of namingFacts(slot.rule)) {
    for (const instance of facts.instancesFor(fact, slot.id)) {
      const state = facts.state(instance.id);
      if (state.state === 'open') return 'open';
      const record = state.state === 'measured' ? state.records[0] : undefined;
      if (record !== undefined) key[`${fact}#`] = record;
    }
  }
  return key;
}

/**
 * Everything that was said of where a slot's words stand, whatever source settled it (RULES R7c). Asked for as a need, so
 * that a verdict never hangs on which answers happened to be at hand. What is still to be answered is left out.
 */
export function wordLookups(slot: ValueSlot, board: Board, facts: FactTable): Lookup[] {
  const key = namingKey(slot, facts);
  const keys = key === 'open' || Object.keys(key).length === 0 ? [{}] : [{}, key];
  return (['instruction', 'pre_set_data'] as const)
    .filter((source) => slot.sources.includes(source))
    .flatMap((source) =>
      keys.map((each) =>
        board.ask(
          Object.keys(each).length === 0
            ? plainRequest(slot.id, source)
            : { subject: { slot: slot.id }, source, key: each },
        ),
      ),
    )
    .filter((lookup) => lookup !== undefined);
}

/** The state that a finished walk comes to. */
export function stateOf(
  walk: Walk,
  routeOf: (waits: readonly string[]) => Route | null,
  pendingAllowed: boolean,
): SlotState {
  const { slot, said } = walk;
  const rejected: Rejection[] = said.flatMap((item) =>
    item.sign === 'R' && item.reason !== undefined
      ? [{ place: item.place ?? null, reason: item.reason, source: item.source }]
      : [],
  );
  const decision =
    walk.decision === 'end' || walk.decision === null
      ? settleEnd(said, slot.sources, strongestReason, routeOf)
      : walk.decision;
  const party = slot.declared_by;
  if (decision.state === 'known') {
    const from = decision.said;
    return knownState(
      slot.id,
      party,
      decision.rule,
      decision.reason,
      {
        source: from.source,
        origin: from.origin ?? from.source,
        place: from.place ?? null,
        by: from.by,
        also: from.also ?? 1,
      },
      rejected,
    );
  }
  if (decision.state === 'null') {
    return nullState(
      slot.id,
      party,
      decision.rule,
      decision.reason,
      decision.said.source,
      decision.said.place as Place,
      rejected,
    );
  }
  const ended = ['S19', 'S20', 'S21', 'S22', 'S23'].includes(decision.rule);
  const pending = pendingAllowed && ended && slot.rule?.pending_at_trigger === true;
  return unknownState(
    slot.id,
    party,
    decision.rule,
    decision.reason,
    decision.route,
    { waits: decision.waits, pending, candidate: walk.candidate },
    rejected,
  );
}
