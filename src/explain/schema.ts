import { z } from 'zod';
import { JsonValue } from '../events/content-schema.ts';
import { Author } from '../events/segment.ts';
import { Digest, Party, Phase, Reduction } from '../events/verdict.ts';
import {
  CALL_OUTCOMES,
  GAP_KINDS,
  GAP_OWNERS,
  REASONS,
  ROUTES,
  SOURCES,
  TIMINGS,
  VERDICT_KINDS,
} from '../events/vocabulary.ts';

const Source = z.enum(SOURCES);
const Reason = z.enum(REASONS);
const Route = z.enum(ROUTES);
const count = z.number().int().nonnegative();
const Sealed = z
  .boolean()
  .describe('The value is sealed or erased: the place stands, the words can not be shown');

/** Where a message stands as people count, and as the log does. */
const message = {
  segment: count.describe('Index of the segment in the conversation, from 0'),
  message: z.number().int().positive().describe('The message, counted from 1 as people do'),
  message_index: count.describe('The same, from 0 as in the transcript'),
  author: Author,
  typed: z.boolean(),
  tool: z.string().nullable().describe('Of a result: the tool that it came from'),
};

/** A place that a verdict rests on, with the words that stand there. */
export const Where = z.discriminatedUnion('in', [
  z.strictObject({
    in: z.literal('text'),
    ...message,
    quoted: z.string().nullable().describe('The words, whole'),
    sealed: Sealed,
    start: count.describe('UTF-16 code units, half-open'),
    end: count,
    line: z
      .strictObject({ quoted: z.string(), start: count, end: count })
      .nullable()
      .describe('The line that the words stand in'),
  }),
  z.strictObject({
    in: z.literal('json'),
    ...message,
    quoted: z.string().nullable().describe('The value as text: a string as it is, anything else as JSON'),
    sealed: Sealed,
    of: z.enum(['arguments', 'result']),
    pointer: z.string(),
  }),
  z.strictObject({
    in: z.literal('entry'),
    quoted: z.string().nullable(),
    sealed: Sealed,
    entry: count.describe('Index among the run’s entries, from 0'),
    pointer: z.string(),
    kind: z
      .enum([
        'answer',
        'approval',
        'setting',
        'baseline',
        'tool_name',
        'notice',
        'trigger',
        'match',
        'timing',
        'started',
      ])
      .nullable(),
    name: z.string().nullable().describe('Of a setting: its name'),
    attested_by: z.enum(['log', 'caller']).nullable(),
    event: z.string().nullable().describe('The event that it was made from; null: a caller brought it'),
    by: z
      .strictObject({
        user: z.string().nullable(),
        known_by: z.enum(['typed', 'form', 'channel', 'caller']),
      })
      .nullable()
      .describe('Who answered, and how that is known'),
    question: z.string().nullable().describe('The words that the user was shown'),
  }),
]);
export type Where = z.infer<typeof Where>;

/** What one source said of a slot, in the order in which it was asked. */
export const Said = z.strictObject({
  source: Source,
  outcome: z.enum(['claim', 'nothing', 'absent', 'no_place', 'unfinished', 'failed', 'waits']),
  says: z.string().describe('One sentence'),
  fact: z.string().nullable(),
  code: z.string().nullable().describe('Of a failure'),
  where: z.array(Where),
});
export type Said = z.infer<typeof Said>;

/** The value that the call carried for a slot that nothing confirmed, and where else it stands. */
export const Carried = z.strictObject({
  value: JsonValue,
  stands: z.enum(['nowhere', 'agent_only', 'tool_result', 'typed', 'other']),
  says: z.string(),
  count: count.describe('All places; at most four are kept in where'),
  where: z.array(Where),
});
export type Carried = z.infer<typeof Carried>;

export const Gap = z.strictObject({
  slot: z.string(),
  kind: z.enum(GAP_KINDS),
  owner: z.enum(GAP_OWNERS),
});
export type Gap = z.infer<typeof Gap>;

const Rejected = z.strictObject({
  source: Source,
  reason: Reason,
  says: z.string(),
  where: Where.nullable(),
});

/** Why arguments could not be read: the text at fault as it was received. */
const Fault = z.strictObject({
  code: z.string(),
  lexeme: z.string(),
  pointer: z.string(),
  line: z.number().int().nullable(),
  column: z.number().int().nullable(),
  says: z.string(),
});

const settled = {
  state: z.enum(['known', 'null', 'unknown']),
  reason: Reason,
  says: z.string().describe('The reason as a sentence'),
  rule: z.string().describe('The row of the rules that decided'),
  where: Where.nullable(),
  also: count.describe('In how many places it was found; one is shown'),
  route: Route.nullable().describe('Of an unknown: who can fill it'),
};

export const Slot = z.strictObject({
  id: z.string(),
  kind: z
    .enum(['value', 'label', 'arguments'])
    .describe('An argument, a [Verify] or [Notice] line of the tool, or the arguments as a whole'),
  ...settled,
  declared_by: Party,
  proposed: z.strictObject({ value: JsonValue }).nullable().describe('null: the call carried nothing here'),
  required: z.boolean(),
  source: Source.nullable(),
  origin: Source.nullable(),
  by: Where.nullable().describe('The words that consented to the value or named it'),
  filled_by: z.string().nullable(),
  ask: z.string().nullable().describe('How the checklist says to ask for it'),
  waits_for: z.array(z.string()),
  pending: z.boolean(),
  candidate: Where.nullable().describe('A prior value; it confirms nothing by itself'),
  said: z.array(Said),
  carried: Carried.nullable(),
  fault: Fault.nullable(),
  rejected: z.array(Rejected),
});
export type Slot = z.infer<typeof Slot>;

/** A part that an expression reads, with the value it had. */
export const Read = z.strictObject({
  name: z
    .string()
    .describe('/amount for an argument, account/available for a fact’s field, or now, item, index'),
  value: JsonValue,
  where: Where.nullable(),
  age_seconds: z
    .number()
    .nullable()
    .describe('How long before the call it was measured, where both times are known'),
});
export type Read = z.infer<typeof Read>;

export const Condition = z.strictObject({
  id: z.string(),
  name: z.string().describe('As declared; an instance’s id adds its index'),
  index: count.nullable().describe('Of a condition on each element: which'),
  state: z.enum(['met', 'unmet', 'unknown', 'not_run']),
  reason: Reason,
  reason_says: z.string(),
  rule: z.string(),
  expression: z.string().nullable(),
  define: z.record(z.string(), z.string()).describe('The named parts that the expression uses'),
  reads: z.array(Read).describe('What it was run over'),
  says: z.string().nullable().describe('The sentence of the policy'),
  declared_by: Party,
  checklist: z.string().nullable(),
  source: Source.nullable(),
  requested_by: Where.nullable().describe('Where the user asked for exactly what the condition forbids'),
  route: Route.nullable(),
  filled_by: z.string().nullable(),
  waits_for: z.array(z.string()),
  said: z.array(Said),
});
export type Condition = z.infer<typeof Condition>;

export const Act = z.strictObject(settled);
export type Act = z.infer<typeof Act>;

export const When = z.strictObject({
  ...settled,
  timing: z.enum(TIMINGS).nullable(),
  detail: z.strictObject({ id: z.string(), ...settled }).nullable(),
  trigger: z
    .strictObject({
      event: z.string(),
      by: z.enum(['clock', 'event', 'threshold']),
      at: z.string(),
      until: Where.nullable().describe('The user’s words for when, or for what, as the call was deferred'),
    })
    .nullable()
    .describe('Of a run at a trigger: what fired'),
});
export type When = z.infer<typeof When>;

export const Tool = z.strictObject({
  ...settled,
  name: z.string(),
  checklists: z.array(z.string()).describe('The checklists that give the word its tool'),
  means: z.array(z.string()).describe('Other tools that the said word stands for'),
});
export type Tool = z.infer<typeof Tool>;

export const HEADLINES = [
  'ran_on_good_grounds',
  'ran_without_grounds',
  'would_have_run',
  'did_not_run',
  'outside_the_gate',
] as const;

/** What `grounds why --json` gives: one call, with everything that its verdict rests on. */
export const Explanation = z
  .strictObject({
    call: z.strictObject({
      id: z.string(),
      tool: z.string(),
      recorded_at: z.string().nullable(),
      run_id: z.string().nullable(),
      request_id: z.string().nullable(),
      conversation_id: z.string().nullable(),
      phase: Phase.nullable(),
      arguments: JsonValue.nullable().describe('As proposed or observed; null where they can not be read'),
      outcome: z.enum(CALL_OUTCOMES),
      origin: z
        .strictObject({
          file: z.string(),
          line: z.number().int().positive(),
          message: z.number().int().positive(),
          message_index: count,
        })
        .nullable(),
      supersedes: z.string().nullable(),
      follows: z.string().nullable(),
      events: count.describe('How many events of the call stand behind this'),
    }),
    headline: z.strictObject({
      kind: z.enum(HEADLINES),
      says: z.string(),
      slots: count.nullable().describe('null: no list was made, which is not none'),
      unconfirmed: count.nullable(),
      conditions: count.nullable(),
      unmet: count,
      record: z
        .strictObject({ state: z.enum(['changed', 'does_not_replay']), says: z.string() })
        .nullable()
        .describe('What replaying found against the record; it comes before the rest. null: nothing'),
    }),
    when: When.nullable(),
    act: Act.nullable(),
    tool: Tool.nullable(),
    slots: z.array(Slot).nullable(),
    conditions: z.array(Condition).nullable(),
    unmet: z.array(
      z.strictObject({
        slot: z.string(),
        reason: Reason,
        says: z.string(),
        declared_by: Party,
        requested_by: Where.nullable(),
      }),
    ),
    not_run: z.array(z.strictObject({ slot: z.string(), reason: Reason, says: z.string() })),
    reductions: z.array(Reduction),
    defects: z.array(
      z.strictObject({ at: z.string(), reason: Reason, says: z.string(), declared_by: Party }),
    ),
    verdict: z
      .strictObject({
        kind: z.enum(VERDICT_KINDS),
        rule: z.string(),
        says: z.string(),
        unknown_count: count.nullable(),
        next_attempt: z.number().int().nullable(),
        ask: z.string().nullable().describe('The question that is next, where the intent is open'),
        exhausted: z.boolean(),
        digest: z.string().nullable(),
      })
      .nullable(),
    gaps: z.array(Gap),
    rests_on: z
      .strictObject({
        gate: Digest,
        ruleset: z.string(),
        tool: z.strictObject({ digest: Digest, version: z.number().int().positive().nullable() }),
        checklists: z.array(
          z.strictObject({
            name: z.string(),
            declared_by: Party,
            written_by: z.string().nullable(),
            digest: Digest,
            version: z.number().int().positive().nullable().describe('Its number in its stream, from 1'),
          }),
        ),
        request_boundary: z.enum(['assumed', 'declared']),
      })
      .nullable(),
    happened: z.strictObject({
      outcome: z.enum(CALL_OUTCOMES),
      by: z.string().nullable().describe('The event that says so'),
      observed: z.boolean().describe('It ran outside the gate, and was recorded afterwards'),
      code: z.string().nullable(),
      first_line: z.string().nullable().describe('Of a result that is text: its first line'),
      where: Where.nullable(),
    }),
    incidents: z
      .array(
        z.strictObject({
          event: z.string(),
          at: z.string().describe('When it was reported'),
          run_id: z.string().nullable().describe('null: the call as a whole'),
          slots: z.array(z.string()).describe('What is said to have been wrong'),
          text: z.string().nullable().describe('null: sealed or erased'),
          happened_at: z.string().nullable(),
        }),
      )
      .describe('What somebody reported of this call afterwards'),
    replay: z
      .strictObject({
        finding: z.string(),
        path: z.string().nullable(),
        basis: z.enum(['recomputed', 'tag', 'recorded']),
        reproduce: z.string(),
      })
      .nullable()
      .describe('null: it was not replayed'),
    limits: z
      .array(z.strictObject({ id: z.string(), says: z.string() }))
      .describe('What this does not prove'),
  })
  .meta({ title: 'Explanation', description: 'Why one call ran, or did not: grounds why <ref> --json' });
export type Explanation = z.infer<typeof Explanation>;

/** The JSON Schema (2020-12) of `grounds why --json`. */
export function explanationSchema(): unknown {
  return z.toJSONSchema(Explanation);
}
