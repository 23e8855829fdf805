import { fc, test as law } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { attributeOf, labelsOf, printLabel } from '../../src/declarations/labels.ts';

const valid = [
  '[Required] /to_account',
  '[Required] /items/*/id: Each item is named.',
  '[Required] balance: Must cover the amount. {by=get_balance#/available; require="value >= args.amount"}',
  '- [Verify] final: Transfers are final. {on=/to_account,/amount}',
  '   - [Verify] final: Transfers are final. {each_time}',
  '[Notice] fee: A fee applies.',
  '   [Notice] fee.v-2_x: See [Verify] below.',
  '[Required] owner: Owner. {require="{\\"a\\": 1}.a == 1; true"}',
];

const invalid = [
  '[required] /to_account',
  '[Verify] Confirm the recipient first',
  '[Required] owner: Caller owns it. {by=user_answer}',
  '[Required] owner: Caller owns it. {by=user_answer#/owner}',
  '[Notice] fee: See {terms}',
  '[Notice] fee: A fee. {each_time}',
  '    [Required] /to_account',
  '* [Required] /to_account',
  '[ REQUIRED\t] /to_account',
  '[Confirm] the recipient',
  'Note that [required] fields come first',
  '[[Required]] /to_account',
  '[Required]/to_account',
  '[Required]  /to_account',
  '[Required] /to~2account',
  '[Required] ',
  '[Required] balance',
  '[Required] Balance: Must cover it.',
  '[Required] balance:  ',
  '[Required] balance: It covers. {by=a#/b; by=c#/d}',
  '[Required] balance: It covers. {by=a#/b;require="true"}',
  '[Required] balance: It covers. {require="open}',
  '[Required] balance: It covers. {by=a#}',
  '[Required] balance: It covers. {by=a#/b} and more',
  '[Verify] final: Sure? {on=to_account}',
  '[Verify] final: Sure? {unknown}',
  '[Verify] final: Sure? {}',
  `[Notice] fee: ${'x'.repeat(1000)}`,
  `[Notice] ${'a'.repeat(65)}: x`,
];

const prose = [
  '',
  'Transfers money.',
  '[Beta] Moves money.',
  'Required: /to_account',
  '] [',
  'a ] b',
  '[requiredx] a',
  '[Beta] [Required] /a',
];

describe('a label', () => {
  test.each(valid)('is read and printed back: %s', (line) => {
    const { items, faults } = labelsOf(line);
    expect(faults).toEqual([]);
    expect(items.map(printLabel)).toEqual([line]);
  });

  test.each(invalid)('that does not parse is a fault of its line: %s', (line) => {
    expect(labelsOf(`Moves money.\n${line}\r\nMore.`)).toEqual({
      items: [],
      faults: [{ line: 2, slot: 'label:2' }],
    });
  });

  test.each(prose)('is not seen in prose: %s', (line) => {
    expect(labelsOf(line)).toEqual({ items: [], faults: [] });
  });

  test('gives its parts', () => {
    const text =
      'Moves money.\r\n\r\n[Required] /to_account: Whole number.\r\n[Required] balance: Covers it. {require="value >= \\"1\\""; by=get_balance#/a/~1b}\n- [Verify] final: Final. {on=/to_account,/amount; each_time}';
    const [argument, condition, verify] = labelsOf(text).items;
    expect(argument).toEqual({
      kind: 'required_argument',
      line: 3,
      lead: '',
      pointer: '/to_account',
      text: 'Whole number.',
      attributes: [],
    });
    if (condition === undefined || verify === undefined) throw new Error('two more labels were expected');
    expect(condition).toMatchObject({
      kind: 'required_condition',
      line: 4,
      id: 'balance',
      text: 'Covers it.',
    });
    expect(attributeOf(condition, 'require')?.expression).toBe('value >= "1"');
    expect(attributeOf(condition, 'by')).toEqual({ name: 'by', of: 'get_balance', pointer: '/a/~1b' });
    expect(attributeOf(condition, 'on')).toBeUndefined();
    expect(verify).toMatchObject({ kind: 'verify', id: 'final', lead: '- ' });
    expect(attributeOf(verify, 'on')?.pointers).toEqual(['/to_account', '/amount']);
    expect(attributeOf(verify, 'each_time')).toBeDefined();
  });

  test('is at most 1,000 units long', () => {
    const line = `[Notice] fee: ${'x'.repeat(1000 - 14)}`;
    expect(labelsOf(line).items).toHaveLength(1);
    expect(labelsOf(`${line}x`).faults).toHaveLength(1);
  });

  test('costs no stack and little time in hostile text', () => {
    const hostile = [
      ']'.repeat(100_000),
      '['.repeat(100_000),
      '[Required] /a {'.repeat(10_000),
      `[Required] ${'/'.repeat(900)} {on=${'/~'.repeat(20)}}`,
    ];
    const started = performance.now();
    for (const text of hostile) labelsOf(text);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  const piece = fc.oneof(
    fc.constantFrom(
      '[Required] ',
      '[Verify] ',
      '[Notice] ',
      '- ',
      ' ',
      '/a',
      '/*',
      '~1',
      'balance',
      ': ',
      'text',
      ' {',
      '}',
      '; ',
    ),
    fc.constantFrom(
      'by=a#/b',
      'on=/a,/b',
      'require="x"',
      'require="{\\u0041}"',
      'each_time',
      '\n',
      '\r',
      '[',
      ']',
      'é',
      '😀',
    ),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );

  law.prop([fc.array(piece, { maxLength: 14 }).map((parts) => parts.join(''))], { numRuns: 2000 })(
    'never throws, keeps lines apart, and what is parsed prints back to the same line',
    (text) => {
      const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
      const { items, faults } = labelsOf(text);
      for (const label of items) expect(printLabel(label)).toBe(lines[label.line - 1]);
      const numbers = [...items, ...faults].map(({ line }) => line);
      expect(new Set(numbers).size).toBe(numbers.length);
    },
  );

  const word = fc
    .string({ unit: fc.constantFrom(...'ab z.:/[]éß'), minLength: 1, maxLength: 12 })
    .map((s) => `x${s}`);
  const pointer = fc
    .array(fc.constantFrom('a', '*', 'b~1c', 'to_account', '0'), { minLength: 1, maxLength: 3 })
    .map((p) => `/${p.join('/')}`);
  const id = fc.stringMatching(/^[a-z][a-z0-9_.-]{0,63}$/);
  const attributes = fc
    .record(
      {
        by: fc.tuple(fc.constantFrom('get_balance', 'account'), pointer).map(([of, at]) => `by=${of}#${at}`),
        on: fc.array(pointer, { minLength: 1, maxLength: 3 }).map((p) => `on=${p.join(',')}`),
        require: fc.string().map((s) => `require=${JSON.stringify(s)}`),
        each_time: fc.constant('each_time'),
      },
      { requiredKeys: [] },
    )
    .map((found) => Object.values(found))
    .map((found) => (found.length === 0 ? '' : ` {${found.join('; ')}}`));
  const head = fc.oneof(
    pointer.map((p) => `[Required] ${p}`),
    fc.tuple(pointer, word).map(([p, t]) => `[Required] ${p}: ${t}`),
    fc.tuple(fc.constantFrom('Required', 'Verify'), id, word).map(([w, i, t]) => `[${w}] ${i}: ${t}`),
  );

  law.prop([fc.constantFrom('', ' ', '   ', '- ', '  - '), head, attributes])(
    'of the grammar is always read',
    (lead, said, braces) => {
      const line = `${lead}${said}${braces}`;
      const { items, faults } = labelsOf(line);
      expect(faults).toEqual([]);
      expect(items.map(printLabel)).toEqual([line]);
    },
  );
});
