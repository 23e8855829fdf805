import type { LookupRequest } from '../events/lookup.ts';
import type { Place } from '../events/place.ts';
import type { ReasonId } from '../events/vocabulary.ts';
import type { Board } from './board.ts';
import { claimedRecords } from './claimed-records.ts';
import { fieldsOf, keyGroups } from './facts.ts';
import { slotAtIndex } from './keys.ts';
import type { FactRule, Rules } from './rules-for.ts';
import type { RunInput } from './types.ts';

export type FactState =
  | { readonly state: 'open' }
  | { readonly state: 'measured'; readonly records: readonly Place[]; readonly keyed_by: readonly string[] }
  | { readonly state: 'absent' | 'unfinished' }
  | { readonly state: 'failed' }
  /** What was claimed is no such measurement. */
  | { readonly state: 'refused'; readonly reason: ReasonId; readonly place: Place }
  | { readonly state: 'waits'; readonly on: readonly string[] };

/** One instance: the fact itself, or one element of the array that it is declared for. */
export interface FactInstance {
  readonly id: string;
  readonly rule: FactRule;
  readonly index: number | null;
  /** The element's own pointer; null without one. */
  readonly element: string | null;
}

export type SlotKey =
  | { readonly state: 'open' }
  | { readonly state: 'known'; readonly place: Place | null }
  | { readonly state: 'unsettled' }
  | { readonly state: 'none' };

export interface FactNeighbours {
  slot(id: string): SlotKey;
  fact(id: string): FactState;
  /** The instance that a reference to a fact means from here. */
  instance(fact: string, index: number | null): string;
  rule(fact: string): FactRule | undefined;
}

/**
 * Asks for one fact as soon as what it is keyed by is settled. Alternatives are tried in order; one whose key may still be
 * settled is waited for, unless `from` (set at a standstill) says to begin further down. RULES R8b.
 */
export function settleFact(
  run: RunInput,
  rules: Rules,
  board: Board,
  instance: FactInstance,
  neighbours: FactNeighbours,
  from: number,
): { readonly state: FactState; readonly ready: number | null } {
  const groups = keyGroups(instance.rule);
  const waits = new Set<string>();
  let asked = false;
  let blocked = false;
  let ready: number | null = null;
  for (let position = 0; position < groups.length; position++) {
    const group = groups[position] as (typeof groups)[number];
    const key = keyFor(run, instance, group.refs, neighbours, waits);
    if (key === 'waits') {
      if (position >= from) blocked = true;
      continue;
    }
    if (key === 'dead') continue;
    if (blocked) {
      if (ready === null) ready = position;
      continue;
    }
    const request: LookupRequest = {
      subject: { fact: instance.rule.id, index: instance.index },
      source: 'measured_data',
      key,
    };
    const lookup = board.ask(request);
    if (lookup === undefined) return { state: { state: 'open' }, ready: null };
    asked = true;
    const outcome = lookup.outcome;
    if (outcome.said === 'claim') {
      return { state: claimedRecords(run, rules, instance.rule, request, outcome.claims), ready: null };
    }
    if (outcome.said === 'failed') return { state: { state: 'failed' }, ready: null };
    if (outcome.said === 'unfinished') return { state: { state: 'unfinished' }, ready: null };
  }
  if (blocked) return { state: { state: 'open' }, ready };
  if (asked) return { state: { state: 'absent' }, ready: null };
  return { state: { state: 'waits', on: [...waits] }, ready: null };
}

function keyFor(
  run: RunInput,
  instance: FactInstance,
  refs: readonly string[],
  neighbours: FactNeighbours,
  waits: Set<string>,
): Record<string, Place | null> | 'waits' | 'dead' {
  const key: Record<string, Place | null> = {};
  let open = false;
  let dead = false;
  for (const ref of refs) {
    if (ref === 'typed') {
      key[ref] = null;
      continue;
    }
    if (ref.startsWith('/')) {
      const slot = instance.index === null ? ref : slotAtIndex(ref, instance.index);
      const state = neighbours.slot(slot);
      if (state.state === 'known' && state.place !== null) key[ref] = state.place;
      else if (state.state === 'open') {
        waits.add(slot);
        open = true;
      } else {
        if (state.state === 'unsettled') waits.add(slot);
        dead = true;
      }
      continue;
    }
    const hash = ref.indexOf('#');
    const other = neighbours.instance(ref.slice(0, hash), instance.index);
    const state = neighbours.fact(other);
    if (state.state === 'open') {
      waits.add(other);
      open = true;
      continue;
    }
    const place = state.state === 'measured' ? fieldPlace(run, neighbours, ref, state.records) : undefined;
    if (place === undefined) {
      waits.add(other);
      dead = true;
    } else key[ref] = place;
  }
  return dead ? 'dead' : open ? 'waits' : key;
}

function fieldPlace(
  run: RunInput,
  neighbours: FactNeighbours,
  ref: string,
  records: readonly Place[],
): Place | undefined {
  const hash = ref.indexOf('#');
  const rule = neighbours.rule(ref.slice(0, hash));
  const record = records[0];
  if (rule === undefined || record === undefined) return undefined;
  return fieldsOf(run, rule, record, ref.slice(hash + 1))[0]?.place;
}
