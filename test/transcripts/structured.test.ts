import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { isWellFormed } from '../../src/events/json.ts';
import { structure } from '../../src/transcripts/structured.ts';

describe('a Python literal', () => {
  it.each([
    ["{'a': 1}", { a: 1 }],
    ['{}', {}],
    ["{'a': True, 'b': False, 'c': None}", { a: true, b: false, c: null }],
    [
      "[{'id': 'x', 'n': -2.50}, {'id': \"it's\", 'n': 1e-05}]",
      [
        { id: 'x', n: -2.5 },
        { id: "it's", n: 0.00001 },
      ],
    ],
    ["('a', 1)", ['a', 1]],
    ["('a',)", ['a']],
    ['()', []],
    ["{'t': ('a', 'b'), 'deep': {'l': [1, [2]]}}", { t: ['a', 'b'], deep: { l: [1, [2]] } }],
    ["{'a': 'line\\nend \\\\ \\x41 \\u00e9 \\U0001f600 \\''}", { a: "line\nend \\ A é 😀 '" }],
    ["{'__proto__': 1}", JSON.parse('{"__proto__":1}')],
    ["  [1,\n 'a']\n", [1, 'a']],
    ["{'a': 1,}", { a: 1 }],
  ])('denotes what Python means by it: %j', (text, value) => {
    expect(structure(text)).toEqual({ value });
  });

  it.each([
    "{'a': datetime.datetime(2024, 5, 1)}",
    "{'a'}",
    '{1, 2}',
    "{1: 'a'}",
    "[b'a']",
    '[nan]',
    '[inf]',
    "['a' 'b']",
    '[007]',
    '[1_000]',
    "['a\n']",
    "['a]",
    "['\\q']",
    "['\\x4']",
    "['\\N{BULLET}']",
    "['\\012']",
    '(1)',
    '(see below)',
    '[see below]',
    "{'a': 1} and more",
    "{'a': 1",
    "{'a'}",
    '[Trueish]',
    '[1 2]',
    '[,]',
    '[1,,2]',
    "[1, 'a'}",
    "{'a': <Thing>}",
    '[1, ...]',
  ])('is only text where it is another thing: %j', (text) => {
    expect(structure(text)).toBeNull();
  });

  it.each([
    ["{'a': 1, 'a': 1}", 'duplicate_key'],
    ["{'a': 12345678901234567890}", 'inexact_number'],
    ["['\\ud800']", 'lone_surrogate'],
    [`${"['',".repeat(400)}${']'.repeat(400)}`, 'too_deep'],
  ])('measures nothing where it can not be read exactly: %j', (text, fault) => {
    expect(structure(text)).toEqual({ fault });
  });

  const leaf = fc.oneof(
    fc.string({ unit: 'binary' }).filter(isWellFormed),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 3 }),
    ),
  }));

  test.prop([fc.dictionary(fc.string({ minLength: 1 }), value, { minKeys: 1 })])(
    'is read back as it was written',
    (object) => {
      expect(structure(`{'python': (True,), 'value': ${repr(object)}}`)).toEqual({
        value: { python: [true], value: JSON.parse(JSON.stringify(object)) },
      });
    },
  );
});

/** As Python's `repr` writes it. */
function repr(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') {
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
  }
  if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`;
  return `{${Object.entries(value as object)
    .map(([key, each]) => `${repr(key)}: ${repr(each)}`)
    .join(', ')}}`;
}

describe('YAML records', () => {
  it.each([
    ['a: 1\nb: x', { a: 1, b: 'x' }],
    [
      "id_: '5'\nopen: false\nnote: ''\nlist: []\nnothing: null\n",
      { id_: '5', open: false, note: '', list: [], nothing: null },
    ],
    ['people:\n- a\n- b\nday: 2024-05-19', { people: ['a', 'b'], day: '2024-05-19' }],
    [
      '- id: 1\n  name: A\n- id: 2\n  name: B\n',
      [
        { id: 1, name: 'A' },
        { id: 2, name: 'B' },
      ],
    ],
    ['- id: 1\n- id: 2', [{ id: 1 }, { id: 2 }]],
    ["body: 'One.\n\n  Two.'\nto: me", { body: 'One.\nTwo.', to: 'me' }],
    ['zip: 01234\nhex: 0x1F\nyes: no\nv: 1.50', { zip: '01234', hex: '0x1F', yes: 'no', v: 1.5 }],
    ['a: {x: 1, y: [2]}\nb: ~', { a: { x: 1, y: [2] }, b: null }],
    ['__proto__: 1\nb: 2', JSON.parse('{"__proto__":1,"b":2}')],
  ])('denote values: %j', (text, value) => {
    expect(structure(text)).toEqual({ value });
  });

  it.each([
    'All is well.',
    'Note: this is one line',
    'Sent 20.0 to Otto.',
    'Dear Ann,\nplease order: lemons.\nOtto',
    'From: Ann\nTo: Bob\n\nHi Bob, all is well.',
    'Current weather in Graz:\nTemperature: 7\nConditions: fog',
    'The plan: we go\nThe place: here',
    '- milk\n- bread',
    '- one: two',
    '- Ann: likes tea\n- Otto: likes milk',
    '# Title\na: 1\nb: 2',
    'a: 1 # hidden\nb: 2',
    'a: &x 1\nb: *x',
    'a: !!str 1\nb: 2',
    'a: *missing\nb: 2',
    'a: 1\nb: [1, 2',
    'a: "x\nb: 2',
    '%YAML 1.2\n---\na: 1\nb: 2',
    'a: 1\nb: 2\n---\nc: 3\nd: 4',
    '<<: 1\nb: 2',
    '<html>\n<body>a: 1</body>',
    '2024-05-19',
    '12',
    '',
    '---',
  ])('are not seen in what is prose or is not plain: %j', (text) => {
    expect(structure(text)).toBeNull();
  });

  it.each([
    ['a: 1\na: 1', 'duplicate_key'],
    ['x: 1\nn: 12345678901234567890', 'inexact_number'],
    ['- id: 1\n  in: {a: 1, a: 2}', 'duplicate_key'],
  ])('measure nothing where they can not be read exactly: %j', (text, fault) => {
    expect(structure(text)).toEqual({ fault });
  });

  it.each([
    ['nesting', `a: 1\nb: ${'['.repeat(30_000)}`],
    ['closed nesting', `a: 1\nb: ${'['.repeat(5_000)}${']'.repeat(5_000)}`],
    ['aliases', `a: &a [1]\n${Array.from({ length: 30 }, (_, i) => `b${i}: [*a, *a]`).join('\n')}`],
    ['keys', `a: 1\nb: {${Array.from({ length: 20_000 }, (_, i) => `k${i}: 1`).join(', ')}}`],
    ['length', `a: 1\nb: ${'x'.repeat(300_000)}`],
  ])('are read or left in little time, whatever they hold: %s', (_, text) => {
    const started = process.cpuUsage();
    expect(() => structure(text)).not.toThrow();
    expect(process.cpuUsage(started).user).toBeLessThan(5_000_000);
  });

  const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
  const record = fc.record({
    id_: fc.string(),
    count: fc.integer(),
    open: fc.boolean(),
    list: fc.array(scalar),
    nested: fc.dictionary(fc.string({ minLength: 1 }), scalar),
  });
  test.prop([fc.array(record, { minLength: 1, maxLength: 3 })])(
    'are never read as other values than were written',
    (records) => {
      // Strings that a comment sign or a line break makes hard may stay text.
      const read = structure(stringify(records, { schema: 'core', lineWidth: 0 }));
      if (read !== null) expect(read).toEqual({ value: JSON.parse(JSON.stringify(records)) });
    },
  );
});
