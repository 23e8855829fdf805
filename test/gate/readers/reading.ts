import { expect } from 'vitest';
import type { ReaderSpec } from '../../../src/declarations/checklist.ts';
import type { Json } from '../../../src/events/json.ts';
import { type ReadContext, type Reader, readerOf } from '../../../src/gate/readers/index.ts';

/** A Wednesday afternoon, five hours west of UTC. */
export const AT: ReadContext = { at: '2024-05-15T15:00:00-05:00', zone: '-05:00' };
export const NO_TIME: ReadContext = { at: null, zone: 'UTC' };

export function reader(name: string, spec?: ReaderSpec): Reader {
  const found = readerOf(name, spec === undefined ? {} : { [name]: spec });
  if (found === null) throw new Error(`no reader ${name}`);
  return found;
}

/** The words of every span at which the value was found. */
export const found = (of: Reader, text: string, value: Json, context: ReadContext = AT): string[] =>
  of.find(text, value, context).map(({ start, end }) => text.slice(start, end));

/** The values that a typed reader reads, in order. */
export const read = (of: Reader, text: string, context: ReadContext = AT): readonly Json[] =>
  (of.scan(text, context) ?? []).map(({ value }) => value);

/** Every answer of a reader must agree with every other. */
export function agrees(of: Reader, text: string, value: Json, context: ReadContext): void {
  const denoted = of.fromJson(value, context) ?? value;
  for (const span of of.find(text, value, context)) {
    const there = of.readAt(text, span, context);
    expect(there).toBeDefined();
    if (there !== undefined) expect(of.same(there, denoted)).toBe(true);
  }
  for (const { start, end, value: scanned } of of.scan(text, context) ?? []) {
    expect(of.readAt(text, { start, end }, context)).toEqual(scanned);
    expect(of.find(text, scanned, context)).toContainEqual({ start, end });
    expect(of.fromJson(scanned, context)).toEqual(scanned);
  }
}
