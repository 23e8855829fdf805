export type { Answer, CallContext, ToolCall } from './call-tool.ts';
export type { Closed, Recorder } from './close-start.ts';
export {
  type Decision,
  decide,
  type EarlierStart,
  type Facts,
  REFUSAL_RULES,
  type Refusal,
  type RefusalRule,
  saysOf,
} from './decide.ts';
export {
  type Accepting,
  type Asked,
  createExecutor,
  type Execution,
  type Executor,
  type ExecutorOptions,
} from './execute.ts';
export { NotReached } from './not-reached.ts';
export {
  type Measurement,
  type MeasureOutcome,
  reconcile,
  reconcileBy,
  type Settlement,
} from './reconcile.ts';
export { wouldRepeat } from './repeats.ts';
export { recordBytes, type SignedCheck, verifySigned } from './signed-record.ts';
export { type UnfinishedStart, unfinishedStarts } from './unfinished.ts';
