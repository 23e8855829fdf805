import { fc, test as law } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { encode } from '../../src/events/canonical.ts';
import {
  faultMessage,
  type IngressFault,
  MAX_FOREIGN_DEPTH,
  parseExact,
  parseMarked,
} from '../../src/events/ingress.ts';
import { isWellFormed } from '../../src/events/json.ts';

function faultOf(text: string): IngressFault {
  const read = parseExact(text);
  if ('fault' in read) return read.fault;
  throw new Error(`was read as ${JSON.stringify(read.value)}`);
}

function parsedValue(text: string): unknown {
  const read = parseExact(text);
  if ('value' in read) return read.value;
  throw new Error(faultMessage(read.fault));
}

/** JSON texts with white space, odd escapes and numbers in any notation that says them exactly. */
const text = fc.jsonValue({ noUnicodeString: false, depthSize: 'medium' }).chain((value) =>
  fc.constantFrom(
    JSON.stringify(value),
    JSON.stringify(value, null, 2),
    JSON.stringify(value).replace(
      /[^\u0000-\u007f]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  ),
);
const clean = text.filter((t) => 'value' in parseExact(t));

describe('an exact text', () => {
  law.prop([text])('reads as JSON.parse reads it, or has a fault', (t) => {
    const read = parseExact(t);
    if ('value' in read) expect(encode(read.value)).toBe(encode(JSON.parse(t)));
    else expect(['inexact_number', 'lone_surrogate']).toContain(read.fault.code);
  });

  law.prop([
    fc.string({ unit: fc.constantFrom(...'{}[]",:\\/ \nu0019eE.+-trufalsn\ud83d\u0000'), maxLength: 24 }),
  ])('is JSON exactly where JSON.parse says so', (t) => {
    let parses = true;
    try {
      JSON.parse(t);
    } catch {
      parses = false;
    }
    expect('value' in parseMarked(t)).toBe(parses);
  });

  law.prop([clean.filter((t) => /^\s*[[{"]/.test(t)), fc.nat()])(
    'that is cut anywhere is truncated',
    (t, at) => {
      const cut = t.slice(0, at % t.trimEnd().length);
      const { code, offset } = faultOf(cut);
      expect(code).toBe(cut.trim() === '' ? 'empty' : 'truncated');
      expect(offset).toBeLessThanOrEqual(cut.length);
    },
  );

  test.each([
    '1.0',
    '1e2',
    '299.00',
    '-0',
    '-0.0e5',
    '0e999999',
    '9007199254740991',
    '0.1',
    '1e-27',
    '123456.789e-3',
  ])('takes the number %s', (lexeme) => {
    expect(parsedValue(`[${lexeme}]`)).toEqual([Number(lexeme) === 0 ? 0 : Number(lexeme)]);
  });

  law.prop([fc.double({ noNaN: true, noDefaultInfinity: true })])(
    'takes every double as it is rendered, but for integers beyond 2^53−1',
    (double) => {
      const exact = !Number.isInteger(double) || Number.isSafeInteger(double);
      expect('value' in parseExact(String(double))).toBe(exact);
      expect('value' in parseExact(double.toExponential())).toBe(exact);
    },
  );

  law.prop([fc.maxSafeInteger(), fc.integer({ min: 0, max: 30 })])(
    'takes a decimal only where its double is rendered as the same value',
    (digits, places) => {
      const lexeme = `${digits}e-${places}`;
      const [mantissa = '', exponent = '0'] = String(Number(lexeme)).split('e');
      const [whole = '', fraction = ''] = mantissa.split('.');
      const power = Number(exponent) - fraction.length;
      const scaled = BigInt(whole + fraction) * 10n ** BigInt(power + 60);
      expect('value' in parseExact(lexeme)).toBe(scaled === BigInt(digits) * 10n ** BigInt(60 - places));
    },
  );

  test('keeps __proto__ a plain key of its own', () => {
    const value = parsedValue('{"__proto__":{"admin":true}}') as object;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect('admin' in value).toBe(false);
    expect(faultOf('{"__proto__":1,"__proto__":1}').code).toBe('duplicate_key');
  });
});

describe('a fault', () => {
  test('of a number quotes the number and says where it stands', () => {
    const fault = faultOf('{\n  "orders": [\n    {"id": 1915883588174806058}]}');
    expect(fault).toEqual({
      code: 'inexact_number',
      pointer: '/orders/0/id',
      lexeme: '1915883588174806058',
      line: 3,
      column: 12,
      offset: 27,
    });
    expect(faultMessage(fault)).toBe(
      "The number 1915883588174806058 can't be held exactly (line 3, column 12).",
    );
  });

  test.each([
    '0.1000000000000000055511151231257827',
    '9007199254740992',
    '-9007199254740992',
    '1e30',
    '1e400',
    '1e-400',
    '9007199254740993.5',
    '123456789012345678e-2',
  ])('is the number %s', (lexeme) => {
    expect(faultOf(lexeme)).toMatchObject({ code: 'inexact_number', lexeme, pointer: '' });
  });

  test('is a key that stands twice, even with the same value or written with an escape', () => {
    expect(faultOf('{"a":{"b/c":1,"b\\u002fc":1}}')).toEqual({
      code: 'duplicate_key',
      pointer: '/a/b~1c',
      lexeme: '"b\\u002fc"',
      line: 1,
      column: 15,
      offset: 14,
    });
    expect(parsedValue('{"a":{"a":1},"b":[{"a":1},{"a":1}]}')).toEqual({
      a: { a: 1 },
      b: [{ a: 1 }, { a: 1 }],
    });
  });

  test.each([
    ['escaped in a value', '{"a":"\\ud83d"}', '/a', '"\\ud83d"'],
    ['escaped in a key', '{"\\udc00":1}', '/\ufffd', '"\\udc00"'],
    ['raw', '["\ud83d"]', '/0', '"\\ud83d"'],
  ])('is half a surrogate pair %s', (_, t, pointer, lexeme) => {
    expect(faultOf(t)).toMatchObject({ code: 'lone_surrogate', pointer, lexeme });
  });

  test('is a nesting too deep, however deep', () => {
    const nest = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(encode({ event: parsedValue(nest(MAX_FOREIGN_DEPTH)) })).toContain('[[');
    expect(faultOf(nest(MAX_FOREIGN_DEPTH + 1))).toMatchObject({ code: 'too_deep', offset: 256 });
    expect(faultOf('{"a":'.repeat(200_000)).code).toBe('too_deep');
  });

  test.each([
    ['', 'empty', '', 0, ''],
    [' \n', 'empty', '', 2, ''],
    ['{"a": [1, 2', 'truncated', '/a', 11, ''],
    ['{"a": "b', 'truncated', '', 8, ''],
    ['{"a": "b\\u00', 'truncated', '', 8, '\\u00'],
    ['[tru', 'truncated', '', 1, 'tru'],
    ['[-', 'truncated', '', 2, ''],
    ['[1e+', 'truncated', '', 2, 'e+'],
    ['{"a"', 'truncated', '', 4, ''],
    ['[1,]', 'not_json', '', 3, ']'],
    ['{"a":{"b" 1}}', 'not_json', '/a', 10, '1'],
    ["{'a':1}", 'not_json', '', 1, "'"],
    ['[01]', 'not_json', '', 2, '1'],
    ['NaN', 'not_json', '', 0, 'NaN'],
    ['{"a":1} {"a":2}', 'not_json', '', 8, '{'],
    ['["a\nb"]', 'not_json', '', 3, '\\u000a'],
    ['["\\x"]', 'not_json', '', 2, '\\'],
    ['\ufeff{}', 'not_json', '', 0, '\ufeff'],
    ['[-x]', 'not_json', '', 2, 'x'],
    ['[True]', 'not_json', '', 1, 'True'],
  ])('of the text %j is %s', (t, code, pointer, offset, lexeme) => {
    expect(faultOf(t)).toMatchObject({ code, pointer, offset, lexeme });
    expect(parseMarked(t)).toEqual({ fault: faultOf(t) });
  });

  test('of a text that is not JSON is said before any other', () => {
    expect(faultOf('{"a":1,"a":2,').code).toBe('truncated');
  });

  test('cuts a long lexeme and states its length', () => {
    const fault = faultOf(`[${'9'.repeat(500)}]`);
    expect(fault.lexeme).toBe(`${'9'.repeat(64)}… (500 characters)`);
    expect(
      isWellFormed(faultOf(`{"${'\u{1f602}'.repeat(99)}":1,"${'\u{1f602}'.repeat(99)}":2}`).lexeme),
    ).toBe(true);
  });

  test.each([
    ['{"a":1,"a":2}', 'The key "a" stands twice in one object (line 1, column 8).'],
    ['"\\ud800"', 'The string "\\ud800" holds half of a surrogate pair (line 1, column 1).'],
    ['['.repeat(300), 'The JSON nests too deep at [ (line 1, column 257).'],
    ['[1,\n2', 'The JSON breaks off at its end (line 2, column 2).'],
    ['[nul', 'The JSON breaks off at nul (line 1, column 2).'],
    ['', 'There is no JSON here, only white space.'],
    ['{a:1}', 'This is not JSON at a (line 1, column 2).'],
  ])('is said in a sentence: %#', (t, message) => {
    expect(faultMessage(faultOf(t))).toBe(message);
  });
});

describe('a marked text', () => {
  test('keeps the rest, with something that can be stored at each marked place', () => {
    const read = parseMarked(
      '{"id":1915883588174806058,"n":-0,"text":"a\\ud800\\n","twice":12345678901234567890,"twice":2,"ok":[1.50]}',
    );
    if ('fault' in read) throw new Error(faultMessage(read.fault));
    expect(read.value).toEqual({ id: '1915883588174806058', n: 0, text: 'a\ufffd\n', twice: 2, ok: [1.5] });
    expect(read.faults.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['inexact_number', '/id'],
      ['lone_surrogate', '/text'],
      ['inexact_number', '/twice'],
      ['duplicate_key', '/twice'],
    ]);
    expect(encode(read.value)).toContain('"id":"1915883588174806058"');
  });

  test('has no marks where it is exact', () => {
    expect(parseMarked('{"a":[1,"b"]}')).toEqual({ value: { a: [1, 'b'] }, faults: [] });
  });

  test('says lines and columns of many faults in one walk', () => {
    const read = parseMarked(`[${Array(20_000).fill('1e400').join(',\n')}]`);
    if ('fault' in read) throw new Error(faultMessage(read.fault));
    expect(read.faults).toHaveLength(20_000);
    expect(read.faults[19_999]).toMatchObject({ line: 20_000, column: 1, pointer: '/19999' });
  });
});
