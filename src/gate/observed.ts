import { plainOf } from '../events/content.ts';
import type { Json } from '../events/json.ts';
import { isExactNumber } from '../events/number-lexeme.ts';
import type { Segment } from '../events/segment.ts';

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/**
 * What a tool's result denotes where a declared fact reads it. A text that is one JSON number from end to end is JSON like
 * an object is (RULES R8b): a balance that is the whole result can be measured. Transcripts keep it as text, since alone
 * it does not say what it is; a fact that names its tool does. What no double holds exactly stays text.
 */
export function observed(segment: Segment): Json {
  const body = plainOf(segment.body);
  if (typeof body !== 'string' || !NUMBER.test(body) || !isExactNumber(body)) return body;
  const value = Number(body);
  return value === 0 ? 0 : value;
}
