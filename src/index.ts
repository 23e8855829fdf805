/**
 * The public API. The gate is a pure step function; an audit, a live gate and a replayer drive it, and the log keeps what
 * they did.
 *
 * @example
 * import { importerOf, loadChecklistFile, openSqliteLogSync, readTranscripts } from 'grounds';
 *
 * @module
 */

export { type ImportedCall, type Importer, importerOf } from './audit/import.ts';
export type { AuditedCall } from './audit/runs.ts';
export { loadChecklistFile, parseChecklist } from './checklist-files.ts';
export {
  type BesideRun,
  importRecords,
  type ReadRecord,
  readRecords,
  recordsFrom,
  renderRecord,
  SkeletonRecord,
} from './compat/index.ts';
export type { Checklist } from './declarations/checklist.ts';
export type { LoadedChecklist } from './declarations/load.ts';
export { loadToolsFile, parseTools, type ToolDefinitions } from './declarations/tools.ts';
export { type ExitCode, GroundsError, isGroundsError } from './errors.ts';
export type { AnyEvent, DataOf, EventType, Made } from './events/index.ts';
export { makeEvent, parseEvent, publishedSchemas } from './events/index.ts';
export type { Json, JsonObject } from './events/json.ts';
export type { Lookup, LookupRequest } from './events/lookup.ts';
export type { Place } from './events/place.ts';
export { randomId } from './events/random-id.ts';
export type { Segment } from './events/segment.ts';
export type { Verdict } from './events/verdict.ts';
export {
  type Answer,
  type Asked,
  type CallContext,
  createExecutor,
  type Execution,
  type Executor,
  type ExecutorOptions,
  type MeasureOutcome,
  NotReached,
  type Refusal,
  reconcile,
  reconcileBy,
  type SignedCheck,
  type ToolCall,
  type UnfinishedStart,
  unfinishedStarts,
  verifySigned,
} from './executor/index.ts';
export {
  argumentsOf,
  type Driven,
  drive,
  type Entry,
  isGated,
  locate,
  type RunInput,
  type Step,
  type StepFunction,
  step,
} from './gate/index.ts';
export { GATE_DIGEST } from './gate-digest.ts';
export {
  type KeyStore,
  keyStore,
  keysFolder,
  type PublicKey,
  publicKeyOf,
  type Signer,
  signerOf,
} from './keys/index.ts';
export {
  type Appended,
  type Commit,
  type Expected,
  type Log,
  type NewEvent,
  type OpenOptions,
  openMemoryLog,
  openSqliteLog,
  openSqliteLogSync,
  type Query,
  type Recorded,
  type SqliteLog,
  type SyncLog,
} from './log/index.ts';
export { type Askable, ask } from './preflight/ask.ts';
export type { By } from './preflight/by.ts';
export { byRules } from './preflight/by-rules.ts';
export type { HookFailure, HookFault, OnHookError } from './preflight/call-hook.ts';
export { createPreflight, type Preflight, type PreflightOptions } from './preflight/create.ts';
export { type Deferred, defer, type Trigger, trigger } from './preflight/deferral.ts';
export { type DeferredCall, deferredCalls } from './preflight/deferred-calls.ts';
export type { FiredTrigger, GivenSegment, GivenTool, ProposedCall } from './preflight/given.ts';
export type {
  ActContext,
  FieldContext,
  HookContext,
  HookName,
  HookSpan,
  Hooks,
  InstructionSegment,
  ItemContext,
  MeasureContext,
  MeasureHook,
  PayloadContext,
  ValueContext,
} from './preflight/hooks.ts';
export type { Judged } from './preflight/judge.ts';
export type { RecordStorage } from './preflight/prior-records.ts';
export { type Keepable, settingsToPropose } from './preflight/propose-settings.ts';
export { questionsFor } from './preflight/questions.ts';
export {
  answer,
  approve,
  decline,
  type Replied,
  revoke,
  type SlotAnswer,
} from './preflight/reply.ts';
export {
  type Keeping,
  keep,
  revokeSetting,
  type Setting,
  settingsOfUser,
  type Used,
} from './preflight/settings.ts';
export type {
  McpTool,
  SkeletonInput,
  SkeletonState,
  Standing,
  TrustedSegment,
} from './preflight/skeleton-input.ts';
export type { RangeGiven } from './preflight/standing-range.ts';
export type { AskedQuestion } from './preflight/waiting.ts';
export type { CallRow, GapRow } from './projections/call-row.ts';
export type { Declared } from './runs/declared.ts';
export { environment } from './runs/environment.ts';
export type { Recording as ImportOptions } from './runs/recording.ts';
export { type Draft, renderDraft, suggest } from './suggest/index.ts';
export {
  type Conversation,
  type ConversationCall,
  FORMATS,
  type ReadOptions,
  readTranscripts,
} from './transcripts/index.ts';
