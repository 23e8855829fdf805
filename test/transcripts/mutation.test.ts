import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { isGroundsError } from '../../src/errors.ts';
import { fileOf, fixtureText, readAll } from './files.ts';

const runs = Number(process.env.GROUNDS_FUZZ ?? 300);
const SAMPLES = ['openai-chat.json', 'openai-chat.jsonl', 'tau-runs.json'].map((name) =>
  Buffer.from(fixtureText(name)),
);
/** What breaks parsers: half tokens, halves of characters, numbers and keys that don't hold. */
const SCRAPS = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  '\\',
  '\\ud800',
  '\n',
  '\0',
  'null',
  '1e999',
  '-0',
  '0.1',
  '7',
].concat([
  '"role":"tool",',
  '"role":"assistant",',
  '"arguments":{},',
  '9007199254740993',
  '"__proto__":{},',
  '[[[[[[[[',
  '\uFEFF',
]);

const scrap = fc.oneof(
  fc.constantFrom(...SCRAPS).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
);
const edit = fc.record({ at: fc.nat(), drop: fc.nat({ max: 30 }), put: scrap });
const mutated = fc
  .tuple(fc.constantFrom(...SAMPLES), fc.array(edit, { minLength: 1, maxLength: 4 }))
  .map(([sample, edits]) =>
    edits.reduce((bytes, { at, drop, put }) => {
      const from = at % (bytes.length + 1);
      return Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(from + drop)]);
    }, sample),
  );

describe('a damaged transcript', () => {
  test.prop([mutated], { numRuns: runs, seed: 20250304 })(
    'gives whole conversations or a named error, never another',
    (bytes) => {
      try {
        for (const { segments, calls } of readAll(fileOf(bytes))) {
          for (const { before, result, arguments: args } of calls) {
            expect(before).toBeLessThanOrEqual(segments.length);
            expect(result === null || (result >= before && result < segments.length)).toBe(true);
            expect(args.value === null).toBe(args.fault !== null);
          }
        }
      } catch (error) {
        if (!isGroundsError(error)) throw error;
        expect([error.code.startsWith('transcript/'), error.exit]).toEqual([true, 2]);
      }
    },
  );

  test.prop([mutated], { numRuns: runs, seed: 4 })('never throws where faults are taken', (bytes) => {
    const codes: string[] = [];
    const read = readAll(fileOf(bytes), { onFault: (error) => codes.push(error.code) }).length;
    expect(read + codes.length).toBeGreaterThan(0);
  });
});
