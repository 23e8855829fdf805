import type { IngressFaultCode } from '../events/ingress.ts';
import { isArray, isObject, type Json, type JsonObject } from '../events/json.ts';
import { pythonLiteral } from './python-literal.ts';
import { receive } from './received.ts';
import { yamlRecord } from './yaml-record.ts';

/** A structured value, or why one that is meant can't be read exactly; null where it is only text. */
export type Structure =
  | { readonly value: JsonObject | readonly Json[] }
  | { readonly fault: IngressFaultCode }
  | null;

/**
 * What a tool result's text denotes, where it is structured: a JSON object or array, a Python literal of that kind, or
 * YAML records. A fault where it is one but can't be read exactly (RULES R8b: such a result measures nothing); null where
 * it is only text, as scalars and prose are.
 */
export function structure(text: string): Structure {
  const first = /^[ \t\r\n]*([^ \t\r\n])/.exec(text)?.[1];
  if (first === '{' || first === '[') {
    const read = receive(text);
    if ('fault' in read) {
      return read.fault.code === 'too_deep' ? { fault: read.fault.code } : pythonLiteral(text);
    }
    const [fault] = read.faults;
    if (fault) return { fault: fault.code };
    return isObject(read.value) || isArray(read.value) ? { value: read.value } : null;
  }
  return first === '(' ? pythonLiteral(text) : yamlRecord(text);
}
