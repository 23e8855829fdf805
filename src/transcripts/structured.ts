import type { IngressFault } from '../events/ingress.ts';
import { isArray, isObject, type Json, type JsonObject } from '../events/json.ts';
import { receive } from './received.ts';

/**
 * What a tool result's text denotes, where it is structured: a JSON object or array that could be read exactly. A
 * fault where it is one but can't be (RULES R8b: such a result measures nothing); null where it is only text, as
 * scalars are. Other notations join here.
 */
export function structure(
  text: string,
): { value: JsonObject | readonly Json[] } | { fault: IngressFault } | null {
  if (!/^[ \t\r\n]*[[{]/.test(text)) return null;
  const read = receive(text);
  if ('fault' in read) return read.fault.code === 'too_deep' ? read : null;
  const [fault] = read.faults;
  if (fault) return { fault };
  return isObject(read.value) || isArray(read.value) ? { value: read.value } : null;
}
