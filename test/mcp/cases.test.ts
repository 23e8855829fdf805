import { describe, expect, test } from 'vitest';
import { ACTS } from './scenarios-acts.ts';
import { APPROVALS } from './scenarios-approvals.ts';
import { OUTCOMES } from './scenarios-outcomes.ts';
import { VALUES } from './scenarios-values.ts';

/** The public failures that are played against a real MCP server; the others have no tool call in them. */
const WANTED = [...range(1, 17), 21, 22, 26, ...range(31, 42)];

describe('The scenarios', () => {
  test('play each of these cases', () => {
    const played = new Set([VALUES, APPROVALS, ACTS, OUTCOMES].flat().flatMap(({ cases }) => cases));
    expect(WANTED.filter((number) => !played.has(number))).toEqual([]);
  });
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
