import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../src/events/verdict.ts';
import { judged } from './law.ts';
import { worlds } from './worlds.ts';

/** The rows of the settling table that show in a verdict; S18 goes on as though nothing had been there. */
const ROWS = Array.from({ length: 24 }, (_, index) => `S${index + 1}`).filter((row) => row !== 'S18');

function rowsOf(verdict: Verdict): string[] {
  return (verdict.slots ?? []).flatMap((state) => [
    state.rule,
    ...(state.state === 'unknown' && state.candidate !== null ? ['S16'] : []),
    ...(state.state === 'unknown' && state.pending ? ['S24'] : []),
  ]);
}

/** Laws over worlds in which nothing is ever settled would hold for nothing. */
describe('The worlds of the laws', () => {
  const verdicts = fc.sample(worlds, { seed: 11, numRuns: 2_000 }).map((world) => judged(world).verdict);

  test('reach every row of the settling table', () => {
    const reached = new Set(verdicts.flatMap(rowsOf));
    expect(ROWS.filter((row) => !reached.has(row))).toEqual([]);
  });

  test('reach every kind of verdict, and one in twenty is executable', () => {
    const count = (kind: Verdict['kind']): number => verdicts.filter((each) => each.kind === kind).length;
    expect(count('executable') / verdicts.length).toBeGreaterThanOrEqual(0.05);
    for (const kind of [
      'schedulable',
      'unknown',
      'unmet',
      'intent_undetermined',
      'tool_undetermined',
      'definition_repair',
    ] as const) {
      expect(count(kind), kind).toBeGreaterThan(10);
    }
  });
});
