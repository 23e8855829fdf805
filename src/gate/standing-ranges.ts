import { attributeOf } from '../declarations/labels.ts';
import type { Json } from '../events/json.ts';
import type { EntryPlace, Place } from '../events/place.ts';
import type { SlotState } from '../events/verdict.ts';
import type { ReasonId } from '../events/vocabulary.ts';
import { type Compiled, compile, evaluate, type Needs, needsOf } from './cel/index.ts';
import { reaches } from './conditions.ts';
import { isReplaced } from './entries.ts';
import { inEntry } from './places.ts';
import type { AskedLabel } from './rules-for.ts';
import { knownState, strongestRoute, unknownState } from './states.ts';
import type { Entry, RunInput } from './types.ts';

/** What a setting says ahead of time to a [Verify], and where it says so. */
export interface StandingRange {
  readonly place: EntryPlace;
  readonly within: string;
}

/** Whether a standing range may satisfy it: a [Verify] that is not for each time. */
export function takesRange(label: AskedLabel): boolean {
  return label.kind === 'verify' && attributeOf(label, 'each_time') === undefined;
}

/** Whether an expression can be one: it compiles, and reads `args` and `now` alone. */
export function isRange(within: string): boolean {
  return compiledRange(within) !== null;
}

function compiledRange(within: string): { readonly compiled: Compiled; readonly needs: Needs } | null {
  const compiled = compile(within, {});
  if ('fault' in compiled) return null;
  const needs = needsOf(compiled);
  return needs.names.every((name) => name === 'now') ? { compiled, needs } : null;
}

/**
 * The standing ranges that speak to a label, oldest first: kept in the log, for this very tool, not replaced since, of a
 * [Verify] that is not for each time. A no to the label in this call is the more specific word, and silences all. RULES R9.
 */
export function rangesFor(run: RunInput, label: AskedLabel): StandingRange[] {
  if (!takesRange(label)) return [];
  if (run.entries.some((entry) => isNoTo(run, entry, label.id))) return [];
  return run.entries.flatMap((entry, index) => {
    // What only a caller says that a user settled may fill a value that is shown; it is no consent.
    if (entry.kind !== 'setting' || entry.satisfies === undefined || entry.attested_by !== 'log') return [];
    if (isReplaced(run, index)) return [];
    return entry.satisfies.flatMap(({ tool, slot, within }, item) =>
      tool === run.tool_digest && slot === label.id
        ? [{ place: inEntry(index, `/satisfies/${item}/within`), within }]
        : [],
    );
  });
}

/** Those of a label's ranges that a claim points at. */
export function rangesAt(ranges: readonly StandingRange[], places: readonly Place[]): StandingRange[] {
  return ranges.filter(({ place }) =>
    places.some((at) => at.in === 'entry' && at.entry === place.entry && at.pointer === place.pointer),
  );
}

/** Whether an entry is a no to a label of this very tool. */
export function isNoTo(run: RunInput, entry: Entry, label: string): boolean {
  return (
    entry.kind === 'approval' &&
    entry.declined &&
    entry.tool === run.tool_digest &&
    entry.shown.some(({ slot }) => slot === label)
  );
}

/** What a range is judged by. */
export interface Sent {
  readonly run: RunInput;
  readonly zone: string;
  /** The arguments as they would be sent. */
  readonly args: Json;
  /** What was received could not be read exactly: nothing is known of what would be sent. */
  readonly unreadable: boolean;
  /** Settled value slots by id. */
  readonly slots: ReadonlyMap<string, SlotState>;
}

/**
 * A label that nobody was asked for, as its standing ranges leave it: known within one of them, else as it was. A range that
 * can't be run is a defect of the user's own words (R11), and one whose values are open waits for them (S19). RULES R9.
 */
export function settledByRange(open: SlotState, ranges: readonly StandingRange[], sent: Sent): SlotState {
  let fault: ReasonId | null = null;
  const waits = new Set<string>();
  for (const range of [...ranges].reverse()) {
    const judged = judgeRange(range, sent);
    if (judged.is === 'within')
      return knownState(open.slot, open.declared_by, 'S11', 'setting', {
        source: 'pre_set_data',
        place: range.place,
      });
    if (judged.is === 'fault') fault ??= judged.reason;
    if (judged.is === 'waits') for (const slot of judged.on) waits.add(slot);
  }
  if (fault !== null) return unknownState(open.slot, 'user', 'R11', fault, 'definition_repair');
  if (waits.size === 0) return open;
  const routes = [...waits].map((slot) => {
    const state = sent.slots.get(slot);
    return state?.state === 'unknown' ? state.route : 'definition_repair';
  });
  const route = strongestRoute(routes) ?? 'definition_repair';
  return unknownState(open.slot, open.declared_by, 'S19', 'waits_for', route, { waits: [...waits] });
}

type RangeResult =
  | { readonly is: 'within' | 'outside' }
  | { readonly is: 'waits'; readonly on: readonly string[] }
  | { readonly is: 'fault'; readonly reason: ReasonId };

const OUTSIDE: RangeResult = { is: 'outside' };

function judgeRange({ within }: StandingRange, sent: Sent): RangeResult {
  const { run, args } = sent;
  const range = compiledRange(within);
  if (range === null) return { is: 'fault', reason: 'expression_invalid' };
  const { compiled, needs } = range;
  if (sent.unreadable) return { is: 'waits', on: ['/'] };
  const usesNow = needs.names.includes('now');
  // What is not there before the trigger keeps nothing open until then: the user can still be asked at the instruction.
  if (usesNow && (run.now === null || run.phase === 'at_instruction')) return OUTSIDE;
  const read = [...sent.slots.values()].filter(({ slot }) =>
    needs.args.some((pattern) => reaches(pattern, slot)),
  );
  const open = read.filter((state) => state.state === 'unknown');
  if (open.some(({ pending }) => pending)) return OUTSIDE;
  if (open.length > 0) return { is: 'waits', on: open.map(({ slot }) => slot) };
  const result = evaluate(compiled, usesNow ? { args, now: run.now } : { args }, { zone: sent.zone });
  if ('value' in result && typeof result.value === 'boolean')
    return { is: result.value ? 'within' : 'outside' };
  // It does not take that what it reads is known to be nothing. RULES R6.
  const nothing = 'value' in result ? result.value === null : read.some(({ state }) => state === 'null');
  return nothing ? OUTSIDE : { is: 'fault', reason: 'expression_failed' };
}
