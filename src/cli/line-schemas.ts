import { z } from 'zod';
import { CODES, FINDINGS, type ReplaySummary, type RunReplay } from '../../replay/report.ts';
import { EXECUTION_REFUSALS } from '../events/execution.ts';
import { StoredEnvelope } from '../events/index.ts';
import { Digest, Party, Verdict } from '../events/verdict.ts';
import {
  CALL_OUTCOMES,
  GAP_KINDS,
  GAP_OWNERS,
  REASONS,
  ROUTES,
  SOURCES,
  TIMINGS,
} from '../events/vocabulary.ts';
import type { SignedCheck, UnfinishedStart } from '../executor/index.ts';
import type { ListedKey } from '../keys/index.ts';
import type { DeferredCall } from '../preflight/deferred-calls.ts';
import type { Attribution } from '../projections/attribution.ts';
import type { GapRow } from '../projections/call-row.ts';
import type { GapSummary } from '../projections/gap-list.ts';
import type { ExecutionRate, QuestionRate } from '../projections/summary.ts';
import type { AuditSummary } from './audit-tally.ts';
import type { ExecutionLine } from './commands/execute.ts';
import { CallRowShape } from './row-schema.ts';
import type { WouldAsk } from './would-ask.ts';

const count = z.number().int().nonnegative();
const Reason = z.enum(REASONS);
const gap = { tool: z.string(), slot: z.string(), kind: z.enum(GAP_KINDS), owner: z.enum(GAP_OWNERS) };
const counts = { gaps: count, calls: count };
const rate = z.strictObject({
  stopped: count,
  executed: count,
  rate: z.number().nullable(),
}) satisfies z.ZodType<ExecutionRate>;
const execution = rate.describe(
  'Calls that a live verdict stopped, and how many of them were executed later on good grounds',
);

const asked = z
  .strictObject({ asked: count, started: count, per_started_call: z.number().nullable() })
  .describe(
    'Questions that were really asked, and how many that is for each call that was started',
  ) satisfies z.ZodType<QuestionRate>;

const LogLine = z.strictObject({
  position: count,
  version: count.describe('Place in its stream, from 0'),
  leaf: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('As stored: SHA-256 over a zero byte and the canonical bytes (RFC 8785) of the event'),
  event: StoredEnvelope.nullable().describe(
    'null: its bytes were changed to what is no JSON. See event-envelope, and event-… for its data',
  ),
});

const Gap = z.strictObject({
  call_id: z.string(),
  ...gap,
  reason: Reason,
  route: z.enum(ROUTES).nullable(),
  declared_by: Party,
}) satisfies z.ZodType<GapRow>;

const Gaps = z.strictObject({
  n: count.describe('Judged calls that could have had such a gap'),
  ...counts,
  by_slot: z.array(z.strictObject({ ...gap, ...counts, n: count })).describe('The most frequent first'),
  by_owner: z.array(z.strictObject({ owner: gap.owner, ...counts })),
  by_kind: z.array(z.strictObject({ kind: gap.kind, ...counts })),
  by_day: z
    .array(z.strictObject({ day: z.string(), n: count, ...counts }))
    .describe('By the UTC day of the run'),
  execution,
  questions: asked,
  unmet: z
    .array(
      z.strictObject({
        tool: z.string(),
        slot: z.string(),
        reason: Reason,
        declared_by: Party,
        count,
        calls: count,
      }),
    )
    .describe('Checked and not met: nothing is missing there, so it is no gap'),
  incidents: z
    .strictObject({
      incidents: count,
      calls: count,
      by_slot: z
        .array(
          z.strictObject({
            ...gap,
            kind: gap.kind.nullable(),
            slot: z.string().describe('Empty where nobody said what was wrong'),
            origin: z.enum(SOURCES).nullable().describe('Where the value first came from'),
            incidents: count,
            calls: count,
          }),
        )
        .describe('The most frequent first'),
    })
    .describe('What people said was wrong of calls that ran: by what was wrong, and whose work that is'),
}) satisfies z.ZodType<GapSummary>;

const Finding = z.strictObject({
  run_id: z.string().nullable().describe('null: a row that stands in no run'),
  call_id: z.string().nullable(),
  position: count.describe('Of the run’s RunStarted; of the row itself where that is at fault'),
  finding: z.enum(FINDINGS),
  code: z.enum(CODES).nullable().describe('What exactly, where the finding alone does not say it'),
  at: count.nullable().describe('Position of the event at fault'),
  path: z
    .string()
    .nullable()
    .describe('Where it differs: a JSON Pointer, or of a lookup its subject and source'),
  recorded: z.unknown(),
  recomputed: z.unknown(),
  basis: z.enum(['recomputed', 'tag', 'recorded']),
  environment: z
    .record(z.string(), z.strictObject({ recorded: z.string(), present: z.string() }))
    .describe('What it was recorded on, where that is not what it is replayed on'),
  reproduce: z.string().describe('A command that shows it again'),
}) satisfies z.ZodType<RunReplay>;

const Replay = z.strictObject({
  replayed: count.describe('Runs whose gate was run again. None is not success'),
  matched: count,
  diverged: count,
  missing_input: count,
  tampered: count.describe('Findings of runs and of single rows'),
  gate_not_shipped: count,
  log_digest: Digest.describe('Over the leaf hashes of the whole log, in order'),
  unanchored: z
    .strictObject({ events: count, kinds: z.record(z.string(), count), fields: z.array(z.string()) })
    .describe('Events and fields on which no recomputation rests'),
}) satisfies z.ZodType<ReplaySummary>;

const Audit = z.strictObject({
  calls: count,
  conversations: count,
  added: count.describe('Runs that the log did not hold'),
  executable: count,
  ran_without_grounds: count,
  not_gated: count,
  by_tool: z.record(
    z.string(),
    z.strictObject({ calls: count, executable: count, ran_without_grounds: count }),
  ),
  by_verdict: z.record(z.string(), count).describe('By kind, and not_gated'),
  gaps: z.array(z.strictObject({ ...gap, reason: Reason, count })).describe('The most frequent first'),
  reductions: z.record(z.string(), count).describe('In how many verdicts each was in force'),
  questions: z
    .strictObject({ asked_if_live: count, per_executed_call: z.number().nullable(), live: asked })
    .describe('What a live gate would have asked'),
  execution,
  hangs_on: z
    .array(z.strictObject({ tool: z.string(), slot: z.string(), reason: Reason, calls: count }))
    .describe('Calls that hang on one blank alone'),
  checklists: z.array(Digest),
  log: z.string(),
  faults: z.array(z.strictObject({ code: z.string(), message: z.string() })),
  notes: z.array(z.string()).describe('What the format of the transcripts could not tell'),
}) satisfies z.ZodType<AuditSummary>;

const Execution = z.strictObject({
  decision: z.enum(['execute', 'refuse']),
  call_id: z.string(),
  run_id: z.string(),
  tool: z.string(),
  verdict: z.string().nullable().describe('The event that was decided on'),
  decided: z.string().describe('The event of the decision'),
  refused: z.array(z.enum(EXECUTION_REFUSALS)).describe('Every reason; empty where it was executed'),
  recorded: z.boolean().describe('false: this very refusal stood in the log already'),
  start: z.string().nullable(),
  idempotency_key: z.string().nullable(),
  arguments: z.unknown().describe('As they were sent; null where nothing was'),
  outcome: z.enum(CALL_OUTCOMES),
  code: z.string().nullable(),
  result: z.strictObject({ conversation: z.string(), segment: count }).nullable(),
}) satisfies z.ZodType<ExecutionLine>;

const Unfinished = z.strictObject({
  start: z.string(),
  call: z.string(),
  run: z.string(),
  conversation: z.string(),
  tool: z.string(),
  arguments: z.json().nullable(),
  at: z.string(),
  position: count,
  idempotency_key: z.string().nullable(),
  outcome: z
    .enum(['open', 'unknown'])
    .describe(
      'open: still running, or its executor is gone; unknown: its executor says that it does not know',
    ),
}) satisfies z.ZodType<UnfinishedStart>;

const Deferred = z.strictObject({
  call: z.string(),
  tool: z.string(),
  event: z.string().describe('The deferral'),
  deferred_at: z.string(),
  timing: z.enum(TIMINGS).exclude(['immediate']),
  words: z.string().nullable().describe('The user’s words for when, or for what'),
  due: z
    .string()
    .nullable()
    .describe('The time that they mean, ISO 8601 with an offset; null: no time, or none that can be read'),
  fired: count.describe('How many of its triggers fired so far'),
}) satisfies z.ZodType<DeferredCall>;

const Signed = z.strictObject({
  start: z.string(),
  event: z.string(),
  outcome: z.enum(['succeeded', 'failed']),
  status: z.enum(['valid', 'bad_signature', 'unknown_key', 'unsigned']),
  key: z.string().nullable(),
}) satisfies z.ZodType<SignedCheck>;

const Key = z.strictObject({
  name: z.string(),
  id: z.string(),
  public: z.string().describe('name+id+base64, as in C2SP signed notes'),
  secret: z.boolean().describe('The folder holds its secret half'),
}) satisfies z.ZodType<ListedKey>;

const Attributed = z.strictObject({
  slot: z.string(),
  state: z.enum(['known', 'null', 'unknown']).nullable(),
  source: z.enum(SOURCES).nullable().describe('What it was confirmed from'),
  origin: z.enum(SOURCES).nullable().describe('Where the value first came from'),
  rule: z.string().nullable(),
  reason: z.string().nullable(),
  declared_by: Party.nullable(),
  owner: z.enum(GAP_OWNERS),
}) satisfies z.ZodType<Attribution>;

const Incident = z.strictObject({
  incident: z.string().describe('The event'),
  call_id: z.string(),
  run_id: z.string().nullable(),
  slots: z.array(Attributed),
});

const Check = CallRowShape.extend({
  id: z.string().nullable().describe('The caller’s name for it'),
  added: z.boolean().describe('false: the log held this run already'),
  record: Verdict.describe('The whole verdict; of a call outside the gate, what it would have been'),
  asks: z
    .array(
      z.strictObject({
        about: z.enum(['intent', 'tool', 'slots', 'approval']),
        text: z.string(),
        slots: z.array(z.string()).describe('What an answer or a yes would settle'),
        shown: z
          .array(z.strictObject({ slot: z.string(), value: z.json() }))
          .describe('What a yes would approve, together'),
      }),
    )
    .describe('What a live gate would ask the user; nobody was asked') satisfies z.ZodType<
    readonly WouldAsk[]
  >,
  notes: z.array(z.string()).describe('What the form of the conversation could not tell'),
});

/** The JSON Schema (2020-12) of each line that a command prints as JSON, by name; rows of calls and `why` have their own. */
export function lineJsonSchemas(): readonly (readonly [string, unknown])[] {
  const lines: readonly [string, z.ZodType, string][] = [
    ['check-answer', Check, 'A line of grounds check --json'],
    ['log-line', LogLine, 'A line of grounds log --json, and of grounds show --events --json'],
    ['gap', Gap, 'A line of grounds gaps --json'],
    ['gap-summary', Gaps, 'The last line of grounds gaps --json'],
    ['replay-finding', Finding, 'A line of grounds replay --json'],
    ['replay-summary', Replay, 'The last line of grounds replay --json'],
    ['execution', Execution, 'What grounds execute --json prints'],
    ['unfinished-start', Unfinished, 'A line of grounds reconcile --json'],
    ['deferred-call', Deferred, 'A line of grounds trigger --json, where no call is named'],
    ['signed-check', Signed, 'A line of grounds keys verify --json'],
    ['key', Key, 'A line of grounds keys list --json'],
    ['incident', Incident, 'What grounds incident --json prints'],
    ['audit-summary', Audit, 'The last line of grounds audit --json'],
  ];
  return lines.map(([name, shape, description]) => [name, z.toJSONSchema(shape.meta({ description }))]);
}
