import type { Content } from '../events/content.ts';
import type { Json } from '../events/json.ts';
import type { Verdict } from '../events/verdict.ts';
import type { Source } from '../events/vocabulary.ts';

/** The run whose record is the baseline of an action key, and where it stands. */
export interface BaselineRun {
  readonly action_key: string;
  readonly call_id: string;
  readonly run_id: string;
  readonly stream: string;
  /** Position of its `RunStarted`. */
  readonly position: number;
  /** Versions of its events in `stream`, half-open. */
  readonly run: { readonly from: number; readonly to: number };
}

/** One value to inherit, shaped as a baseline entry of a run. `slot` is the slot's own id: the gate asks by it. */
export interface BaselineSlot {
  readonly slot: string;
  readonly value: Content<Json>;
  readonly origin: Source | null;
}

export interface Baseline extends BaselineRun {
  readonly slots: readonly BaselineSlot[];
}

export interface BaselineOptions {
  /** Also calls that an audit saw running outside the gate. Default false: nobody held them to a verdict. */
  readonly observed?: boolean;
}

/** What the fold can't know by itself: the run's verdict, and the value that a known slot's place read as. */
export interface ResolvedRun {
  readonly verdict: Verdict;
  valueOf(slot: string): Content<Json> | undefined;
}

/**
 * The known values of a baseline's run. The origin is the one that the verdict recorded, so a value that was itself
 * inherited keeps its first source through any number of inheritances. A slot whose value can't be had is left out.
 *
 * @param resolve null where the log no longer gives the run
 */
export function baselineOf(
  run: BaselineRun,
  resolve: (run: BaselineRun) => ResolvedRun | null,
): Baseline | null {
  const resolved = resolve(run);
  if (resolved === null) return null;
  const slots: BaselineSlot[] = [];
  for (const state of resolved.verdict.slots ?? []) {
    if (state.state !== 'known' || !state.slot.startsWith('/')) continue;
    const value = resolved.valueOf(state.slot);
    // "Inherited" is no first source: such a value has none, and the gate ignores it.
    const origin = state.origin === 'prior_state' ? null : state.origin;
    if (value !== undefined) slots.push({ slot: state.slot, value, origin });
  }
  return { ...run, slots };
}
