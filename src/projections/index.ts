export {
  type Baseline,
  type BaselineOptions,
  type BaselineRun,
  type BaselineSlot,
  baselineOf,
  type ResolvedRun,
} from './baselines.ts';
export type { CallsQuery } from './call-list.ts';
export type { CallPlace, CallRow, GapRow } from './call-row.ts';
export { type CallState, type Folded, foldCall } from './calls.ts';
export type { Progress } from './catch-up.ts';
export type { Candidate, Found } from './find.ts';
export type { GapCount, GapSummary, GapsQuery } from './gap-list.ts';
export { type Blank, blanksOf, type GapsOfCall, gapsOf, ownerOf, patternOf, type UnmetRow } from './gaps.ts';
export { type CatchUpOptions, type Projections, projectionsOf } from './store.ts';
export { type CallsSummary, type ExecutionRate, executionRate, type ToolCounts } from './summary.ts';
export { isExecutable } from './verdict-facts.ts';
