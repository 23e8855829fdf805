import { z } from 'zod';
import { JsonValue } from '../events/content-schema.ts';
import { TIMINGS } from '../events/vocabulary.ts';

/** The versions of the reference skeleton's record that are read. What is rendered is the last. */
export const SKELETON_VERSIONS = ['1.4', '1.5', '1.6', '1.7', '1.8'] as const;
export type SkeletonVersion = (typeof SKELETON_VERSIONS)[number];

/** What the skeleton writes of whether to proceed; `executed` and `failed` are copies of the record after the call. */
export const SKELETON_DECISIONS = ['execute', 'ask_user', 'hold', 'deferred', 'executed', 'failed'] as const;
export type SkeletonDecision = (typeof SKELETON_DECISIONS)[number];

const text = z.string().nullable().optional();
const count = z.number().int().nonnegative().nullable().optional();

const Fixed = z.looseObject({
  c1_when_case: JsonValue.optional().describe(
    `${TIMINGS.join(', ')}; null while it is not settled (1.5). A 1.4 record may hold what its hook returned instead`,
  ),
  c2_user_action_name: JsonValue.optional().describe('What the user calls the act; null while not settled'),
  c3_provider_action_name: JsonValue.optional().describe('The name of the selected tool'),
  c2_source: text.describe('instruction or pre_set_data (1.6)'),
  c3_match: z
    .looseObject({ approved: z.boolean(), reason: JsonValue.optional() })
    .nullable()
    .optional()
    .describe('Whether the act was judged to be this tool (1.8)'),
});

const Field = z.looseObject({
  name: z.string().describe('An argument key; Grounds gives a nested argument its JSON Pointer'),
  value: JsonValue.optional(),
  status: z.enum(['known', 'unknown']),
  source: text,
  origin_source: text.describe('The first source, which prior_state never erases'),
  resolved_at: text,
  pending_at_trigger: z.boolean().optional(),
  lookup_failed: z.boolean().optional().describe('Its lookup hook threw (1.7)'),
  note: text,
});

/** An item without an id is what a `hold` may be about, so none of its keys can be demanded. */
const UserChecklistItem = z.looseObject({
  id: JsonValue.optional(),
  description: JsonValue.optional(),
  status: JsonValue.optional().describe('verified or unverified'),
  source: JsonValue.optional(),
  note: JsonValue.optional(),
});

const Gate = z.looseObject({
  kind: z.string().optional().describe('Absent for the value gate'),
  user_message: text,
  next_intent_attempt: count,
  next_tool_attempt: count,
  unknown_fields: z
    .array(z.looseObject({ name: z.string(), note: text }))
    .nullable()
    .optional(),
  unverified_checklist: z.array(z.looseObject({})).nullable().optional(),
  payload_violation: text,
});

/**
 * The reference skeleton's record, 1.4 to 1.8. Only what every version writes is demanded, and unknown keys are kept: an
 * adopting system may have added its own. What is absent, null or empty stays so, since each says something else: `fields`
 * null is no decision made, `[]` is a lookup that came out empty.
 */
export const SkeletonRecord = z
  .looseObject({
    schema_version: z.enum(SKELETON_VERSIONS),
    action_key: text,
    phase: z.enum(['at_instruction', 'at_trigger']).nullable().optional(),
    fixed: Fixed.nullable().optional(),
    fields: z.array(Field).nullable().optional(),
    advisory_notes: text,
    user_checklist: z.array(UserChecklistItem.nullable()).nullable().optional(),
    unknown_count: count,
    unverified_checklist_count: count,
    call_arguments: z.record(z.string(), JsonValue).nullable().optional(),
    gate: Gate.nullable().optional(),
    execution_decision: z.enum(SKELETON_DECISIONS),
    reason: text,
    timestamp: text,
  })
  .meta({ title: 'Record of the reference skeleton (1.4 to 1.8)' });
export type SkeletonRecord = z.infer<typeof SkeletonRecord>;

export type SkeletonField = z.infer<typeof Field>;
export type SkeletonGate = z.infer<typeof Gate>;
export type SkeletonChecklistItem = z.infer<typeof UserChecklistItem>;

export function skeletonRecordJsonSchema(): unknown {
  return z.toJSONSchema(SkeletonRecord, { target: 'draft-2020-12' });
}
