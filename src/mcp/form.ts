import { isObject, type Json, type JsonObject } from '../events/json.ts';
import { segmentsOf } from '../events/pointer.ts';
import type { RunInput } from '../gate/index.ts';
import { rulesFor } from '../gate/rules-for.ts';
import { valueWords } from '../preflight/question-text.ts';
import type { SlotAnswer } from '../preflight/reply.ts';
import type { AskedQuestion } from '../preflight/waiting.ts';
import { withoutMarks } from './exact-message.ts';

/** The parameters of an `elicitation/create` request in form mode. */
export interface Form {
  readonly message: string;
  readonly requestedSchema: {
    readonly type: 'object';
    readonly properties: { readonly [field: string]: JsonObject };
    readonly required?: readonly string[];
  };
}

/** What a submitted form says to one of its questions. */
export type Submitted = { readonly question: string } & (
  | { readonly says: 'answers'; readonly answers: readonly SlotAnswer[] }
  | { readonly says: 'yes' | 'no' }
);

/** The field for a question about what was meant: one for words, since only words can say it. */
const WORDS = 'intent';
/** A choice and not a box to tick: what is not ticked would say no. */
const YES_OR_NO = { type: 'string', enum: ['yes', 'no'], title: 'Is all of this right?' };
/** The field that takes a prior value again. A slot is a pointer and begins with a slash: none is named so. */
const againField = (slot: string): string => `again ${slot}`;

/**
 * All questions of a verdict as one form, each with fields of its own. A question about what was meant is the same for any two
 * tools, and names none (R14). No field has a default, and only a single one is required: what is not filled in stays open.
 */
export function formOf(questions: readonly AskedQuestion[], run: RunInput): Form {
  const properties: Record<string, JsonObject> = {};
  questions.forEach((question, index) => {
    if (isAboutMeaning(question)) properties[WORDS] = { type: 'string', title: 'In your own words' };
    else if (question.about === 'approval') properties[yesField(questions, index)] = YES_OR_NO;
    else
      for (const { slot, prior } of question.slots) {
        properties[slot] = { ...fieldOf(run, slot), title: titleOf(slot) };
        if (prior !== undefined)
          properties[againField(slot)] = {
            type: 'boolean',
            title: `${titleOf(slot)}: ${valueWords(prior)} again`,
          };
      }
  });
  const fields = Object.keys(properties);
  return {
    message: questions.map(({ text }) => text).join('\n\n'),
    requestedSchema: { type: 'object', properties, ...(fields.length === 1 ? { required: fields } : {}) },
  };
}

/** Whoever proposes a call names its arguments: a name must draw nothing either. */
const titleOf = (slot: string): string => valueWords(slot).slice(1, -1);

/** Reads what was submitted: a text is read by the slot's reader, a choice or a number is the value. Never a model. RULES R9. */
export function submitted(questions: readonly AskedQuestion[], content: JsonObject): Submitted[] {
  return questions.flatMap((question, index): Submitted[] => {
    const { id } = question;
    if (question.about === 'approval') {
      const chosen = content[yesField(questions, index)];
      return chosen === 'yes' || chosen === 'no' ? [{ question: id, says: chosen }] : [];
    }
    const answers = isAboutMeaning(question) ? wordsIn(content) : answersIn(question, content);
    return answers.length === 0 ? [] : [{ question: id, says: 'answers', answers }];
  });
}

function isAboutMeaning({ about }: AskedQuestion): boolean {
  return about === 'intent' || about === 'tool';
}

function yesField(questions: readonly AskedQuestion[], index: number): string {
  const approvals = questions.filter(({ about }) => about === 'approval').length;
  const before = questions.slice(0, index).filter(({ about }) => about === 'approval').length;
  return approvals === 1 ? 'approve' : `approve ${before + 1}`;
}

function wordsIn(content: JsonObject): SlotAnswer[] {
  const text = content[WORDS];
  return typeof text === 'string' && text.trim() !== '' ? [{ slot: WORDS, text }] : [];
}

function answersIn({ slots }: AskedQuestion, content: JsonObject): SlotAnswer[] {
  return slots.flatMap(({ slot, prior }): SlotAnswer[] => {
    const value = withoutMarks(content[slot] ?? null);
    if (typeof value === 'string' && value.trim() !== '') return [{ slot, text: value }];
    if (value !== null && typeof value !== 'string') return [{ slot, value }];
    return prior !== undefined && content[againField(slot)] === true ? [{ slot, candidate: true }] : [];
  });
}

/** How a slot is filled in: as the tool's schema says, where a form can say so too; else as text. */
function fieldOf(run: RunInput, slot: string): JsonObject {
  const schema = schemaAt(rulesFor(run).schema ?? run.tool.input_schema, slot);
  if (schema === null) return { type: 'string' };
  const described = typeof schema.description === 'string' ? { description: schema.description } : {};
  const { type } = schema;
  if (Array.isArray(schema.enum) && schema.enum.every((each) => typeof each === 'string'))
    return { type: 'string', enum: schema.enum, ...described };
  if (type === 'boolean' || type === 'number' || type === 'integer') return { type, ...described };
  return { type: 'string', ...described };
}

/** What a schema says of the value at a slot, as far as plain `properties` and `items` lead there. */
function schemaAt(schema: Json, slot: string): JsonObject | null {
  let at: Json | undefined = schema;
  for (const part of segmentsOf(slot)) {
    if (!isObject(at)) return null;
    const { properties, items }: JsonObject = at;
    at = isObject(properties) && Object.hasOwn(properties, part) ? properties[part] : items;
  }
  return isObject(at) ? at : null;
}
