import { z } from 'zod';
import { JsonContent, TextContent } from './content-schema.ts';
import { Instant, Uuid } from './identity.ts';
import { Responder, Said } from './responder.ts';
import { Origin } from './run.ts';
import { Digest } from './verdict.ts';
import { TIMINGS } from './vocabulary.ts';

const Later = z.enum(TIMINGS).exclude(['immediate']);
/** A call's result is a segment of its conversation. */
const Result = z.strictObject({ conversation: Uuid, segment: z.number().int().nonnegative() }).nullable();
/** A code, never a message text. */
const Code = z.string().regex(/^[a-z][a-z0-9_/-]*$/, 'a code such as tool/timeout');

/**
 * The executor's own signature over its record (Ed25519, base64): `key` is the id of its public key. Left out where the
 * executor has no key. What is signed: src/executor/signed-record.ts.
 */
const Signature = z.strictObject({ key: z.string(), signature: z.string() }).exactOptional();

/** A schedulable verdict waits for its trigger. */
export const CallDeferred = z.strictObject({
  run: Uuid,
  timing: Later,
  /** Where the user said for when, or for what. */
  until: Said.nullable(),
});

/** Starts a run at the trigger; one run and one verdict a trigger (R12). */
export const TriggerFired = z.strictObject({
  deferred: Uuid,
  timing: Later,
  /** What fired: the clock, an event, or a measured threshold. */
  by: z.enum(['clock', 'event', 'threshold']),
  /** What it said of itself. */
  detail: JsonContent.nullable(),
  /** How many segments the conversation had then: earlier measurements are not carried. */
  segments: z.number().int().nonnegative(),
});

/** Why an executor does not make a call whose verdict it was given to (R16). */
export const EXECUTION_REFUSALS = [
  'no_verdict',
  'not_executable',
  'not_at_trigger',
  'not_newest',
  'consumed',
  'repeated',
  'too_old',
  'tool_redeclared',
  'checklist_redeclared',
  'typed_since',
  'measured_since',
  'answered_since',
  'revoked_since',
  'setting_changed',
  'arguments_sealed',
  'executor_declined',
  'request_abandoned',
] as const;

/** Made with the verdict as the log holds it. Stands in one commit with the start that it allows. */
export const ExecutionDecided = z.strictObject({
  run: Uuid,
  /** The `VerdictRecorded` it decided on; null where there was none. */
  verdict: Uuid.nullable(),
  decision: z.enum(['execute', 'refuse']),
  refused: z.array(z.enum(EXECUTION_REFUSALS)),
  /** The executor: a name and version, or an opaque id. */
  executor: z.string(),
});

/** Durable before the call is made. The arguments are the verdict's and nothing else, so they are not repeated. */
export const CallStarted = z.strictObject({
  run: Uuid,
  decision: Uuid,
  verdict: Uuid,
  /** What the tool was given to recognise a repeated call by. */
  idempotency_key: z.string().nullable(),
});

export const CallSucceeded = z.strictObject({ start: Uuid, result: Result, signed: Signature });

/** The tool said that it failed, or it was never reached. */
export const CallFailed = z.strictObject({ start: Uuid, code: Code, result: Result, signed: Signature });

/** A start without an end: nobody knows until someone measures. */
export const CallOutcomeUnknown = z.strictObject({ start: Uuid, code: Code });

/** Someone measured what became of it, and where that stands. */
export const CallReconciled = z.strictObject({
  start: Uuid,
  outcome: z.enum(['succeeded', 'failed']),
  by: z.enum(['measured', 'reported']),
  result: Result,
  responder: Responder.nullable(),
  signed: Signature,
});

/** Of an audit: the call ran outside the gate. */
export const CallObserved = z.strictObject({
  tool: z.string(),
  /** The segment that holds its result; null where there is none. */
  result: z.number().int().nonnegative().nullable(),
  outcome: z.enum(['succeeded', 'failed', 'unknown']),
  gated: z.boolean(),
  /** As observed; null where they are the run's proposal. */
  arguments: JsonContent.nullable(),
  origin: Origin.nullable(),
});

export const IncidentReported = z.strictObject({
  /** The run it is about; null: the call as a whole. */
  run: Uuid.nullable(),
  /** What was wrong, where that is known. */
  slots: z.array(z.string()),
  text: TextContent,
  by: Responder.nullable(),
  happened_at: Instant.nullable(),
});

/** Before the key goes: what is being erased, and the proof that all was whole until then. */
export const ValueErased = z.strictObject({
  /** The events that hold it, with the pointer of each sealed place. */
  places: z.array(z.strictObject({ event: Uuid, pointer: z.string() })).min(1),
  /** The id of the key that is destroyed. */
  key: z.string(),
  /** The signed checkpoint before it. */
  checkpoint: z.string().nullable(),
  /** The digest of the full replay before it. */
  replay: Digest.nullable(),
  because: z.enum(['user_request', 'retention', 'legal', 'mistake']),
});
