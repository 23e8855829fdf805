import { z } from 'zod';
import { JsonValue } from '../events/content-schema.ts';
import { PARTIES, SOURCES, TIMINGS } from '../events/vocabulary.ts';

export { BUILT_IN_READERS } from './built-in-readers.ts';

/** `/a/0/b`, where `*` stands for each index or key. */
const Pattern = z.string().regex(/^(\/([^~/]|~[01])*)*$/, 'a JSON Pointer such as /items/*/id');
/** A slot's pattern: a pattern that is not the whole argument object. */
const SlotPattern = z.string().regex(/^(\/([^~/]|~[01])*)+$/, 'a JSON Pointer such as /items/*/id');
/** `fact#/path`, the path relative to the fact's record; `*` makes it one of several (see `select`). */
const FactRef = z
  .string()
  .regex(/^[a-z][a-z0-9_]*#(\/([^~/]|~[01])*)*$/, 'fact#/path, for example order#/status');
const Name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$/, 'a name of letters, digits, _ . : -');
/** No colon: `label:3` names a label's slot. */
const ConditionName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/, 'a name of letters, digits, _ . -');
const Identifier = z.string().regex(/^[a-z][a-z0-9_]*$/, 'a name of lower-case letters, digits and _');
const Words = z.array(z.string().min(1)).min(1);
const Cel = z.string().min(1);

/** A fixed offset. Named regions are refused: their rules change with the machine's zone data. */
export const Zone = z
  .string()
  .regex(
    /^(UTC|GMT|Z|EST|EDT|CST|CDT|MST|MDT|PST|PDT|CET|CEST|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$/,
    'UTC, EST, … or an offset such as -05:00 (regions such as America/New_York change with zone data)',
  );

const Phrases = z.record(z.string(), Words);

export const ReaderSpec = z
  .union([
    z.strictObject({ one_of: Phrases }),
    z.strictObject({ boolean: z.strictObject({ true: Words, false: Words }) }),
    z.strictObject({ integer: Phrases }),
    z.strictObject({ decimal: Phrases }),
    z.strictObject({ money: Phrases }),
    z.strictObject({ date: z.strictObject({ order: z.enum(['mdy', 'dmy']) }) }),
    z.strictObject({ datetime: z.strictObject({ zone: Zone }) }),
  ])
  .describe('Exactly one of these keys. The phrases are what people say for each value; the longest wins.');
export type ReaderSpec = z.infer<typeof ReaderSpec>;

const Match = z
  .record(
    z.string().regex(/^(arguments|result|record)(\/.*)?$/, 'arguments/…, result/… or record/…'),
    z.string().min(1),
  )
  .describe(
    'What a measurement must agree with. Left: arguments/…, result/… or record/… of the measuring call. Right: a slot (/order_id), another fact’s field (order#/user_id), or typed (the value stands in what the user typed).',
  );

export const FactDeclaration = z.strictObject({
  each: Pattern.optional().describe('One instance for each element of an array argument: /items/*'),
  take: z.enum(['latest', 'all']).default('latest').describe('The latest matching record, or a list of all'),
  measured_by: z
    .array(
      z.strictObject({
        tool: Name.describe('The tool or hook whose result measures it'),
        record: Pattern.default('').describe('Where in the result the record lies; * tries each'),
        template: z
          .string()
          .optional()
          .describe(
            'Of a prose result: its fixed words, with {name} for each part. The parts are the record.',
          ),
        match: Match.default({}),
      }),
    )
    .min(1)
    .describe('Alternatives, tried in order'),
  stale_after: z
    .array(z.strictObject({ tools: z.array(Name).min(1), match: Match.default({}) }))
    .default([])
    .describe('Successful calls after which an earlier measurement no longer counts'),
});
export type FactDeclaration = z.infer<typeof FactDeclaration>;

const Sources = z
  .array(z.enum(SOURCES))
  .min(1)
  .optional()
  .describe('The sources that may confirm it; the search order is fixed, whatever the order here');

export const SlotDeclaration = z.strictObject({
  reader: z
    .string()
    .default('text')
    .describe('A built-in reader, or one named under readers. Identifiers are read with text: exactly.'),
  sources: Sources,
  select: z
    .enum(['single', 'member'])
    .default('single')
    .describe(
      'member: one of several that the fact holds will do; the choice is not confirmed. A reduction.',
    ),
  measured: z.array(FactRef).default([]).describe('Fields of facts that may confirm it'),
  named_by: z
    .array(
      z.strictObject({
        record: FactRef.describe('The siblings: profile#/payment_methods/*'),
        id: Pattern.describe('Where in each the id stands'),
        by: z.array(Pattern).min(1).describe('The fields that may name it, where they are unique'),
        words: Phrases.default({}).describe('What people say for a field’s value'),
      }),
    )
    .default([])
    .describe(
      'An id said by a field that is unique among its siblings in a measured record: "ending in 7447"',
    ),
  phrases: z
    .record(z.string().min(1), FactRef)
    .default({})
    .describe('Declared words that name a fact’s field: "the original payment"'),
  fixed_by: z
    .string()
    .optional()
    .describe('The value is computed: it takes the state of this condition of the same tool'),
  setting: z.string().min(1).optional().describe('A setting of the user’s that may fill it'),
  required: z.boolean().default(false).describe('Required whatever the schema says, and never ungated'),
  pending_at_trigger: z
    .boolean()
    .default(false)
    .describe('May stay open until the trigger of a later execution'),
  ask: z.string().optional().describe('How to ask for it'),
  asks: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('How often it may be asked for in one call; left out: as often as it is open'),
});
export type SlotDeclaration = z.infer<typeof SlotDeclaration>;

export const ConditionDeclaration = z.strictObject({
  require: Cel.describe('A CEL expression over args, now and the facts; it must be true'),
  each: Pattern.optional().describe('Once for each element of an array argument; item and index name it'),
  when_measured: z
    .boolean()
    .default(false)
    .describe('Does not block where its fact was looked for and is absent. A reduction.'),
  accepts_null: z.boolean().default(false).describe('Met where what it checks is known to be nothing'),
  says: z.string().optional().describe('Why it stands there: the sentence of the policy'),
  sources: Sources,
});
export type ConditionDeclaration = z.infer<typeof ConditionDeclaration>;

export const ToolRules = z.strictObject({
  reversible: z
    .union([z.boolean(), Cel])
    .optional()
    .describe('true, or an expression over args: the running party can put it back on its own'),
  schema: JsonValue.optional().describe('The argument schema, where the tool’s own is not at hand'),
  slots_from_proposal: z
    .boolean()
    .default(false)
    .describe('Slots from the leaves of each proposal instead of a schema. A reduction.'),
  slots: z.record(SlotPattern, SlotDeclaration).default({}).describe('Arguments, by pointer'),
  conditions: z
    .record(ConditionName, ConditionDeclaration)
    .default({})
    .describe('What must be true, by name'),
  ungated: z
    .record(SlotPattern, z.string().min(1))
    .default({})
    .describe('Arguments that need no source, each with the reason. A reduction.'),
});
export type ToolRules = z.infer<typeof ToolRules>;

const Timing = z.strictObject({
  words: Words.describe('What the user says for this timing'),
  detail: z
    .string()
    .optional()
    .describe('The reader that finds the time, event or threshold, which is itself an intent slot'),
});

export const Checklist = z
  .strictObject({
    grounds: z.literal(1).describe('The version of this format'),
    checklist: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_.-]*(\/[a-z0-9][a-z0-9_.-]*)*$/, 'a name such as airline/policy')
      .describe('The name of this checklist: airline/policy'),
    declared_by: z
      .enum(PARTIES)
      .describe('Whose rules these are. Only the system’s may make the check weaker.'),
    written_by: z.string().optional().describe('Who wrote the file, where that is someone else'),
    zone: Zone.default('UTC').describe('The zone of dates and times that carry none'),
    now: z
      .strictObject({
        author: z.enum(['system', 'user', 'tool']),
        after: z.string().min(1).describe('The words before the time'),
        zone: Zone.optional(),
      })
      .optional()
      .describe('Where a conversation says what time it is'),
    // Whatever has no name of its own goes by this one: to trust it were to trust anybody.
    trusts_annotations_of: z
      .array(
        z.string().regex(/^(?!default$)./s, 'the name of a server, and of one that has a name of its own'),
      )
      .default([])
      .describe('Servers whose `readOnlyHint: true` is believed: such a tool stands outside the gate'),
    tool_errors: z
      .array(z.string().min(1))
      .default([])
      .describe('A prose result that begins so is a failure'),
    intent: z
      .strictObject({
        unmarked_timing: z
          .literal('immediate')
          .optional()
          .describe('Words without timing mean now. A reduction; without it they are undecidable.'),
        timing: z.partialRecord(z.enum(TIMINGS), Timing).default({}).describe('Timing words, per kind'),
        act_words: z
          .record(Name, Words)
          .default({})
          .describe('What the user says for the act of each tool. Tools may share words.'),
        negations: z
          .array(z.string().min(1))
          .optional()
          .describe(
            'Words that negate an act word anywhere in their clause, beside the English ones that are built in',
          ),
        single_tool: z
          .boolean()
          .default(false)
          .describe('Where there is one tool only, the act need not tell tools apart. A reduction.'),
        yes: z
          .array(z.string().min(1))
          .default([])
          .describe('A reply that begins so approves what was shown'),
        no: z.array(z.string().min(1)).default([]).describe('A reply that begins so voids what was shown'),
      })
      .prefault({})
      .describe('How what, when and which tool are read from the user’s words'),
    readers: z.record(z.string(), ReaderSpec).default({}).describe('Named readers for slots'),
    facts: z
      .record(Identifier, FactDeclaration)
      .default({})
      .describe('Named measurements that slots and conditions share'),
    define: z
      .record(Identifier, Cel)
      .default({})
      .describe('Named parts of expressions, written out where they are used'),
    groups: z
      .array(
        z.strictObject({
          of: z.array(SlotPattern).min(1),
          tools: z.array(Name).min(1).optional(),
          records: z
            .array(
              z.strictObject({
                fact: FactRef,
                fields: z.record(SlotPattern, z.string().regex(/^(record|arguments)(\/.*)?$/)),
              }),
            )
            .default([]),
        }),
      )
      .default([])
      .describe(
        'What belongs together: the elements of one array, or of parallel arrays by index. A group is bound if one record holds all its leaves; fields says for each leaf where in the record it stands.',
      ),
    tools: z.record(Name, ToolRules).default({}).describe('Rules per tool, by the tool’s name'),
  })
  .meta({ title: 'Grounds checklist' });
/** As written: defaults may be left out. */
export type ChecklistFile = z.input<typeof Checklist>;
/** As the gate reads it: every default in place. */
export type Checklist = z.output<typeof Checklist>;
