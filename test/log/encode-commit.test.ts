import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { encode } from '../../src/events/canonical.ts';
import { isInOrder } from '../../src/events/in-order.ts';
import { encodeEnvelope } from '../../src/log/index.ts';
import { event } from './conformance.ts';

const outcome = (work: () => string): string => {
  try {
    return work();
  } catch {
    return 'refused';
  }
};

/** All that JavaScript can hold, lone surrogates and holes too. */
const anything = fc.anything({
  key: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3 }),
    fc.constantFrom('__proto__', '10', '9', '\ud800'),
  ),
  values: [
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\udfff', '', -0, 1e21, 2 ** 53, Number.NaN, Infinity, null, undefined),
    fc.double(),
    fc.maxSafeInteger(),
    fc.boolean(),
  ],
  withSparseArray: true,
  withNullPrototype: true,
  withMap: true,
  withDate: true,
  withBigInt: true,
});

describe('the text of an envelope', () => {
  test.prop([anything, fc.string({ unit: 'binary' })], { numRuns: 500 })(
    'is what the encoder writes, and is refused where the encoder refuses',
    (data, id) => {
      const envelope = { ...event('T', data), id, stream: 'a' };
      expect(outcome(() => encodeEnvelope(envelope))).toBe(outcome(() => encode(envelope)));
    },
  );

  test.prop([anything], { numRuns: 500 })(
    'is left to the native writer only where that is canonical',
    (value) => {
      if (isInOrder(value)) expect(JSON.stringify(value)).toBe(encode(value));
    },
  );

  it.each([
    ['keys out of order', { b: 1, a: 2 }],
    ['keys that are numbers, in number order', { 9: 1, 10: 2 }],
    ['a symbol', { [Symbol('s')]: 1 }],
    ['a hidden member', Object.defineProperty({}, 'x', { value: 1 })],
    ['a function', { toJSON: () => 1 }],
    ['a named member of an array', Object.assign([1], { x: 1 })],
    ['a hole', Array(2)],
    ['an object of a class', new Date(0)],
    ['a lone surrogate as a key', { '\ud800': 1 }],
    ['an integer that is not exact', 2 ** 53],
  ])('is left to the encoder for %s', (_, value) => {
    expect(isInOrder(value)).toBe(false);
  });

  it('is written natively for plain data in order', () => {
    expect(
      isInOrder({ a: [1, -0, 'x', null, true, 0.5, {}], b: { 10: 0, 9: 0 }, c: Object.create(null) }),
    ).toBe(false);
    expect(isInOrder({ a: [1, -0, 'x', null, true, 0.5, {}], b: { c: Object.create(null) }, é: '😀' })).toBe(
      true,
    );
  });
});
