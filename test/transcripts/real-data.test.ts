import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAll } from './files.ts';

const real = process.env.GROUNDS_REAL_DATA;
const FILES = [
  'tau-bench/gpt-4o-airline-1.jsonl',
  'tau-bench/tool-calling-l0-4o-1.jsonl',
  'formats/openai-chat.tau-bench-airline-run.json',
];

/** Counted in the text itself: in these files every call has its own `"function":` with a name. */
function counted(path: string): number {
  return readFileSync(path, 'utf8').match(/"type":\s*"function"/g)?.length ?? 0;
}

describe.skipIf(!real)('real transcripts (GROUNDS_REAL_DATA names their folder)', () => {
  it.each(FILES)('%s: every call is read, and has its result', (file) => {
    const path = join(real ?? '', file);
    const calls = readAll(path).flatMap((chat) => chat.calls);
    expect(calls.length).toBe(counted(path));
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.every(({ result, before }) => result === before)).toBe(true);
    expect(calls.every(({ arguments: args }) => args.fault === null)).toBe(true);
  });
});
