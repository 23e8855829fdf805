import { isArray, isObject, type Json, type JsonObject } from '../events/json.ts';
import { wrongShape } from './bad-input.ts';
import type { Origin } from './conversation.ts';
import { leftOut } from './shape.ts';

/** Parts by which other formats call tools. To skip them would lose calls without a word. */
export const CALLS_IN_PARTS: readonly string[] = [
  'tool_use',
  'tool_result',
  'tool-call',
  'tool-result',
  'toolCall',
  'toolUse',
  'function_call',
  'function_call_output',
];

const TEXT_PARTS: Readonly<Record<string, string>> = {
  text: 'text',
  input_text: 'text',
  output_text: 'text',
  refusal: 'refusal',
};

export interface Part {
  readonly body: Json;
  /** null where the content is not in parts. */
  readonly part: number | null;
}

export interface Content {
  readonly parts: readonly Part[];
  readonly notes: readonly string[];
}

/** The pieces of text of a message's `content`: a string, an array of parts, or null. */
export function contentOf(content: Json | undefined, pointer: string, origin: Origin): Content {
  if (content === null || content === undefined) return { parts: [], notes: [] };
  if (typeof content === 'string') return { parts: [{ body: content, part: null }], notes: [] };
  if (!isArray(content)) throw wrongShape(origin, pointer, 'is neither text nor an array of parts nor null');
  const parts: Part[] = [];
  const notes: string[] = [];
  content.forEach((part, index) => {
    if (typeof part === 'string') parts.push({ body: part, part: index });
    else if (isPart(part)) {
      const text = textOf(part, `${pointer}/${index}`, origin);
      if (text === null) notes.push(leftOut(part.type));
      else parts.push({ body: text, part: index });
    } else throw wrongShape(origin, `${pointer}/${index}`, 'is not a content part (an object with a type)');
  });
  return { parts, notes };
}

/** A tool's content may also be a JSON value as it is, where the recorder did not make text of it. */
export function resultOf(content: Json | undefined, pointer: string, origin: Origin): Content {
  const inParts = isArray(content) && content.every((part) => isPart(part) && !isObject(part.data));
  if (inParts && content.length > 0) return contentOf(content, pointer, origin);
  if (content === null || content === undefined) return { parts: [{ body: '', part: null }], notes: [] };
  return { parts: [{ body: content, part: null }], notes: [] };
}

function isPart(part: Json): part is JsonObject & { type: string } {
  return isObject(part) && typeof part.type === 'string';
}

function textOf(part: JsonObject & { type: string }, pointer: string, origin: Origin): string | null {
  if (CALLS_IN_PARTS.includes(part.type)) {
    throw wrongShape(origin, pointer, `is a ${part.type}, which OpenAI chat messages do not have`);
  }
  const key = TEXT_PARTS[part.type];
  if (key === undefined) return null;
  const text = part[key];
  if (typeof text !== 'string') throw wrongShape(origin, pointer, `has no ${key}`);
  return text;
}
