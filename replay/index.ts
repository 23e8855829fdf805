export { type Difference, firstDifference } from './difference.ts';
export { currentGate, type Gate, type Gates, gatesNeeded, gatesOf } from './gates.ts';
export { pathOf, type RecordedRun } from './recorded.ts';
export {
  CODES,
  exitOf,
  FINDINGS,
  type Finding,
  type ReplayCode,
  type ReplaySummary,
  type RunReplay,
  UNANCHORED_FIELDS,
  type Unanchored,
} from './report.ts';
export { type InputsAt, type Resolved, type Resolver, resolverOf } from './resolve.ts';
export { type ReplayAround, replayRun } from './run.ts';
export { type ReplayOptions, replayLog } from './verify.ts';
