import { describe, expect, test } from 'vitest';
import { replayed } from '../replay/recorded.ts';
import { hooked, transferred } from './hooked.ts';

describe('A run with hooks', () => {
  test('is executable where every hook finds a place for what it says, and replays', async () => {
    const preflight = hooked();
    const { verdict, input } = await transferred(preflight);
    expect(verdict).toMatchObject({ kind: 'executable', unknown_count: 0 });
    expect(input.entries).toEqual([
      { kind: 'timing', timing: 'immediate' },
      { kind: 'match', approved: true },
    ]);
    expect(replayed(preflight.log).summary).toMatchObject({ matched: 1, diverged: 0, tampered: 0 });
  });
});
