import { isObject, type Json, type JsonObject } from '../events/json.ts';
import { segmentsOf } from '../events/pointer.ts';
import type { RunInput } from '../gate/index.ts';
import { rulesFor } from '../gate/rules-for.ts';
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

/** What a submitted form says. `null`: it was left empty, and so says nothing. */
export type Submitted =
  | { readonly says: 'answers'; readonly answers: readonly SlotAnswer[] }
  | { readonly says: 'yes' | 'no' }
  | null;

/** The field for a question about what was meant: one for words, since only words can say it. */
const WORDS = 'intent';
const YES = 'approve';
/** Behind a slot's name: the field that takes a prior value again. No slot's name holds it. */
const AGAIN = ' again';

/**
 * A question as a form. A question about what was meant is the same for any two tools, and names none (R14). No field has a
 * default and none but a yes is required: what the user does not fill in stays open.
 */
export function formOf(question: AskedQuestion, run: RunInput): Form {
  const { about, text } = question;
  if (about === 'intent' || about === 'tool') {
    const properties = { [WORDS]: { type: 'string', title: 'In your own words' } };
    return { message: text, requestedSchema: { type: 'object', properties, required: [WORDS] } };
  }
  if (about === 'approval') {
    const properties = { [YES]: { type: 'boolean', title: 'Yes, all of this is right' } };
    return { message: text, requestedSchema: { type: 'object', properties, required: [YES] } };
  }
  const properties: Record<string, JsonObject> = {};
  for (const { slot, prior } of question.slots) {
    properties[slot] = { ...fieldOf(run, slot), title: slot };
    if (prior !== undefined)
      properties[`${slot}${AGAIN}`] = { type: 'boolean', title: `${slot}: ${JSON.stringify(prior)} again` };
  }
  return { message: text, requestedSchema: { type: 'object', properties } };
}

/** Reads what was submitted: a text is read by the slot's reader, a choice or a number is the value. Never a model. RULES R9. */
export function submitted(question: AskedQuestion, content: JsonObject): Submitted {
  const { about } = question;
  if (about === 'approval') {
    if (content[YES] === true) return { says: 'yes' };
    return content[YES] === false ? { says: 'no' } : null;
  }
  if (about === 'intent' || about === 'tool') {
    const text = content[WORDS];
    if (typeof text !== 'string' || text.trim() === '') return null;
    return { says: 'answers', answers: [{ slot: WORDS, text }] };
  }
  const answers = question.slots.flatMap(({ slot, prior }): SlotAnswer[] => {
    const value = withoutMarks(content[slot] ?? null);
    if (typeof value === 'string' && value.trim() !== '') return [{ slot, text: value }];
    if (value !== null && typeof value !== 'string') return [{ slot, value }];
    return prior !== undefined && content[`${slot}${AGAIN}`] === true ? [{ slot, candidate: true }] : [];
  });
  return answers.length === 0 ? null : { says: 'answers', answers };
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
