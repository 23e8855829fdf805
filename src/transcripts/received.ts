import { type IngressFault, parseMarked } from '../events/ingress.ts';
import type { Json } from '../events/json.ts';
import { type Pointer, at as valueAt } from '../events/pointer.ts';
import { ancestorsOf, spansOf } from './source-text.ts';

export { ancestorsOf };

/** A JSON value and what could not be read exactly in it. Pointers are relative to `value`. */
export interface Received {
  readonly value: Json;
  readonly faults: readonly IngressFault[];
  /** The first fault inside the value at a pointer (a doubled key of that very name lies outside it). */
  faultIn(pointer: Pointer): IngressFault | null;
  /** The text, as received, of a value that has a fault inside; null of all else. */
  raw(pointer: Pointer): string | null;
}

/** Reads a text as JSON and marks what is not exact. A fault here means that there is no value at all. */
export function receive(text: string): Received | { readonly fault: IngressFault } {
  const read = parseMarked(text);
  if ('fault' in read) return read;
  return receivedFrom(read.value, read.faults, text);
}

function receivedFrom(value: Json, faults: readonly IngressFault[], text: string): Received {
  const inside = new Map<Pointer, IngressFault>();
  for (const fault of faults) {
    for (const ancestor of ancestorsOf(fault.pointer)) {
      if (!inside.has(ancestor)) inside.set(ancestor, fault);
    }
  }
  let spans: Map<Pointer, string> | null = null;
  return {
    value,
    faults,
    faultIn: (pointer) => inside.get(pointer) ?? null,
    raw(pointer) {
      spans ??= spansOf(text, (candidate) => inside.has(candidate));
      return spans.get(pointer) ?? null;
    },
  };
}

/** The elements of an array, each on its own. */
export function elementsOf(whole: Received, elements: readonly Json[]): Received[] {
  const faults = new Map<string, IngressFault[]>();
  for (const fault of whole.faults) {
    const [, index = '', rest = ''] = /^\/([^/]*)(.*)$/s.exec(fault.pointer) ?? [];
    const own = faults.get(index) ?? [];
    own.push({ ...fault, pointer: rest });
    faults.set(index, own);
  }
  return elements.map((value, i) => ({
    value,
    faults: faults.get(String(i)) ?? [],
    faultIn: (pointer) => whole.faultIn(`/${i}${pointer}`),
    raw: (pointer) => whole.raw(`/${i}${pointer}`),
  }));
}

/** The value at a pointer, on its own; null where there is none. */
export function partOf(whole: Received, pointer: Pointer): Received | null {
  const value = valueAt(whole.value, pointer);
  if (value === undefined) return null;
  return {
    value,
    faults: whole.faults
      .filter((fault) => fault.pointer.startsWith(`${pointer}/`))
      .map((fault) => ({ ...fault, pointer: fault.pointer.slice(pointer.length) })),
    faultIn: (inner) => whole.faultIn(`${pointer}${inner}`),
    raw: (inner) => whole.raw(`${pointer}${inner}`),
  };
}

/** Several values as one array, each keeping its own source text. */
export function joined(parts: readonly Received[]): Received {
  const split = (pointer: Pointer) => {
    const [, index = '', rest = ''] = /^\/(\d+)(.*)$/s.exec(pointer) ?? [];
    return { part: parts[Number(index)], rest };
  };
  return {
    value: parts.map((part) => part.value),
    faults: parts.flatMap((part, i) =>
      part.faults.map((fault) => ({ ...fault, pointer: `/${i}${fault.pointer}` })),
    ),
    faultIn(pointer) {
      const { part, rest } = split(pointer);
      return part?.faultIn(rest) ?? null;
    },
    raw(pointer) {
      const { part, rest } = split(pointer);
      return part?.raw(rest) ?? null;
    },
  };
}
