import { z } from 'zod';
import { JsonContent } from './content-schema.ts';
import { Satisfies } from './satisfies.ts';
import { Digest } from './verdict.ts';
import { SOURCES, TIMINGS } from './vocabulary.ts';

const Source = z.enum(SOURCES);

/**
 * What the log holds beside the conversation, as a run was given it. A place `{in:'entry'}` points into one of these by its
 * index in the run.
 */
export const Entry = z.discriminatedUnion('kind', [
  /**
   * An answer to one question's slot. `none`: the user said there is none. `candidate`: it confirms a shown place. `tool`: the
   * question was asked for this very tool, and the answer counts for no other. Left out: no question of the log asked for it.
   */
  z.strictObject({
    kind: z.literal('answer'),
    slot: z.string(),
    value: JsonContent,
    none: z.boolean(),
    candidate: z.strictObject({ origin: Source }).nullable(),
    tool: Digest.exactOptional(),
  }),
  /** Values shown and approved together, for this very tool. */
  z.strictObject({
    kind: z.literal('approval'),
    tool: Digest,
    shown: z.array(z.strictObject({ slot: z.string(), value: JsonContent })),
    declined: z.boolean(),
  }),
  /** Settled earlier, with consent. `none`: settled that there is none. `satisfies`: standing ranges, where it has any. */
  z.strictObject({
    kind: z.literal('setting'),
    name: z.string(),
    value: JsonContent,
    none: z.boolean(),
    attested_by: z.enum(['log', 'caller']),
    satisfies: z.array(Satisfies).exactOptional(),
  }),
  /** The last executed record of this run's action key. */
  z.strictObject({
    kind: z.literal('baseline'),
    slots: z.array(z.strictObject({ slot: z.string(), value: JsonContent, origin: Source.nullable() })),
  }),
  /** What this user calls a tool, settled earlier with consent. A reference only. */
  z.strictObject({ kind: z.literal('tool_name'), word: z.string(), tool: z.string() }),
  /** A provider's notice that a question of this request has shown. */
  z.strictObject({ kind: z.literal('notice'), text: z.string() }),
  /** A scheduled run's trigger: it carries the timing that was settled at the instruction. */
  z.strictObject({
    kind: z.literal('trigger'),
    timing: z.enum(['scheduled', 'conditional', 'recurring']),
    /** The first segment of what is fetched again: what was measured before it was true at the instruction (R12). */
    from: z.number().int().nonnegative().exactOptional(),
  }),
  /** What a hook said of the match between the act and the tool. Only `true` passes; `failed`: it gave no usable answer. */
  z.strictObject({
    kind: z.literal('match'),
    approved: z.boolean(),
    failed: z.literal(true).exactOptional(),
  }),
  /** How a hook judged the timing of what the user typed; null: undecidable. It may be a model. */
  z.strictObject({
    kind: z.literal('timing'),
    timing: z.enum(TIMINGS).nullable(),
    failed: z.literal(true).exactOptional(),
  }),
  /** A call of this conversation that was started and whose result is not there yet: it may have done anything. */
  z.strictObject({ kind: z.literal('started'), tool: z.string(), arguments: JsonContent }),
]);
export type Entry = z.infer<typeof Entry>;
