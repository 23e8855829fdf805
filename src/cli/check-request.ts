import { z } from 'zod';
import { ZonedTime } from '../events/identity.ts';
import { Author } from '../events/segment.ts';

const json = z.json();
const name = z.string().min(1).max(200);

/** One piece of a conversation, for callers that know more than chat messages tell. */
export const SegmentInput = z.strictObject({
  author: Author.describe('Who said it. A hook or tool that measured something is its own author.'),
  body: json.describe('Text, or the value that a tool or hook returned.'),
  typed: z
    .boolean()
    .default(false)
    .describe(
      'A person typed this very text. Only such text can confirm an instruction; what is not said is false.',
    ),
  at: ZonedTime.nullable().default(null).describe('When it was said: ISO 8601 with a zone.'),
  origin: z.string().nullable().default(null).describe('Where a third party’s text came from.'),
  observes: z
    .strictObject({
      tool: name,
      arguments: z.record(z.string(), json),
      failed: z.boolean().nullable().default(null),
    })
    .nullable()
    .default(null)
    .describe('Of a result: the call that it answers. Without it a result measures nothing.'),
});

const messages = z.array(z.looseObject({ role: z.string() }));

/**
 * What `grounds check` reads: one request, from any language. What a hook found is a segment of its own with `observes`: a
 * claim is a place in what the log holds, never a bare value.
 */
export const CheckRequest = z.strictObject({
  id: name
    .optional()
    .describe(
      'The caller’s name for this call within the conversation. A changed proposal under the same id supersedes.',
    ),
  conversation_id: name
    .optional()
    .describe(
      'The caller’s name for the conversation: later requests then bring all of it again, and only what is new is added.',
    ),
  conversation: z
    .union([messages, z.strictObject({ messages }), z.strictObject({ segments: z.array(SegmentInput) })])
    .describe('OpenAI chat messages, or segments: all that was said before this call, in order.'),
  tool: z
    .union([name, z.looseObject({})])
    .describe('The tool’s name, or its definition as MCP, OpenAI or Anthropic write it.'),
  arguments: z
    .union([z.record(z.string(), json), z.string()])
    .describe('The proposed arguments: an object, or the text as the model wrote it.'),
  checklists: z
    .array(z.looseObject({}))
    .optional()
    .describe('Checklists beside those of the command line, in the form of a checklist file.'),
  answers: z
    .array(
      z.union([
        z.strictObject({ slot: z.string(), value: json }),
        z.strictObject({ slot: z.string(), none: z.literal(true) }),
      ]),
    )
    .optional()
    .describe('What the user answered in a form, by slot; none where they said that there is none.'),
  settings: z
    .array(z.union([z.strictObject({ name, value: json }), z.strictObject({ name, none: z.literal(true) })]))
    .optional()
    .describe('What this user settled earlier. Recorded as attested by the caller.'),
  now: ZonedTime.optional().describe(
    'What time it is, ISO 8601 with a zone; else what a checklist says of it, if anything.',
  ),
  phase: z.enum(['at_instruction', 'at_trigger']).optional().describe('Default at_trigger.'),
  trigger: z
    .enum(['scheduled', 'conditional', 'recurring'])
    .optional()
    .describe('The trigger of a scheduled run has fired: timing was settled at the instruction.'),
});

export type CheckRequest = z.infer<typeof CheckRequest>;
export type SegmentInput = z.infer<typeof SegmentInput>;

/** The JSON Schema (2020-12) of a request as it is written. */
export function checkRequestJsonSchema(): unknown {
  return z.toJSONSchema(CheckRequest, { io: 'input', target: 'draft-2020-12' });
}
