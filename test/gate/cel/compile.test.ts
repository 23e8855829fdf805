import { fc, test as law } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { compile, needsOf } from '../../../src/gate/cel/index.ts';
import { compiled } from './support.ts';

const refusal = (source: string, defines: Record<string, string> = {}) => {
  const found = compile(source, defines);
  return 'fault' in found ? found.fault : null;
};

describe('what is refused', () => {
  test.each([
    ['args.name.matches("a+")', 'unknown_function', 'args.name.matches("a+")'],
    ['a + frob(1)', 'unknown_function', 'frob(1)'],
    ['timestamp("2024-01-01T00:00:00Z")', 'unknown_function', 'timestamp("2024-01-01T00:00:00Z")'],
    ['now.getHours() > 3', 'unknown_function', 'now.getHours()'],
    ['a.contains("b")', 'unknown_function', 'a.contains("b")'],
    ['a.endsWith("b")', 'unknown_function', 'a.endsWith("b")'],
    ['startsWith(a, "b")', 'unknown_function', 'startsWith(a, "b")'],
    ['toString()', 'unknown_function', 'toString()'],
    ['cel.bind(x, 1, x)', 'unknown_function', 'cel.bind(x, 1, x)'],
    ['type(1)', 'unknown_function', 'type(1)'],
    ['b"abc"', 'not_in_profile', null],
    ['1u', 'not_in_profile', '1u'],
    ['a.?b', 'syntax', null],
    ['a[?0]', 'syntax', null],
    ['a +', 'syntax', ''],
    ['', 'syntax', ''],
    ['1e400', 'syntax', '1e400'],
    ['1e-401', 'bad_literal', '1e-401'],
    ['has(a)', 'bad_macro', 'a'],
    ['has(a["b"])', 'bad_macro', null],
    ['[1].map(x, true, x)', 'bad_macro', null],
    ['[1].map(1, 2)', 'syntax', null],
    ['size()', 'wrong_argument_count', 'size()'],
    ['zip([1])', 'wrong_argument_count', 'zip([1])'],
    ['"a".startsWith()', 'wrong_argument_count', null],
  ])('%s: %s', (source, code, text) => {
    const fault = refusal(source);
    expect(fault?.code).toBe(code);
    if (text !== null) expect(fault?.text).toBe(text);
    expect(source.slice(fault?.start, fault?.end)).toBe(fault?.text);
  });

  test('an expression that is too long, too wide or too deep', () => {
    expect(refusal(`"${'x'.repeat(4000)}"`)?.code).toBe('too_long');
    expect(refusal(`[${Array.from({ length: 500 }, () => '1').join(',')}]`)?.code).toBe('too_many_nodes');
    expect(refusal(`${'('.repeat(1900)}1${')'.repeat(1900)}`)?.code).toBe('syntax');
    expect(refusal(`${'!'.repeat(3000)}true`)?.code).toBe('too_deep');
    expect(refusal(`${'- '.repeat(1500)}1`)?.code).toBe('too_deep');
    expect(refusal(Array.from({ length: 220 }, () => 'a').join('+'))?.code).toBe('too_deep');
    expect(refusal(Array.from({ length: 150 }, () => 'a').join('+'))).toBeNull();
  });

  law.prop([fc.string({ maxLength: 200 })])('no text at all makes it throw', (source) => {
    const found = compile(source, {});
    expect('fault' in found || Object.isFrozen(found.expr)).toBe(true);
  });

  law.prop([
    fc
      .array(
        fc.constantFrom(
          ...[
            'a',
            '.',
            '(',
            ')',
            '[',
            ']',
            '{',
            '}',
            '?',
            ':',
            ',',
            '!',
            '-',
            '+',
            '&&',
            '||',
            '==',
            '1',
            '1.5',
          ],
          ...[
            '"',
            "'",
            '\\',
            'in',
            'has',
            'all',
            'map',
            '//',
            '\n',
            'u',
            'e9',
            'b"',
            '0x',
            '"""',
            ' ',
            'null',
          ],
        ),
        { maxLength: 60 },
      )
      .map((parts) => parts.join('')),
  ])('nor does a text of its own tokens', (source) => {
    const found = compile(source, {});
    if ('fault' in found) {
      expect(found.fault.start).toBeLessThanOrEqual(found.fault.end);
      expect(found.fault.text).toBe(source.slice(found.fault.start, found.fault.end));
    } else expect(needsOf(found).names).toEqual([...needsOf(found).names].sort());
  });
});

describe('named definitions', () => {
  test('are written out where they are used', () => {
    expect(compiled('limit < 3', { limit: 'args.a + base', base: '1' }).expr).toEqual(
      compiled('(args.a + 1) < 3').expr,
    );
  });

  test('may stand twice, and the same one under a macro', () => {
    expect(needsOf(compiled('a + a', { a: 'args.x' })).args).toEqual(['/x']);
    expect(needsOf(compiled('args.l.all(i, i < a)', { a: 'args.x' })).args).toEqual(['/l/*', '/x']);
  });

  test.each([
    ['a', { a: 'b', b: 'a' }, 'definition_cycle', 'a'],
    ['a', { a: 'a + 1' }, 'definition_cycle', 'a'],
    ['args.x', { args: '1' }, 'definition_name', 'args'],
    ['l.all(i, i < a)', { a: 'i + 1' }, 'definition_captures', 'a'],
    ['a + 1', { a: 'b +' }, 'syntax', 'a'],
    ['a', { a: 'b', b: 'frob()' }, 'unknown_function', 'b'],
  ])('%s with %j: %s', (source, defines, code, definition) => {
    expect(refusal(source, defines as Record<string, string>)).toMatchObject({ code, definition });
  });

  test('a name that a macro binds hides a definition, and one that is not used is not read', () => {
    expect(compiled('l.all(a, a > 0)', { a: 'args.x' }).expr).toEqual(compiled('l.all(a, a > 0)').expr);
    expect(refusal('1', { broken: '((' })).toBeNull();
    expect(refusal('toString', {})).toBeNull();
  });

  test('that double each other stay within the cap', () => {
    const defines: Record<string, string> = { d0: '1 + 1' };
    for (let i = 1; i < 40; i++) defines[`d${i}`] = `d${i - 1} + d${i - 1}`;
    expect(refusal('d39', defines)?.code).toBe('too_many_nodes');
  });
});

describe('what an expression needs', () => {
  test.each<[string, string[], string[]]>([
    ['args.a.b[0] == 1', ['/a/b/0'], []],
    ['args["x/y"]', ['/x~1y'], []],
    ['args.items.all(i, i.id != "")', ['/items/*/id'], []],
    ['args.items.all(i, true)', ['/items'], []],
    ['args.items.filter(i, i.ok).map(j, j.id) == []', ['/items/*/id', '/items/*/ok'], []],
    ['args.items.filter(i, i.ok)[0].price > 1', ['/items/*/ok', '/items/*/price'], []],
    ['sum(args.items.map(i, i.price))', ['/items/*/price'], []],
    ['one(args.items.filter(i, i.id == want)).price', ['/items/*/id', '/items/*/price'], ['want']],
    ['size(args.items) > 0', ['/items'], []],
    ['args.seats[args.cabin] > 0', ['/cabin', '/seats'], []],
    ['at(args.seats, "x") == null', ['/seats/x'], []],
    ['at(args.seats, args.cabin) == null', ['/cabin', '/seats'], []],
    [
      'offer.available_seats[args.cabin] >= size(reservation.passengers)',
      ['/cabin'],
      ['offer', 'reservation'],
    ],
    ['zip(args.a, args.b).all(p, p[0] < p[1])', ['/a/*', '/b/*'], []],
    ['size(zip(args.a, args.b)) == 2', ['/a', '/a/*', '/b', '/b/*'], []],
    ['has(args.a.b)', ['/a/b'], []],
    ['args == {}', [''], []],
    ['(args.a ? args.b : args.c).d', ['/a', '/b/d', '/c/d'], []],
    ['facts.all(f, f.x == item.y && index < 3) && now > "2024"', [], ['facts', 'index', 'item', 'now']],
    ['args.l.all(i, args.m.all(j, i.x == j.y))', ['/l/*/x', '/m/*/y'], []],
    ['[args.a, args.b].exists(x, x.id == 1)', ['/a/id', '/b/id'], []],
    ['args.l.all(args, args > 1)', ['/l/*'], []],
    ['1 in args.list', ['/list'], []],
    ['{"a": args.x}.a', ['/x'], []],
  ])('%s', (source, args, names) => {
    expect(needsOf(compiled(source))).toEqual({ args, names });
  });
});
