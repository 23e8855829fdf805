import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/events/json.ts';
import { compile, evaluate, MAX_WORK } from '../../../src/gate/cel/index.ts';
import { frozen } from '../../frozen.ts';
import { compiled, run } from './support.ts';

const scope = frozen({
  args: {
    amount: 12.5,
    name: 'Ada',
    none: null,
    items: [
      { id: 'a', price: 0.1, ok: true },
      { id: 'b', price: 0.2, ok: true },
    ],
    seats: { economy: 3, business: 0 },
  },
  n: 3,
  deep: JSON.parse('{"__proto__": 7, "constructor": null}') as Json,
});

describe('what an expression gives', () => {
  test.each<[string, Json]>([
    ['1 + 2 * 3', 7],
    ['0.1 + 0.2 == 0.3', true],
    ['0.1 + 0.2', 0.3],
    ['255 == 255.0', true],
    ['n in [1, 2]', false],
    ['n in [1, 2, 3.0]', true],
    ['n != 3', false],
    ['1e2 == 100', true],
    ['0x10', 16],
    ['7 / 2', 3],
    ['-7 / 2', -3],
    ['7.5 / 2', 3.75],
    ['7 * 0.5', 3.5],
    ['-7 % 3', -1],
    ['1 - 1.0', 0],
    ['-(2 - 5)', 3],
    ['!(1 < 2)', false],
    ['2 <= 2 && 3 >= 3 && 1 < 2 && 2 > 1', true],
    ['"a" + "b"', 'ab'],
    ['[1] + [2, "x"]', [1, 2, 'x']],
    ['"a" < "b"', true],
    ['"10" < "9"', true],
    ['1 == "1"', false],
    ['null == null', true],
    ['null == false', false],
    ['args.none == null', true],
    ['0 == null', false],
    ['[1, [2.0]] == [1.0, [2]]', true],
    ['{"a": 1, "b": [2]} == {"b": [2.0], "a": 1}', true],
    ['{"a": 1} == {"a": 1, "b": 2}', false],
    ['[] == {}', false],
    ['true ? 1 : missing', 1],
    ['false ? missing : 2', 2],
    ['args.items[1].id', 'b'],
    ['args.seats["business"]', 0],
    ['args.seats[args.name == "Ada" ? "economy" : "none"]', 3],
    ['{"k" + "1": 2}.k1', 2],
    ['true || missing', true],
    ['false && missing', false],
    ['has(args.amount)', true],
    ['has(args.none)', true],
    ['has(args.nothing)', false],
    ['has(deep.constructor)', true],
    ['has(args.toString)', false],
    ['deep["__proto__"]', 7],
    ['"economy" in args.seats', true],
    ['"toString" in args.seats', false],
    ['args.items.all(i, i.ok)', true],
    ['[].all(i, i)', true],
    ['args.items.exists(i, i.id == "b")', true],
    ['args.items.exists_one(i, i.price > 0.1)', true],
    ['args.items.exists_one(i, i.ok)', false],
    ['args.items.filter(i, i.price < 0.2).map(i, i.id)', ['a']],
    ['args.seats.map(k, k)', ['business', 'economy']],
    ['args.seats.all(k, args.seats[k] >= 0)', true],
    [
      '[1, 2].map(x, [3, 4].map(x, x))',
      [
        [3, 4],
        [3, 4],
      ],
    ],
    ['size("ab") + size([1]) + size({"a": 1}) + "x".size()', 5],
    ['size("\u{1F600}")', 1],
    ['args.name.startsWith("Ad")', true],
    ['args.name.startsWith("ad")', false],
    ['sum(args.items.map(i, i.price))', 0.3],
    ['sum([])', 0],
    ['min([3, 1.5, 2])', 1.5],
    ['max(0, args.amount - 13)', 0],
    ['max("a", "c", "b")', 'c'],
    ['one([7])', 7],
    ['one(args.items.filter(i, i.id == "b")).price', 0.2],
    ['at(args.seats, "economy")', 3],
    ['at(args.seats, "first")', null],
    ['at(deep, "constructor")', null],
    ['at([5, 6], 1)', 6],
    ['at([5, 6], 2)', null],
    ['at([5, 6], -1)', null],
    [
      'zip([1, 2], ["a", "b"])',
      [
        [1, 'a'],
        [2, 'b'],
      ],
    ],
    ['zip([1, 2], [3, 4]).all(p, p[0] < p[1])', true],
    ['seconds("1970-01-02T00:00:00Z")', 86400],
    ['seconds("1970-01-01T00:00:00.25+00:00")', 0.25],
    ['seconds("2024-05-15 15:00:00 EST") - seconds("2024-05-15T15:00:00-04:00") == 3600', true],
    ['day_number("1970-01-02")', 1],
    ['day_number("2024-03-01") - day_number("2024-02-28")', 2],
    ['day_number("2024-05-15T23:59:00-05:00") == day_number("2024-05-15")', true],
    ['r"a\\b"', 'a\\b'],
    ['{"__proto__": 1} == deep', false],
  ])('%s', (source, value) => {
    expect(run(source, scope)).toEqual({ value });
  });

  test('a map with the key __proto__ is given back with it', () => {
    const found = run('{"__proto__": 1}');
    expect('value' in found && JSON.stringify(found.value)).toBe('{"__proto__":1}');
  });

  test('a date-time without a zone is read under the declared one', () => {
    expect(run('seconds("1970-01-01 00:00")', {}, '-05:00')).toEqual({ value: 18000 });
    expect(run('seconds("1970-01-01")', {}, 'CET')).toEqual({ value: -3600 });
    expect(run('seconds("1970-01-01T00:00:00Z")', {}, 'EST')).toEqual({ value: 0 });
  });
});

describe('what an expression faults with', () => {
  test.each([
    ['missing', 'no_such_name'],
    ['toString', 'no_such_name'],
    ['args.missing', 'no_such_key'],
    ['args.toString', 'no_such_key'],
    ['args.seats["first"]', 'no_such_key'],
    ['args.missing == 1 || true', 'no_such_key'],
    ['args.missing == 1 && false', 'no_such_key'],
    ['[{"a": 1}, {"b": 1}].exists(x, x.b == 1)', 'no_such_key'],
    ['[{"b": 1}, {"a": 0}].all(x, x.a == 1)', 'no_such_key'],
    ['has(args.missing.x)', 'no_such_key'],
    ['has(args.name.x)', 'wrong_type'],
    ['args.items[2]', 'no_such_index'],
    ['args.items[-1]', 'no_such_index'],
    ['args.items[0.5]', 'not_an_integer'],
    ['args.items["0"]', 'wrong_type'],
    ['args.seats[0]', 'wrong_type'],
    ['args.none.x', 'wrong_type'],
    ['1 < "2"', 'wrong_type'],
    ['null < 1', 'wrong_type'],
    ['true < false', 'wrong_type'],
    ['1 + "2"', 'wrong_type'],
    ['"1" + 2', 'wrong_type'],
    ['[1] + 2', 'wrong_type'],
    ['"a" in "abc"', 'wrong_type'],
    ['1 in {"a": 1}', 'wrong_type'],
    ['1 && true', 'not_boolean'],
    ['true && 1', 'not_boolean'],
    ['!0', 'not_boolean'],
    ['-"1"', 'wrong_type'],
    ['null ? 1 : 2', 'not_boolean'],
    ['[1].all(x, x)', 'not_boolean'],
    ['"abc".all(x, true)', 'wrong_type'],
    ['1 / 0', 'division_by_zero'],
    ['1 % 0', 'division_by_zero'],
    ['1 / 0.3', 'inexact_division'],
    ['1.5 % 1', 'not_an_integer'],
    ['9007199254740993', 'not_representable'],
    ['{"a": 1, "a": 2}', 'doubled_key'],
    ['{1: 2}', 'wrong_type'],
    ['size(1)', 'wrong_type'],
    ['sum(["a"])', 'wrong_type'],
    ['min([])', 'empty'],
    ['max([true])', 'wrong_type'],
    ['min(1, "a")', 'wrong_type'],
    ['min(1)', 'wrong_type'],
    ['one([])', 'not_one'],
    ['one([1, 2])', 'not_one'],
    ['at(null, "a")', 'wrong_type'],
    ['at([1], 0.5)', 'not_an_integer'],
    ['zip([1], [])', 'lengths_differ'],
    ['seconds("2024-05-15 10:00")', 'zone_unknown'],
    ['seconds("yesterday")', 'bad_datetime'],
    ['seconds(5)', 'wrong_type'],
    ['day_number("2023-02-29")', 'bad_datetime'],
    ['1e300 * 1e300 * 1e300 * 1e300', 'number_too_long'],
  ])('%s is %s', (source, fault) => {
    expect(run(source, scope)).toEqual({ fault });
  });

  test('an evaluation that would go on too long stops', () => {
    const list = Array.from({ length: 1000 }, (_, i) => i);
    expect(run('list.all(a, list.all(b, a + b >= 0))', { list })).toEqual({ fault: 'too_much_work' });
    expect(run('list.all(a, a >= 0)', { list })).toEqual({ value: true });
    expect(MAX_WORK).toBeGreaterThan(100_000);
  });

  test('text that would grow too large stops', () => {
    const text = 'x'.repeat(1_000_000);
    const doubled = Array.from({ length: 40 }, () => 'text').join(' + ');
    expect(run(`size(${doubled})`, { text })).toEqual({ fault: 'too_much_work' });
  });

  test('a value nested too deep stops', () => {
    let nested: Json = 1;
    for (let i = 0; i < 5000; i++) nested = [nested];
    expect(run('nested == nested', { nested })).toEqual({ fault: 'too_deep' });
    expect(run('nested', { nested })).toEqual({ fault: 'too_deep' });
  });
});

describe('an evaluation', () => {
  test('does not depend on the order of keys', () => {
    const one = run('m.map(k, m[k])', { m: { b: 1, a: 2, 10: 3, 9: 4 } });
    const two = run('m.map(k, m[k])', { m: { 9: 4, a: 2, 10: 3, b: 1 } });
    expect(one).toEqual({ value: [3, 4, 2, 1] });
    expect(JSON.stringify(one)).toBe(JSON.stringify(two));
  });

  test('reads definitions that were written out', () => {
    const defines = Object.freeze({ allowance: 'base * 2', base: 'size(args.items)' });
    const expr = compile('args.amount <= allowance + 9', defines);
    expect('fault' in expr ? expr : evaluate(expr, scope)).toEqual({ value: true });
  });

  test('leaves a frozen scope as it was', () => {
    const before = JSON.stringify(scope);
    evaluate(compiled('args.items.filter(i, i.ok).map(i, i.price) + [1]'), scope);
    expect(JSON.stringify(scope)).toBe(before);
  });
});
