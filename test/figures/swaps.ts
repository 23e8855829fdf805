import { isArray, isObject, type Json, type JsonObject } from '../../src/events/json.ts';
import { drive, locate } from '../../src/gate/index.ts';
import type { Write } from './tau-bench.ts';

/** A proposal whose leaves are each true somewhere, but not together. */
export interface Swap {
  readonly array: string;
  readonly column: string;
  /** The two elements that gave each other the column's value. */
  readonly elements: readonly [number, number];
  readonly args: Json;
}

/** Arrays that belong together by index. */
const PAIRS = [['item_ids', 'new_item_ids']] as const;

/**
 * Every exchange of one column between two elements that differ in it and in something else (where nothing else differs,
 * the exchange only puts the same elements in another order).
 */
export function swapsOf(args: Json): Swap[] {
  if (!isObject(args)) return [];
  const swaps: Swap[] = [];
  for (const [array, elements] of Object.entries(args)) {
    if (!isArray(elements) || !elements.every((element) => isObject(element))) continue;
    const columns = [...new Set(elements.flatMap((element) => Object.keys(element)))];
    for (const column of columns) {
      for (const [a, b] of couples(elements.length)) {
        const [left, right] = [elements[a] as JsonObject, elements[b] as JsonObject];
        if (!differ(left[column], right[column])) continue;
        if (!columns.some((other) => other !== column && differ(left[other], right[other]))) continue;
        const swapped = elements.map((element, index) => {
          if (index === a) return { ...left, [column]: right[column] as Json };
          return index === b ? { ...right, [column]: left[column] as Json } : element;
        });
        swaps.push({ array, column, elements: [a, b], args: { ...args, [array]: swapped } });
      }
    }
  }
  for (const [keys, values] of PAIRS) {
    const [left, right] = [args[keys], args[values]];
    if (!isArray(left) || !isArray(right)) continue;
    for (const [a, b] of couples(Math.min(left.length, right.length))) {
      if (!differ(left[a], left[b]) || !differ(right[a], right[b])) continue;
      const swapped = right.with(a, right[b] as Json).with(b, right[a] as Json);
      swaps.push({ array: keys, column: values, elements: [a, b], args: { ...args, [values]: swapped } });
    }
  }
  return swaps;
}

function couples(count: number): (readonly [number, number])[] {
  return Array.from({ length: count }, (_, a) => a).flatMap((a) =>
    Array.from({ length: count - a - 1 }, (_, more) => [a, a + 1 + more] as const),
  );
}

function differ(a: Json | undefined, b: Json | undefined): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}

/** What the gate finds for another proposal in the very state of the conversation in which a write was proposed. */
export function judgedWith(write: Write, args: Json): Write {
  const run = { ...write.run, proposal: { received: null, prepared: { plain: args } } };
  const { verdict } = drive(run, (request) => locate(run, request));
  return { ...write, args, run, verdict };
}
