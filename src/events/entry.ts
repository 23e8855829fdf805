import { z } from 'zod';
import { JsonContent } from './content-schema.ts';
import { Digest } from './verdict.ts';
import { SOURCES } from './vocabulary.ts';

const Source = z.enum(SOURCES);

/** What the log holds beside the conversation, as a run was given it: the `Entry` of gate/types.ts. */
export const Entry = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('answer'),
    slot: z.string(),
    value: JsonContent,
    none: z.boolean(),
    candidate: z.strictObject({ origin: Source }).nullable(),
  }),
  z.strictObject({
    kind: z.literal('approval'),
    tool: Digest,
    shown: z.array(z.strictObject({ slot: z.string(), value: JsonContent })),
    declined: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal('setting'),
    name: z.string(),
    value: JsonContent,
    none: z.boolean(),
    attested_by: z.enum(['log', 'caller']),
  }),
  z.strictObject({
    kind: z.literal('baseline'),
    slots: z.array(z.strictObject({ slot: z.string(), value: JsonContent, origin: Source.nullable() })),
  }),
  z.strictObject({ kind: z.literal('tool_name'), word: z.string(), tool: z.string() }),
  z.strictObject({ kind: z.literal('notice'), text: z.string() }),
  z.strictObject({
    kind: z.literal('trigger'),
    timing: z.enum(['scheduled', 'conditional', 'recurring']),
  }),
  z.strictObject({ kind: z.literal('match'), approved: z.boolean() }),
  z.strictObject({ kind: z.literal('started'), tool: z.string(), arguments: JsonContent }),
]);
export type Entry = z.infer<typeof Entry>;
