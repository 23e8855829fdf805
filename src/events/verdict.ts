import { z } from 'zod';
import { Place } from './place.ts';
import { PARTIES, REASONS, REDUCTIONS, ROUTES, SOURCES, VERDICT_KINDS } from './vocabulary.ts';

const Source = z.enum(SOURCES);
const ReasonId = z.enum(REASONS);
export const Party = z.enum(PARTIES);

export const Digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
export type Digest = string;

const Route = z.enum(ROUTES);
const VerdictKind = z.enum(VERDICT_KINDS);

export const Phase = z.enum(['at_instruction', 'at_trigger']);
export type Phase = z.infer<typeof Phase>;

/** A refused or unfit claim that the walk passed on its way. */
export const Rejection = z.strictObject({ source: Source, reason: ReasonId, place: Place.nullable() });
export type Rejection = z.infer<typeof Rejection>;

/** `rule` is the row of the rules that decided: `why` prints it, tests refer to it. */
const common = { slot: z.string(), declared_by: Party, rule: z.string(), rejected: z.array(Rejection) };

/**
 * `place` is null only where nothing is read: a value computed by a condition, one fixed by the schema, a condition
 * itself. `source` is then the condition's, or null for a value that only the schema allows.
 */
export const SlotState = z.discriminatedUnion('state', [
  z.strictObject({
    ...common,
    state: z.literal('known'),
    source: Source.nullable(),
    origin: Source.nullable(),
    reason: ReasonId,
    place: Place.nullable(),
    by: Place.nullable(),
    also: z.number().int(),
  }),
  z.strictObject({
    ...common,
    state: z.literal('null'),
    source: Source,
    reason: ReasonId,
    place: Place,
  }),
  z.strictObject({
    ...common,
    state: z.literal('unknown'),
    reason: ReasonId,
    route: Route,
    /** What this slot waits for: slots and facts, where the reason is `waits_for`. */
    waits_for: z.array(z.string()),
    pending: z.boolean(),
    /** A prior value to show as a candidate; it confirms nothing by itself. */
    candidate: Place.nullable(),
  }),
]);
export type SlotState = z.infer<typeof SlotState>;

/** Anything that made the check weaker by declaration. */
export const Reduction = z.strictObject({
  kind: z.enum(REDUCTIONS),
  /** The slot, pattern or tool it concerns; null where it concerns the whole run. */
  slot: z.string().nullable(),
  declared_by: Party,
});
export type Reduction = z.infer<typeof Reduction>;

export const Unmet = z.strictObject({
  slot: z.string(),
  reason: ReasonId,
  declared_by: Party,
  requested_by: Place.nullable(),
});
export type Unmet = z.infer<typeof Unmet>;

/** The decision record. It holds no values, no clock and no ids of runs, and never says whether to execute. */
export const Verdict = z.strictObject({
  kind: VerdictKind,
  rule: z.string(),
  phase: Phase,
  /** The intent gate's own states (`when`, `act`, `tool`), present as far as it came. */
  intent: z.array(SlotState),
  /** null: no decision was made, which is not the same as none. */
  slots: z.array(SlotState).nullable(),
  unknown_count: z.number().int().nullable(),
  unmet: z.array(Unmet),
  not_run: z.array(z.strictObject({ slot: z.string(), reason: ReasonId })),
  reductions: z.array(Reduction),
  exhausted: z.boolean(),
  next_attempt: z.number().int().nullable(),
  /** What is wrong with what was declared, where that is why no list was made. */
  defects: z.array(z.strictObject({ at: z.string(), reason: ReasonId, declared_by: Party })),
  rests_on: z.strictObject({
    gate: Digest,
    ruleset: z.string(),
    tool: Digest,
    checklists: z.array(Digest),
  }),
});
export type Verdict = z.infer<typeof Verdict>;
