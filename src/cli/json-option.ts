import { parseExact } from '../events/ingress.ts';
import type { Json } from '../events/json.ts';
import { usage } from './report-error.ts';

/** An option that holds JSON, read exactly. */
export function jsonOption(option: string, text: string, example: string): Json {
  const read = parseExact(text);
  if ('value' in read) return read.value;
  throw usage(`${option} is no JSON.`, `Give JSON: ${option} '${example}'.`, { fault: read.fault.code });
}
