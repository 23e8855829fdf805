import { describe, expect, test } from 'vitest';
import { holds } from './holds.ts';
import { judged, type Law, must } from './law.ts';
import { LAWS } from './laws.ts';
import { worlds } from './worlds.ts';

/** Fails by design: there are executable worlds, and a harness that can't see one sees nothing. */
const CANARY: Law = {
  id: 0,
  title: 'No verdict is ever executable',
  runs: 1_000,
  check: (world) => {
    const { verdict } = judged(world);
    must(verdict.kind !== 'executable', () => verdict.kind);
  },
};

describe('The laws of the gate', () => {
  for (const { id, title, runs, check } of LAWS) {
    test(`law ${id}: ${title}`, () => {
      holds(`law ${id}:`, worlds, check, runs);
    });
  }

  test('a law that is false is found to be so, with a line that finds it again', () => {
    expect(() => holds('canary', worlds, CANARY.check, CANARY.runs)).toThrow(
      /^GROUNDS_SEED=-?[0-9]+ GROUNDS_PATH=[0-9:]+ npx vitest run test\/laws/,
    );
  });
});
