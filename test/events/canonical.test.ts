import { fc, test as law } from '@fast-check/vitest';
import canonicalize from 'canonicalize';
import { describe, expect, test } from 'vitest';
import { isGroundsError } from '../../src/errors.ts';
import { encode, MAX_DEPTH } from '../../src/events/canonical.ts';
import { digestOf, digestOfBytes } from '../../src/events/digest.ts';
import type { Json } from '../../src/events/json.ts';

function refusal(value: unknown): unknown {
  try {
    encode(value);
  } catch (error) {
    if (isGroundsError(error)) return { code: error.code, ...error.facts };
    throw error;
  }
  return 'encoded';
}

const KEYS = ['10', '9', '__proto__', 'constructor', 'toJSON', 'é', '\ud83d\ude02', '\ufb33', ''];
/** Whatever JSON can hold and the encoder takes. */
const json = fc.letrec<{ value: Json; leaf: Json; key: string }>((tie) => ({
  key: fc.oneof(fc.constantFrom(...KEYS), fc.string({ unit: 'binary', maxLength: 4 })),
  leaf: fc.oneof(
    fc.constant(null),
    fc.boolean(),
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter((n) => !Number.isInteger(n) || Number.isSafeInteger(n)),
  ),
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    tie('leaf'),
    fc.array(tie('value'), { maxLength: 5 }),
    fc
      .uniqueArray(fc.tuple(tie('key'), tie('value')), { selector: ([key]) => key, maxLength: 6 })
      .map((members) => Object.fromEntries(members)),
  ),
})).value;

/** The same value with the keys of every object turned round. */
function turned(value: Json): Json {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, turned(member)]),
  );
}

describe('what it writes', () => {
  law.prop([json])('is what another RFC 8785 encoder writes', (value) => {
    expect(encode(value)).toBe(canonicalize(value));
  });

  law.prop([json])('reads back to a value that is written the same', (value) => {
    expect(encode(JSON.parse(encode(value)))).toBe(encode(value));
  });

  law.prop([json])('does not depend on the order of keys, at any depth', (value) => {
    expect(encode(turned(value))).toBe(encode(value));
  });

  test.each([
    ['333333333.33333329', '333333333.3333333'],
    ['4.50', '4.5'],
    ['2e-3', '0.002'],
    ['0.000000000000000000000000001', '1e-27'],
    ['-0', '0'],
    ['5e-324', '5e-324'],
    ['-5e-324', '-5e-324'],
    ['9007199254740991', '9007199254740991'],
    ['-9007199254740991', '-9007199254740991'],
    ['333333333.3333332', '333333333.3333332'],
    ['-0.0000033333333333333333', '-0.0000033333333333333333'],
    ['1424953923781206.25', '1424953923781206.2'],
  ])('renders the number %s as %s', (received, rendered) => {
    expect(encode(JSON.parse(received))).toBe(rendered);
  });

  test('escapes only what the RFC escapes', () => {
    expect(encode('\u20ac$\u000f\nA\'\u0042\u0022\u005c\\"/\b\t\f\r\u007f\u2028')).toBe(
      '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/\\b\\t\\f\\r\u007f\u2028"',
    );
  });

  test('orders keys by UTF-16 code units', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude02': 'Smiley',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    expect(encode(value)).toBe(
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis",' +
        '"€":"Euro Sign","\ud83d\ude02":"Smiley","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    );
  });

  test('keeps number-like keys in text order, and __proto__ as a key', () => {
    expect(encode(JSON.parse('{"9":1,"__proto__":{"b":1,"a":2},"10":2}'))).toBe(
      '{"10":2,"9":1,"__proto__":{"a":2,"b":1}}',
    );
  });

  test('sorts objects of many keys the same way', () => {
    const keys = Array.from({ length: 100 }, (_, n) => `k${(n * 37) % 100}`);
    const value = Object.fromEntries(keys.map((key) => [key, 1]));
    expect(encode(value)).toBe(canonicalize(value));
  });

  test('takes objects without a prototype, and frozen ones', () => {
    const bare = Object.assign(Object.create(null) as object, { b: 1, a: Object.freeze([1]) });
    expect(encode(Object.freeze(bare))).toBe('{"a":[1],"b":1}');
  });
});

describe('what it refuses', () => {
  class Thing {
    a = 1;
  }
  const withSymbol = { a: 1, [Symbol('s')]: 2 };
  const hidden = Object.defineProperty({ a: 1 }, 'b', { value: 2, enumerable: false });
  const getter = {
    get a() {
      throw new Error('was called');
    },
  };
  const holes = [1, 2, 3];
  delete holes[1];
  const named = Object.assign([1], { extra: 1 });
  const both = Object.assign([1, 2], { extra: 1 });
  delete both[0];
  class Things extends Array<number> {}
  const elementGetter = Object.defineProperty([1], 0, { get: () => 1, enumerable: true });

  test.each<[string, unknown, string]>([
    ['undefined', undefined, 'undefined'],
    ['a function', () => 1, 'function'],
    ['a symbol', Symbol('x'), 'symbol'],
    ['a bigint', 1n, 'bigint'],
    ['NaN', Number.NaN, 'a number that is not finite'],
    ['Infinity', Number.POSITIVE_INFINITY, 'a number that is not finite'],
    ['2^53', 2 ** 53, 'an integer beyond 2^53−1'],
    ['1e30, which the RFC could write', 1e30, 'an integer beyond 2^53−1'],
    ['a lone high surrogate', 'a\ud800', 'a string with a lone surrogate'],
    ['a lone low surrogate in a long string', `${'a'.repeat(100)}\udc00b`, 'a string with a lone surrogate'],
    ['a Map', new Map(), 'an instance of a class'],
    ['a Date', new Date(0), 'an instance of a class'],
    ['a boxed number', Object(1), 'an instance of a class'],
    ['a boxed string', Object('a'), 'an instance of a class'],
    ['bytes', new Uint8Array(1), 'an instance of a class'],
    ['an instance', new Thing(), 'an instance of a class'],
    ['an array of a subclass', Things.from([1]), 'an instance of a class'],
    ['symbol keys', withSymbol, 'an object with symbol keys'],
    ['symbol keys of an array', Object.assign([1], { [Symbol('s')]: 1 }), 'an array with symbol keys'],
    ['hidden members', hidden, 'an object with hidden members'],
    ['a sparse array', holes, 'an array with holes or named members'],
    ['an array with a name', named, 'an array with holes or named members'],
  ])('refuses %s', (_, value, reason) => {
    expect(refusal(value)).toEqual({ code: 'events/not-json', pointer: '', reason });
    expect(refusal({ 'a/b': [0, { c: value }] })).toEqual({
      code: 'events/not-json',
      pointer: '/a~1b/1/c',
      reason,
    });
  });

  test.each<[string, unknown, string, string]>([
    ['an undefined member, which is not dropped', { a: undefined }, '/a', 'undefined'],
    ['an accessor, without calling it', getter, '/a', 'an accessor'],
    ['an accessor in an array', elementGetter, '/0', 'an accessor'],
    ['a hole that a name makes up for', both, '/0', 'a hole'],
    ['toJSON', { toJSON: () => 1 }, '/toJSON', 'function'],
    ['a key with a lone surrogate', { '\udc00': 1 }, '/\udc00', 'a string with a lone surrogate'],
  ])('refuses %s', (_, value, pointer, reason) => {
    expect(refusal(value)).toEqual({ code: 'events/not-json', pointer, reason });
  });

  test('refuses what nests too deep, a cycle with it, and takes what just fits', () => {
    const nest = (depth: number): Json => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as Json;
    expect(encode(nest(MAX_DEPTH))).toHaveLength(2 * MAX_DEPTH);
    expect(refusal(nest(MAX_DEPTH + 1))).toMatchObject({ reason: 'nested deeper than 288' });
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(refusal(cycle)).toMatchObject({ reason: 'nested deeper than 288' });
  });
});

test('a digest is of the canonical bytes', () => {
  expect(digestOf({ b: 1, a: 'é' })).toBe(digestOfBytes('{"a":"é","b":1}'));
  expect(digestOfBytes('')).toBe('sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(digestOfBytes(new Uint8Array())).toBe(digestOfBytes(''));
});
