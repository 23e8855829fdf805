import { z } from 'zod';
import type { JsonObject } from '../events/json.ts';
import { Checklist } from './checklist.ts';

/**
 * The JSON Schema (2020-12) of a checklist file as written, for editors and for validators in other languages. It has
 * the shape only; what goes across items is `soundnessOf`.
 */
export function checklistJsonSchema(): JsonObject {
  const schema = z.toJSONSchema(Checklist, { io: 'input', target: 'draft-2020-12' });
  return JSON.parse(JSON.stringify(schema)) as JsonObject;
}
