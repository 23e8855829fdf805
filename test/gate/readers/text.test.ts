import { describe, expect, it } from 'vitest';
import { cutsToken } from '../../../src/gate/readers/index.ts';
import { AT, found, reader } from './reading.ts';

const text = reader('text');
const fold = reader('text_fold');

describe('text finds the exact string, whole', () => {
  it.each([
    ['HAT136', 'Please book HAT136.'],
    ['HAT136', 'HAT136'],
    ['HAT136', 'flights:HAT136,HAT201'],
    ['HAT136', 'id=HAT136'],
    ['HAT136', '**HAT136**'],
    ['HAT136', '_HAT136_ or __HAT136__'],
    ['HAT136', 'the flight `HAT136`, please'],
    ['HAT136', '“HAT136”을 취소해 주세요'],
    ['HAT136', "HAT136's price"],
    ['HAT136', 'is it ‘HAT136’?'],
    ['HAT136', '(HAT136)'],
    ['HAT136', 'HAT136…'],
    ['HAT136', 'HAT136... no'],
    ['HAT136', 'SFO → HAT136→JFK'],
    ['HAT136', 'HAT136👍'],
    ['HAT136', '👍HAT136'],
    ['HAT136', '航班：HAT136，谢谢'],
    ['#W123', 'my order is #W123.'],
    ['#W123', 'orders #W123, #W124'],
    ['credit_card_123', 'use credit_card_123, please'],
    ['ann@example.com', 'It is ann@example.com.'],
    ['/etc/hosts', 'read /etc/hosts'],
    ['New York', 'from New York to Boston'],
    ['123', 'the card credit 123'],
    ['500', 'send $500, please'],
    ['취소', '"취소"'],
    ['don’t', 'I don’t know'],
    ['C++', 'in C++.'],
  ])('%s in: %s', (value, where) => {
    expect(found(text, where, value)[0]).toBe(value);
  });

  it.each([
    ['credit_card_123', 'my_credit_card_123'],
    ['123', 'credit_card_123'],
    ['credit', 'credit_card_123'],
    ['credit_card_123', 'credit_card_1234'],
    ['500', '1,500'],
    ['500', '500.25'],
    ['500', '$1500'],
    ['500', '500,000'],
    ['500', '-500'],
    ['5', '50%'],
    ['50', '50%'],
    ['10', '10:30'],
    ['30', '10:30'],
    ['W123', '#W123'],
    ['#W123', 'Order#W123'],
    ['#W12', '#W123'],
    ['HAT136', 'hat136'],
    ['HAT136', 'HAT1360'],
    ['HAT136', 'XHAT136'],
    ['HAT136', 'HAT136-B'],
    ['HAT136', 'A/HAT136'],
    ['HAT136', '/HAT136'],
    ['HAT136', 'HAT136.pdf'],
    ['HAT136', 'HAT136을 취소'],
    ['ann', '@ann'],
    ['ann', 'ann@example.com'],
    ['ann@example.com', 'joann@example.com'],
    ['ann@example.com', 'ann@example.com.au'],
    ['ann@example', 'ann@example.com'],
    ['Brien', "O'Brien"],
    ['don', "don't"],
    ['t', 'don’t'],
    ['e', 'e\u0301'],
    ['cafe', 'cafe\u0301'],
    ['C', 'C#'],
    ['A', 'A+'],
    ['a', 'a+b'],
    ['New York', 'New  York'],
    ['New York', 'New\nYork'],
    ['New York', 'New Yorker'],
    ['https://a.example/x', 'https://a.example/x/y'],
    ['name', '$name'],
    ['my', `my${'-'.repeat(200)}x`],
    ['', 'anything'],
    ['', ''],
    ['\ud83d', '👍'],
  ])('%s stands not in: %s', (value, where) => {
    expect(found(text, where, value)).toEqual([]);
  });

  it('gives every place in order, also where two overlap', () => {
    expect(text.find('a b, a b a b', 'a b', AT)).toEqual([
      { start: 0, end: 3 },
      { start: 5, end: 8 },
      { start: 9, end: 12 },
    ]);
    expect(text.find('a a a', 'a a', AT)).toHaveLength(2);
  });

  it('looks for a number in its shortest form and for nothing else that is no string', () => {
    expect(found(text, '500 or 1500', 500)).toEqual(['500']);
    expect(found(text, '1e+21', 1e21)).toEqual([]);
    expect(found(text, 'true', true)).toEqual([]);
    expect(found(text, 'null [] {}', null)).toEqual([]);
    expect(found(text, '[]', [])).toEqual([]);
  });

  it('reads at a span only what cuts no token', () => {
    expect(text.readAt('see HAT136.', { start: 4, end: 10 }, AT)).toBe('HAT136');
    expect(text.readAt('see HAT136.', { start: 4, end: 9 }, AT)).toBeUndefined();
    expect(text.readAt('see', { start: 0, end: 4 }, AT)).toBeUndefined();
    expect(text.readAt('see', { start: 1, end: 1 }, AT)).toBeUndefined();
    expect(text.readAt('see', { start: -1, end: 3 }, AT)).toBeUndefined();
    expect(text.readAt('see', { start: 0.5, end: 3 }, AT)).toBeUndefined();
    expect(text.readAt('👍', { start: 0, end: 1 }, AT)).toBeUndefined();
  });

  it('takes scalars and empty lists from structured values as they are', () => {
    for (const value of ['', 'x', 5, true, [], {}]) expect(text.fromJson(value, AT)).toEqual(value);
    for (const value of [null, [1], { a: 1 }]) expect(text.fromJson(value, AT)).toBeUndefined();
    expect(text.same('5', 5)).toBe(true);
    expect(text.same('5.0', 5)).toBe(false);
    expect(text.same('true', true)).toBe(false);
    expect(text.same([], {})).toBe(false);
    expect(text.same([], [])).toBe(true);
    expect(text.same(null, null)).toBe(true);
    expect(text.same({}, [])).toBe(false);
    expect(text.scan('any', AT)).toBeNull();
  });

  it('takes a position within a glued run as a cut', () => {
    expect(cutsToken('a--b', 2)).toBe(true);
    expect(cutsToken('a-- b', 2)).toBe(false);
    expect(cutsToken('ab', 0)).toBe(false);
    expect(cutsToken('ab', 2)).toBe(false);
  });
});

describe('text_fold makes ASCII case, spaces, _ and - equal', () => {
  it.each([
    ['one_way', 'a One Way trip'],
    ['one_way', 'ONE-WAY'],
    ['one way', 'one_way'],
    ['one_way', 'one \n way'],
    ['round trip', 'Round–Trip or round-trip'],
    ['HAT136', 'hat136'],
    ["that's", 'That’s it'],
  ])('%s in: %s', (value, where) => {
    expect(found(fold, where, value)).toHaveLength(1);
  });

  it.each([
    ['one_way', 'oneway'],
    ['one_way', 'my_one_way'],
    ['way', 'one-way'],
    ['one_way', 'one ways'],
    ['é', 'É'],
    ['_', '_ - _'],
    ['', 'x'],
  ])('%s stands not in: %s', (value, where) => {
    expect(found(fold, where, value)).toEqual([]);
  });

  it('compares folded, and empty values only with themselves', () => {
    expect(fold.same('One Way', 'one_way')).toBe(true);
    expect(fold.same('one way', 'oneway')).toBe(false);
    expect(fold.same('', '')).toBe(true);
    expect(fold.same('', '-')).toBe(false);
    expect(fold.same(5, '5')).toBe(true);
    expect(fold.same(true, true)).toBe(true);
    expect(fold.same([], [])).toBe(true);
    expect(fold.scan('x', AT)).toBeNull();
    expect(fold.readAt('One Way', { start: 0, end: 7 }, AT)).toBe('One Way');
    expect(fold.readAt('One Way', { start: 0, end: 6 }, AT)).toBeUndefined();
  });
});
