import { fc, test as law } from '@fast-check/vitest';
import { evaluate as celEvaluate } from '@marcbachmann/cel-js';
import { describe, expect } from 'vitest';
import type { Json } from '../../../src/events/json.ts';
import { run } from './support.ts';

/** Well-typed expressions of the part in which CEL and the profile mean the same: integers, texts, truth, lists. */
const { int, bool } = fc.letrec<{ int: string; bool: string; text: string; list: string }>((tie) => ({
  int: fc.oneof(
    { depthSize: 'small' },
    fc.integer({ min: 0, max: 99 }).map(String),
    fc.tuple(tie('int'), fc.constantFrom('+', '-', '*'), tie('int')).map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc
      .tuple(tie('int'), fc.constantFrom('/', '%'), fc.integer({ min: 1, max: 9 }))
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
    tie('int').map((a) => `(-${a})`),
    tie('list').map((a) => `size(${a})`),
    fc.tuple(tie('bool'), tie('int'), tie('int')).map(([t, a, b]) => `(${t} ? ${a} : ${b})`),
  ),
  bool: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('true', 'false'),
    fc
      .tuple(tie('int'), fc.constantFrom('==', '!=', '<', '<=', '>', '>='), tie('int'))
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc
      .tuple(tie('text'), fc.constantFrom('==', '!=', '<', '>='), tie('text'))
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc.tuple(tie('bool'), fc.constantFrom('&&', '||'), tie('bool')).map(([a, op, b]) => `(${a} ${op} ${b})`),
    tie('bool').map((a) => `(!${a})`),
    fc.tuple(tie('int'), tie('list')).map(([a, l]) => `(${a} in ${l})`),
    fc
      .tuple(tie('list'), fc.constantFrom('all', 'exists', 'exists_one'), tie('int'))
      .map(([l, m, a]) => `${l}.${m}(x, x < ${a})`),
    fc.tuple(tie('text'), tie('text')).map(([a, b]) => `${a}.startsWith(${b})`),
  ),
  text: fc.oneof(
    { depthSize: 'small' },
    fc.stringMatching(/^[a-c]{0,3}$/).map((text) => `"${text}"`),
    fc.tuple(tie('text'), tie('text')).map(([a, b]) => `(${a} + ${b})`),
  ),
  list: fc.oneof(
    { depthSize: 'small' },
    fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 3 }).map((l) => `[${l.join(', ')}]`),
    tie('list').map((l) => `${l}.map(x, x + 1)`),
    tie('list').map((l) => `${l}.filter(x, x % 2 == 0)`),
    fc.tuple(tie('list'), tie('list')).map(([a, b]) => `(${a} + ${b})`),
  ),
}));

describe('where the profile and CEL mean the same', () => {
  law.prop([fc.oneof(int, bool)], { numRuns: 300 })('the library is an oracle', (source) => {
    fc.pre(source.length < 600);
    let theirs: unknown;
    try {
      theirs = celEvaluate(source);
    } catch {
      // 64-bit overflow, which exact numbers don't have.
      fc.pre(false);
    }
    const ours = run(source);
    fc.pre(!('fault' in ours && ours.fault === 'not_representable'));
    const expected: Json = typeof theirs === 'bigint' ? Number(theirs) : (theirs as Json);
    expect(ours).toEqual({ value: expected });
  });
});
