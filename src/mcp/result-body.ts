import { encode } from '../events/canonical.ts';
import { isArray, isObject, type Json, type JsonObject } from '../events/json.ts';
import { structure } from '../transcripts/structured.ts';
import { exactText, holdsMark } from './exact-message.ts';

/**
 * What a tool's result says, as it is recorded: the structured value, else its text; of several pieces, a list. A text that only
 * repeats the structured value is left out, as an import does. What is neither (an image, a sound) is named by its kind and not
 * kept. Marked numbers give the text of the whole, which is then found not to be exact and measures nothing.
 */
export function resultBody(result: JsonObject): Json | string {
  const structured = result.structuredContent;
  const pieces: Json[] = structured === undefined ? [] : [structured];
  for (const part of isArray(result.content) ? result.content : []) {
    const text = textOf(part);
    if (text === null)
      pieces.push({ type: isObject(part) && typeof part.type === 'string' ? part.type : 'unknown' });
    else if (structured === undefined || !says(text, structured)) pieces.push(text);
  }
  const [only] = pieces;
  const body = only !== undefined && pieces.length === 1 ? only : pieces;
  return typeof body !== 'string' && holdsMark(body) ? exactText(body) : body;
}

function textOf(part: Json): string | null {
  if (!isObject(part)) return null;
  if (part.type === 'text') return typeof part.text === 'string' ? part.text : null;
  if (part.type !== 'resource' || !isObject(part.resource)) return null;
  return typeof part.resource.text === 'string' ? part.resource.text : null;
}

function says(text: string, value: Json): boolean {
  const read = structure(text);
  if (read !== null && 'value' in read) return same(read.value, value);
  // Servers that must give an object put a plain text into one of one field.
  return isObject(value) && Object.keys(value).length === 1 && Object.values(value)[0] === text;
}

function same(a: Json, b: Json): boolean {
  try {
    return encode(a) === encode(b);
  } catch {
    return false;
  }
}
