import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { isGroundsError } from '../../src/errors.ts';
import { isWellFormed } from '../../src/events/json.ts';
import { FORMATS, type ReadOptions } from '../../src/transcripts/index.ts';
import { fileOf, fixtureText, readAll } from './files.ts';
import { SAMPLES } from './samples.ts';

const runs = Number(process.env.GROUNDS_FUZZ ?? 200);
/** A sample of a few kilobytes takes milliseconds: this much for one would be a hang. */
const HANG = 5_000_000;
/** What breaks parsers: half tokens, halves of characters, numbers and keys that don't hold. */
const SCRAPS = [
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  ',',
  ':',
  '\\',
  '\\ud800',
  '\n',
  '\0',
  'null',
  'true',
  '{}',
  '[]',
  '""',
  '1e999',
  '-0',
  '0.1',
  '7',
  '"role":"tool",',
  '"role":"assistant",',
  '"type":"tool_use",',
  '"type":"text",',
  '"content":null,',
  '"id":null,',
  '"message":7,',
  '"arguments":{},',
  '9007199254740993',
  '"__proto__":{},',
  '[[[[[[[[',
  '\uFEFF',
];

const scrap = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...SCRAPS).map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)) },
);
const edit = fc.record({ at: fc.nat(), drop: fc.nat({ max: 30 }), put: scrap });

/** Bytes cut and pasted, which mostly break the JSON. */
function damaged(samples: readonly Buffer[]) {
  return fc
    .tuple(fc.constantFrom(...samples), fc.array(edit, { minLength: 1, maxLength: 4 }))
    .map(([sample, edits]) =>
      edits.reduce((bytes, { at, drop, put }) => {
        const from = at % (bytes.length + 1);
        return Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(from + drop)]);
      }, sample),
    );
}

const ODD = [
  null,
  true,
  7,
  '',
  'text',
  'tool',
  'user',
  [],
  {},
  [null],
  [[]],
  { type: 'text' },
  { role: 'user' },
];
const change = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('put', 'drop', 'twice'),
  put: fc.constantFrom(...ODD),
});
type Change = { at: number; how: string; put: unknown };

/** Values changed in place, so that the JSON stays whole and the readers see the damage. */
function disordered(samples: readonly Buffer[]) {
  return fc
    .tuple(fc.constantFrom(...samples), fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([sample, changes]) => {
      const text = sample.toString();
      const lines = text.startsWith('{\n') || text.startsWith('[\n') ? [text] : text.trim().split('\n');
      const values = changes.reduce<unknown>(
        changed,
        lines.map((line) => JSON.parse(line) as unknown),
      );
      return Buffer.from(
        (Array.isArray(values) && values.length > 0 ? values : [null])
          .map((value) => JSON.stringify(value))
          .join('\n'),
      );
    });
}

function changed(root: unknown, { at, how, put }: Change): unknown {
  const places: { holder: Record<string, unknown>; key: string }[] = [];
  const visit = (holder: unknown) => {
    if (typeof holder !== 'object' || holder === null) return;
    for (const [key, value] of Object.entries(holder)) {
      places.push({ holder: holder as Record<string, unknown>, key });
      visit(value);
    }
  };
  visit(root);
  const place = places[at % Math.max(places.length, 1)];
  if (!place) return root;
  const { holder, key } = place;
  if (how === 'put') holder[key] = structuredClone(put);
  else if (Array.isArray(holder))
    holder.splice(Number(key), how === 'drop' ? 1 : 0, ...(how === 'drop' ? [] : [holder[Number(key)]]));
  else if (how === 'drop') delete holder[key];
  return root;
}

function check(bytes: Uint8Array, options: ReadOptions): void {
  const started = process.cpuUsage();
  try {
    for (const { segments, calls, answers, identity } of readAll(fileOf(bytes), options)) {
      for (const { before, result, arguments: args, cannot_tell: cannot } of calls) {
        expect(before).toBeLessThanOrEqual(segments.length);
        expect(result === null || (result >= before && result < segments.length)).toBe(true);
        expect(args.value === null).toBe(args.fault !== null);
        expect(cannot.includes('no_result')).toBe(result === null);
      }
      for (const { call, before } of answers) {
        expect(call === null || call < calls.length).toBe(true);
        expect(before).toBeLessThanOrEqual(segments.length);
      }
      for (const { segment } of segments) expect(segment.typed && segment.author !== 'user').toBe(false);
      expect(isWellFormed(JSON.stringify(identity))).toBe(true);
    }
  } catch (error) {
    if (!isGroundsError(error)) throw error;
    expect([error.code.startsWith('transcript/'), error.exit]).toEqual([true, 2]);
  }
  expect(process.cpuUsage(started).user).toBeLessThan(HANG);
}

const BY_FORMAT = FORMATS.map(({ name }) => ({
  name,
  samples: SAMPLES.filter(({ format }) => format === name).map(({ file }) => Buffer.from(fixtureText(file))),
}));

describe.each(BY_FORMAT)('a damaged transcript of $name', ({ name, samples }) => {
  const mutated = fc.oneof(damaged(samples), disordered(samples));

  test.prop([mutated], { numRuns: runs, seed: 20250304 })(
    'gives whole conversations or a named error, never another',
    (bytes) => {
      check(bytes, {});
      check(bytes, { format: name });
    },
    600_000,
  );

  test.prop([mutated], { numRuns: Math.ceil(runs / 4), seed: 4 })(
    'never throws where faults are taken',
    (bytes) => {
      const codes: string[] = [];
      const read = readAll(fileOf(bytes), { onFault: (error) => codes.push(error.code) }).length;
      expect(read + codes.length).toBeGreaterThan(0);
    },
    600_000,
  );
});
