import { z } from 'zod';
import { JsonValue } from '../events/content-schema.ts';
import { PARTIES, SOURCES, TIMINGS } from '../events/vocabulary.ts';

/** `/a/0/b`, where `*` stands for each index or key. */
const Pattern = z.string().regex(/^(\/([^~/]|~[01])*)*$/, 'a JSON Pointer such as /items/*/id');
/** `fact#/path`, the path relative to the fact's record; `*` makes it one of several (see `select`). */
const FactRef = z
  .string()
  .regex(/^[a-z][a-z0-9_]*#(\/([^~/]|~[01])*)*$/, 'fact#/path, for example order#/status');
const Name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$/, 'a name of letters, digits, _ . : -');
const Words = z.array(z.string().min(1)).min(1);
const Cel = z.string().min(1);

/** A fixed offset. Named regions are refused: their rules change with the machine's zone data. */
export const Zone = z
  .string()
  .regex(
    /^(UTC|GMT|Z|EST|EDT|CST|CDT|MST|MDT|PST|PDT|CET|CEST|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$/,
    'UTC, EST, … or an offset such as -05:00 (regions such as America/New_York change with zone data)',
  );

export const BUILT_IN_READERS = [
  'text',
  'text_fold',
  'integer',
  'decimal',
  'money',
  'boolean',
  'date',
  'datetime',
  'url',
] as const;

const Phrases = z.record(z.string(), Words);

/** A named reader: exactly one of these keys. The phrases are what people say for each value; the longest wins. */
export const ReaderSpec = z.union([
  z.strictObject({ one_of: Phrases }),
  z.strictObject({ boolean: z.strictObject({ true: Words, false: Words }) }),
  z.strictObject({ integer: Phrases }),
  z.strictObject({ decimal: Phrases }),
  z.strictObject({ money: Phrases }),
  z.strictObject({ date: z.strictObject({ order: z.enum(['mdy', 'dmy']) }) }),
  z.strictObject({ datetime: z.strictObject({ zone: Zone }) }),
]);
export type ReaderSpec = z.infer<typeof ReaderSpec>;

/**
 * What a measurement must agree with. Left: `arguments/…`, `result/…` or `record/…` of the measuring call. Right: a
 * slot (`/order_id`), another fact's field (`order#/user_id`), or `typed` (the value stands in what the user typed).
 */
const Match = z.record(
  z.string().regex(/^(arguments|result|record)(\/.*)?$/, 'arguments/…, result/… or record/…'),
  z.string().min(1),
);

export const FactDeclaration = z.strictObject({
  /** One instance for each element of an array argument. */
  each: Pattern.optional(),
  take: z.enum(['latest', 'all']).default('latest'),
  measured_by: z
    .array(
      z.strictObject({
        tool: Name,
        /** Where in the result the record lies; `*` tries each. */
        record: Pattern.default(''),
        /** Of a prose result: its fixed words, with `{name}` for each part. The parts are the record. */
        template: z.string().optional(),
        match: Match.default({}),
      }),
    )
    .min(1),
  stale_after: z.array(z.strictObject({ tools: z.array(Name).min(1), match: Match.default({}) })).default([]),
});
export type FactDeclaration = z.infer<typeof FactDeclaration>;

export const SlotDeclaration = z.strictObject({
  reader: z.string().default('text'),
  sources: z.array(z.enum(SOURCES)).optional(),
  select: z.enum(['single', 'member']).default('single'),
  measured: z.array(FactRef).default([]),
  /** An id said by a field that is unique among its siblings in a measured record: "ending in 7447". */
  named_by: z
    .array(
      z.strictObject({
        record: FactRef,
        id: Pattern,
        by: z.array(Pattern).min(1),
        words: Phrases.default({}),
      }),
    )
    .default([]),
  /** Declared words that name a fact's field: "the original payment". */
  phrases: z.record(z.string(), FactRef).default({}),
  /** The value is computed: it takes the state of this condition. */
  fixed_by: z.string().optional(),
  /** A setting of the user's that may fill it. */
  setting: z.string().optional(),
  required: z.boolean().default(false),
  pending_at_trigger: z.boolean().default(false),
  /** How to ask for it. */
  ask: z.string().optional(),
});
export type SlotDeclaration = z.infer<typeof SlotDeclaration>;

export const ConditionDeclaration = z.strictObject({
  require: Cel,
  each: Pattern.optional(),
  /** A condition whose fact was looked for and is absent does not block. A reduction. */
  when_measured: z.boolean().default(false),
  accepts_null: z.boolean().default(false),
  /** Why it stands there: the sentence of the policy. */
  says: z.string().optional(),
  sources: z.array(z.enum(SOURCES)).optional(),
});
export type ConditionDeclaration = z.infer<typeof ConditionDeclaration>;

export const ToolRules = z.strictObject({
  /** true, or an expression over `args`: the running party can put it back on its own. */
  reversible: z.union([z.boolean(), Cel]).optional(),
  /** The argument schema, where the tool's own is not in the transcript. */
  schema: JsonValue.optional(),
  /** Slots from the leaves of each proposal instead of a schema. A reduction. */
  slots_from_proposal: z.boolean().default(false),
  slots: z.record(Pattern, SlotDeclaration).default({}),
  conditions: z.record(Name, ConditionDeclaration).default({}),
  /** Arguments that need no source, each with the reason. A reduction. */
  ungated: z.record(Pattern, z.string().min(1)).default({}),
});
export type ToolRules = z.infer<typeof ToolRules>;

const Timing = z.strictObject({
  words: Words,
  /** The time, event or threshold, which is itself an intent slot: the reader that finds it. */
  detail: z.string().optional(),
});

export const Checklist = z.strictObject({
  grounds: z.literal(1),
  checklist: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_.-]*(\/[a-z0-9][a-z0-9_.-]*)*$/, 'a name such as airline/policy'),
  declared_by: z.enum(PARTIES),
  written_by: z.string().optional(),
  /** The zone of dates and times that carry none. */
  zone: Zone.default('UTC'),
  /** Where a conversation says what time it is. */
  now: z
    .strictObject({
      author: z.enum(['system', 'user', 'tool']),
      after: z.string().min(1),
      zone: Zone.optional(),
    })
    .optional(),
  /** A prose result that begins so is a failure. */
  tool_errors: z.array(z.string().min(1)).default([]),
  intent: z
    .strictObject({
      unmarked_timing: z.literal('immediate').optional(),
      timing: z.partialRecord(z.enum(TIMINGS), Timing).default({}),
      act_words: z.record(Name, Words).default({}),
      /** Where there is one tool only, the act need not tell tools apart. A reduction. */
      single_tool: z.boolean().default(false),
      yes: z.array(z.string().min(1)).default([]),
      no: z.array(z.string().min(1)).default([]),
    })
    .prefault({}),
  readers: z.record(z.string(), ReaderSpec).default({}),
  facts: z
    .record(
      z.string().regex(/^[a-z][a-z0-9_]*$/, 'a name of lower-case letters, digits and _'),
      FactDeclaration,
    )
    .default({}),
  /** Named parts of expressions, written out where they are used. */
  define: z.record(z.string().regex(/^[a-z][a-z0-9_]*$/), Cel).default({}),
  /**
   * What belongs together: the elements of one array, or of parallel arrays by index. A group is bound if one record
   * holds all its leaves. `fields` says for each leaf where in the record it stands (`record/…`, `arguments/…`).
   */
  groups: z
    .array(
      z.strictObject({
        of: z.array(Pattern).min(1),
        tools: z.array(Name).optional(),
        records: z
          .array(
            z.strictObject({
              fact: FactRef,
              fields: z.record(Pattern, z.string().regex(/^(record|arguments)(\/.*)?$/)),
            }),
          )
          .default([]),
      }),
    )
    .default([]),
  tools: z.record(Name, ToolRules).default({}),
});
/** As written: defaults may be left out. */
export type ChecklistFile = z.input<typeof Checklist>;
/** As the gate reads it: every default in place. */
export type Checklist = z.output<typeof Checklist>;
