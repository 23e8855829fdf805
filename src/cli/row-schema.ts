import { z } from 'zod';
import { Origin } from '../events/run.ts';
import { Party, Phase, Reduction } from '../events/verdict.ts';
import { CALL_OUTCOMES, GAP_KINDS, REASONS, ROUTES, VERDICT_KINDS } from '../events/vocabulary.ts';
import type { CallRow } from '../projections/call-row.ts';

const Reason = z.enum(REASONS);

/** One line of `calls --json`; of `CallRow` to the letter, which the types see to. */
export const CallRowShape = z.strictObject({
  call_id: z.string(),
  run_id: z.string().nullable(),
  request_id: z.string().nullable(),
  action_key: z.string().nullable(),
  tool: z.string(),
  arguments: z.json().nullable(),
  phase: Phase.nullable(),
  verdict: z.enum(VERDICT_KINDS).nullable(),
  exhausted: z.boolean(),
  unknown_count: z.number().int().nullable(),
  unknown: z.array(
    z.strictObject({
      slot_id: z.string(),
      kind: z.enum(GAP_KINDS),
      route: z.enum(ROUTES),
      reason: Reason,
    }),
  ),
  unmet: z.array(z.strictObject({ slot_id: z.string(), reason: Reason, declared_by: Party })),
  reductions: z.array(Reduction),
  outcome: z.enum(CALL_OUTCOMES),
  ran_without_grounds: z.boolean(),
  gated: z.boolean(),
  origin: Origin.nullable(),
  verdict_digest: z.string().nullable(),
}) satisfies z.ZodType<CallRow>;

export function callRowJsonSchema(): unknown {
  return z.toJSONSchema(CallRowShape, { target: 'draft-2020-12' });
}

/** Whether a value is such a row: what the published schema says. */
export function isCallRow(value: unknown): value is CallRow {
  return CallRowShape.safeParse(value).success;
}
