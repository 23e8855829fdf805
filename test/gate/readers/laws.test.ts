import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { ReaderSpec } from '../../../src/declarations/checklist.ts';
import type { Json } from '../../../src/events/json.ts';
import { cutsToken, readerOf } from '../../../src/gate/readers/index.ts';
import { AT, agrees, NO_TIME, reader } from './reading.ts';

const SPECS: Record<string, ReaderSpec> = {
  cabin: {
    one_of: { basic_economy: ['basic economy'], economy: ['economy', 'coach'], first: ['first class'] },
  },
  flag: { boolean: { true: ['yes', 'with it'], false: ['no', 'without it'] } },
  bags: { integer: { '0': ['no bags'], '2': ['a pair'] } },
  rate: { decimal: { '0.5': ['half'] } },
  price: { money: { '0': ['for free'] } },
  day: { date: { order: 'mdy' } },
  time: { datetime: { zone: '-05:00' } },
};
const NAMES = [
  'text',
  'text_fold',
  'integer',
  'decimal',
  'money',
  'boolean',
  'date',
  'datetime',
  'url',
  'web_address',
];
const READERS = [
  ...NAMES.map((name) => reader(name)),
  ...Object.entries(SPECS).map(([name, spec]) => reader(name, spec)),
];

/** Pieces of what people write, so that random text is full of near misses. */
const PIECES = [
  ...'0123456789'.split(''),
  ...' \n.,:;-_/#@$%+\'"*`()é원만月日년👍’“–\u00a0\ud83d'.split(''),
  ...[
    '1,500',
    '299.0',
    '$5',
    'HAT136',
    'three',
    'hundred',
    'twenty',
    'one',
    'and',
    'a half',
    ' dollars',
    ' won',
  ],
  ...['cents', 'May', '20th', '2024', '2024-05-20', 'tomorrow', 'T10:00', ' EST', '5/20/2024', 'Monday, '],
  ...[
    'basic',
    'economy',
    'coach',
    'first class',
    'yes',
    'no',
    'bags',
    'true',
    'https://a.example/x',
    'www.a.example',
    'x',
    '5월 20일',
  ],
];
const writing = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.constant(' ')), { maxLength: 30 })
  .map((pieces) => pieces.join(''));
const VALUES: Json[] = [
  ...[
    'HAT136',
    'three',
    'economy',
    'basic_economy',
    '2024-05-20',
    '2024-05-20T10:00:00-05:00',
    'one',
    '1,500',
  ],
  ...[
    0,
    1,
    2,
    3,
    5,
    20,
    500,
    1500,
    2024,
    0.5,
    true,
    false,
    'https://a.example/x',
    '원',
    '👍',
    '#5',
    '-',
    "'",
    '',
  ],
];

describe('every reader', () => {
  test.prop(
    [writing, fc.constantFrom(...READERS), fc.constantFrom(...VALUES), fc.constantFrom(AT, NO_TIME)],
    {
      numRuns: 3000,
    },
  )('agrees with itself in find, scan, readAt and same, and changes nothing', (text, of, value, context) => {
    agrees(of, text, value, Object.freeze(context));
    expect(of.find(text, value, context)).toEqual(of.find(text, value, context));
  });

  test.prop([writing, fc.constantFrom(...VALUES)], { numRuns: 2000 })(
    'finds no span that cuts a token; numbers and dates may touch CJK letters only',
    (text, value) => {
      for (const of of READERS)
        for (const { start, end } of of.find(text, value, AT)) {
          expect(start).toBeLessThan(end);
          for (const at of [start, end]) {
            const touches = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]/.test(text.slice(at - 1, at + 1));
            expect(cutsToken(text, at) && !touches).toBe(false);
          }
        }
    },
  );

  test.prop([fc.string({ unit: 'binary' }), fc.constantFrom(...READERS)], { numRuns: 1000 })(
    'survives any text, halves of surrogate pairs among it',
    (text, of) => {
      agrees(of, text, text, AT);
      agrees(of, text, 5, NO_TIME);
    },
  );

  test.prop([writing, fc.nat(60), fc.nat(60)], { numRuns: 1000 })(
    'reads at a span only what it would find there',
    (text, start, length) => {
      const span = { start, end: start + length };
      for (const of of READERS) {
        const value = of.readAt(text, span, AT);
        if (value === undefined || of.scan(text, AT) === null) continue;
        const around = of.find(text, value, AT).some((hit) => hit.start <= span.start && hit.end >= span.end);
        expect(around).toBe(true);
      }
    },
  );
});

const separator = fc.constantFrom(' ', '\n', ', ', '. ', ' "', ' (', '; ', ' **', ' “', '! ', '\u00a0', '、');
const closing = fc.constantFrom(' ', '\n', ', ', '. ', '" ', ') ', '; ', '** ', '” ', '! ', '。');
const plain = fc.stringMatching(/^[a-z]{0,12}( [a-z]{1,9}){0,3}$/);

describe('a planted value', () => {
  test.prop([
    plain,
    separator,
    fc.stringMatching(/^#?[A-Z0-9]{1,8}([_-][A-Z0-9]{1,5}){0,2}$/),
    closing,
    plain,
  ])('is found as text', (before, left, id, right, after) => {
    const text = before + left + id + right + after;
    const spans = reader('text').find(text, id, AT);
    expect(spans).toContainEqual({
      start: before.length + left.length,
      end: before.length + left.length + id.length,
    });
  });

  test.prop([
    plain.map((text) => `x${text.replaceAll(/[^x ]/g, 'x')}`),
    separator,
    fc.maxSafeInteger(),
    closing,
  ])('is found as an integer, also in groups and as money', (before, left, number, right) => {
    // At a line's beginning and with a point or bracket behind it, it would count the item of a list.
    fc.pre(!(/(?:^|[\r\n])[ \t>*_#-]*$/.test(before + left) && /^[.)]/.test(right)));
    const digits = String(number);
    const grouped = digits.replaceAll(/\B(?=([0-9]{3})+$)/g, ',');
    for (const said of [digits, grouped])
      for (const name of ['integer', 'decimal', 'money'])
        expect(reader(name).find(before + left + said + right, number, AT)).toHaveLength(1);
  });

  test.prop([
    separator,
    fc.date({
      min: new Date('1900-01-01T00:00:00Z'),
      max: new Date('2199-12-31T00:00:00Z'),
      noInvalidDate: true,
    }),
    closing,
  ])('is found as a date, and its weekday is the calendar’s', (left, when, right) => {
    const iso = when.toISOString().slice(0, 10);
    const form = {
      timeZone: 'UTC',
      weekday: 'long',
      month: 'long',
      day: 'numeric',
      year: 'numeric',
    } as const;
    const worded = new Intl.DateTimeFormat('en-US', form).format(when);
    for (const said of [iso, worded])
      expect(reader('date').find(`x${left}${said}${right}x`, iso, AT)).toHaveLength(1);
    const at = { at: when.toISOString(), zone: 'UTC' };
    const next = new Date(when.getTime() + 86_400_000).toISOString().slice(0, 10);
    expect(reader('date').find('until tomorrow', next, at)).toHaveLength(1);
  });
});

test.prop([
  fc.stringMatching(/^[A-Za-z0-9_-]{0,6}[A-Za-z0-9]$/),
  fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,6}$/),
])('neither a prefix nor a suffix is found within an identifier', (first, second) => {
  for (const glue of ['', '_', '-', '.', '/', '#', '@', '__'])
    for (const part of [first, second]) {
      const text = `see ${first}${glue}${second} there`;
      const at = part === first ? 4 : text.length - 6 - second.length;
      expect(reader('text').find(text, part, AT)).not.toContainEqual({ start: at, end: at + part.length });
    }
});

test.prop([writing])('the order of keys in a declaration does not matter', (text) => {
  const turned = {
    one_of: { first: ['first class'], economy: ['coach', 'economy'], basic_economy: ['basic economy'] },
  };
  expect(reader('cabin', turned).scan(text, AT)).toEqual(reader('cabin', SPECS.cabin).scan(text, AT));
});

describe('readerOf', () => {
  it('gives the built-in readers by name, which no declaration can replace', () => {
    for (const name of NAMES) expect(readerOf(name, {})?.name).toBe(name);
    expect(readerOf('text', { text: { one_of: { a: ['a'] } } })).toBe(readerOf('text', {}));
  });

  it('gives null for an unknown name, those of every object among them', () => {
    for (const name of ['cabin', 'toString', '__proto__', 'constructor', ''])
      expect(readerOf(name, {})).toBeNull();
  });

  it('makes one reader of one declaration and works on frozen ones', () => {
    const spec: ReaderSpec = Object.freeze({ one_of: Object.freeze({ a: ['x'] }) });
    const specs = Object.freeze({ one: spec, two: spec });
    expect(readerOf('one', specs)).toBe(readerOf('one', { one: spec }));
    expect(readerOf('two', specs)?.name).toBe('two');
    expect(readerOf('one', specs)).not.toBe(readerOf('one', { one: { one_of: { a: ['x'] } } }));
  });

  it('makes a reader of every kind of declaration', () => {
    for (const name of Object.keys(SPECS)) expect(readerOf(name, SPECS)).toMatchObject({ name, version: 1 });
  });
});

it('takes time in proportion to the text, whatever stands in it', () => {
  const worst = [
    '-',
    '_',
    '1 ',
    '1,',
    '1.',
    'a',
    'one ',
    'may 1 ',
    '(1) ',
    '🎉',
    'a.',
    "a'",
    '  ',
    'https://',
  ];
  const begun = performance.now();
  for (const piece of worst) {
    const text = piece.repeat(30_000);
    for (const of of READERS) {
      of.find(text, 'a-a', AT);
      of.scan(text, AT);
    }
  }
  expect(performance.now() - begun).toBeLessThan(20_000);
});
