import type { BaselineOptions, BaselineRun } from '../../src/projections/baselines.ts';
import { type CallState, type Folded, foldCall } from '../../src/projections/calls.ts';

export interface BaselinesState {
  readonly calls: ReadonlyMap<string, CallState>;
  readonly baselines: ReadonlyMap<string, BaselineRun>;
}

export const NO_BASELINES: BaselinesState = { calls: new Map(), baselines: new Map() };

/**
 * The reference for the tables of baselines: the last run of each action key that was executable and whose call succeeded,
 * or was reconciled so (R17). Last is by where the run stands in the log, not by when its outcome came to be known. Takes
 * events of call streams in log order.
 */
export function foldBaselines(
  state: BaselinesState,
  recorded: Folded,
  options: BaselineOptions = {},
): BaselinesState {
  const { stream } = recorded.event;
  const after = foldCall(state.calls.get(stream) ?? null, recorded);
  const calls = new Map(state.calls).set(stream, after);
  const made = after.memory.succeeded;
  if (made === null || (made.observed && options.observed !== true)) return { ...state, calls };
  const key = made.run.action_key;
  const newest = laterOf(state.baselines.get(key), made.run);
  return { calls, baselines: new Map(state.baselines).set(key, newest) };
}

function laterOf(a: BaselineRun | undefined, b: BaselineRun): BaselineRun {
  return a !== undefined && a.position > b.position ? a : b;
}
