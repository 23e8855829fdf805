import { z } from 'zod';
import { JsonContent, TextContent } from './content-schema.ts';
import { Entry } from './entry.ts';
import { Uuid, ZonedTime } from './identity.ts';
import { AnsweredBy, LookupRequest, Outcome, Subject } from './lookup.ts';
import { Digest, Phase, Verdict } from './verdict.ts';

const count = z.number().int().nonnegative();

/** Where an imported call stands in its file: 1-based line, 0-based message. */
export const Origin = z.strictObject({ file: z.string(), line: z.number().int().positive(), message: count });
export type Origin = z.infer<typeof Origin>;

/** What the run ran on. Data beside the record, never an excuse for a difference. */
export const Environment = z.strictObject({
  node: z.string(),
  v8: z.string(),
  icu: z.string(),
  unicode: z.string(),
  tz: z.string(),
});
export type Environment = z.infer<typeof Environment>;

/** A declaration by where it stands: one version of the stream that declares it. */
export const DeclaredAt = z.strictObject({ stream: z.string(), digest: Digest });
export type DeclaredAt = z.infer<typeof DeclaredAt>;

/**
 * Everything a verdict depends on, by reference: the driver resolves it to the gate's `RunInput`. What a run's other
 * events share stands here and nowhere else.
 */
export const RunStarted = z.strictObject({
  run: Uuid,
  request: Uuid,
  conversation: Uuid,
  /** How many segments of the conversation the run saw: the first so many. */
  segments: count,
  /** The first segment of this request. */
  request_from: count,
  /** `assumed` where nothing signalled the boundary (R2). */
  request_boundary: z.enum(['assumed', 'declared']),
  gate: Digest,
  ruleset: z.enum(['standard', 'inherit']),
  phase: Phase,
  now: ZonedTime.nullable(),
  /** The run whose proposal this one changes. */
  supersedes: Uuid.nullable(),
  /** The unexecuted or failed run of this request that this one goes round (R16). */
  follows: Uuid.nullable(),
  attempts: z.strictObject({ intent: count, tool: count }),
  proposal: z.strictObject({ received: TextContent.nullable(), prepared: JsonContent.nullable() }).nullable(),
  tool: DeclaredAt,
  checklists: z.array(DeclaredAt),
  unsound: z.array(z.strictObject({ digest: Digest, declared_by: z.enum(['provider', 'user', 'system']) })),
  /** `key` is opaque, and null where there is none. */
  action_key: z.strictObject({ state: z.enum(['ok', 'failed']), key: z.string().nullable() }),
  /** With the event each was made from; null where a caller brought it. Places count these from 0. */
  entries: z.array(z.strictObject({ event: Uuid.nullable(), entry: Entry })),
  /** The setting streams that the run looked at, as it found them: an executor sees any change in them. Left out: none. */
  settings: z
    .array(z.strictObject({ stream: z.string(), version: count }))
    .min(1)
    .exactOptional(),
  /** Whose call it is, opaque. Left out: nobody said. */
  user: Uuid.exactOptional(),
  environment: Environment,
  origin: Origin.nullable(),
  /** false: declared reversible, and so outside of *ran without grounds* (R20). */
  gated: z.boolean(),
});
export type RunStarted = z.infer<typeof RunStarted>;

/** The walk of one slot or fact over its sources, in order. `key` is left out where the request has none. */
export const LookupPerformed = z.strictObject({
  subject: Subject,
  answers: z
    .array(
      z.strictObject({
        source: LookupRequest.shape.source,
        key: LookupRequest.shape.key.exactOptional(),
        by: AnsweredBy,
        outcome: Outcome,
      }),
    )
    .min(1),
});
export type LookupPerformed = z.infer<typeof LookupPerformed>;

export const VerdictRecorded = z.strictObject({ verdict: Verdict });
export type VerdictRecorded = z.infer<typeof VerdictRecorded>;
