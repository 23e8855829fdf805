import type { IngressFault } from './ingress-fault.ts';
import { type Patch, scan } from './ingress-scan.ts';
import type { Json } from './json.ts';

export { faultMessage, type IngressFault, type IngressFaultCode } from './ingress-fault.ts';
export { MAX_FOREIGN_DEPTH } from './ingress-scan.ts';

/**
 * Foreign JSON, read exactly or not at all. `JSON.parse` rounds numbers and keeps the last of two equal keys without a
 * word; here both are faults that quote what was received. A text that isn't JSON at all is said first; otherwise the
 * first fault in the text. Never throws.
 */
export function parseExact(text: string): { readonly value: Json } | { readonly fault: IngressFault } {
  const { fatal, faults, patches } = scan(text);
  const fault = fatal ?? faults[0];
  return fault === undefined ? { value: patchedValue(text, patches) } : { fault };
}

/**
 * The same, but what could not be read exactly is marked, so that one faulty part of a transcript doesn't lose the rest.
 * At a marked place stands something that can be stored and can't be taken for the value: an inexact number as its
 * lexeme in a string, half a surrogate pair as U+FFFD; of two equal keys, the last. Only a text that isn't JSON, or
 * nests too deep, gives no value. Never throws.
 */
export function parseMarked(
  text: string,
): { readonly value: Json; readonly faults: readonly IngressFault[] } | { readonly fault: IngressFault } {
  const { fatal, faults, patches } = scan(text);
  return fatal === null ? { value: patchedValue(text, patches), faults } : { fault: fatal };
}

function patchedValue(text: string, patches: readonly Patch[]): Json {
  let patched = '';
  let from = 0;
  for (const patch of patches) {
    patched += text.slice(from, patch.start) + patch.text;
    from = patch.end;
  }
  return JSON.parse(from === 0 ? text : patched + text.slice(from)) as Json;
}
