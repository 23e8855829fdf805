import { AnswerReceived, ApprovalGranted, ApprovalRevoked, QuestionAsked } from './asking.ts';
import {
  CallDeferred,
  CallFailed,
  CallObserved,
  CallOutcomeUnknown,
  CallReconciled,
  CallStarted,
  CallSucceeded,
  ExecutionDecided,
  IncidentReported,
  TriggerFired,
  ValueErased,
} from './execution.ts';
import { RecordImported } from './imported.ts';
import { LookupPerformed, RunStarted, VerdictRecorded } from './run.ts';

/**
 * `call/<c>`: only the newest verdict can be executed, once; answers go to open questions only, and an outcome that is
 * closed stays closed. A run's own events stand together: `RunStarted`, its lookups, its verdict. What another gate recorded
 * has a call of its own.
 */
export const CALL_EVENTS = {
  RunStarted,
  LookupPerformed,
  VerdictRecorded,
  QuestionAsked,
  AnswerReceived,
  ApprovalGranted,
  ApprovalRevoked,
  CallDeferred,
  TriggerFired,
  ExecutionDecided,
  CallStarted,
  CallSucceeded,
  CallFailed,
  CallOutcomeUnknown,
  CallReconciled,
  CallObserved,
  IncidentReported,
  ValueErased,
  RecordImported,
};
