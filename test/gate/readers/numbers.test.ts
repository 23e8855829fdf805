import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/events/json.ts';
import { AT, agrees, found, read, reader } from './reading.ts';

const integer = reader('integer');
const decimal = reader('decimal');
const money = reader('money');

describe('integer reads whole numbers', () => {
  it.each<[string, Json[]]>([
    ['I have 3 bags and 2 dogs.', [3, 2]],
    ['1,500 and 12,345,678', [1500, 12345678]],
    ['it is 299.0', [299]],
    ['-5, +6 and −7', [-5, 6, -7]],
    ['- 5 items', [5]],
    ['**12** or `13` or “14” or _15_', [12, 13, 14, 15]],
    ['$500 (or 600)', [500, 600]],
    ['总共金额500元', [500]],
    ['50만원', [500000]],
    ['3천만 원', [30000000]],
    ['1억5천만', [150000000]],
    ['5000円です', [5000]],
    ['수량은 3개', [3]],
    ['three bags', [3]],
    ['Twenty-one people', [21]],
    ['two hundred and five', [205]],
    ['two hundred fifty thousand', [250000]],
    ['one hundred twenty three thousand four hundred fifty six', [123456]],
    ['fifteen hundred', [1500]],
    ['a hundred or a thousand', [100, 1000]],
    ['5 hundred; 2 million; 1.5 million', [500, 2000000, 1500000]],
    ['a hundred and a dog', [100]],
    ['zero', [0]],
    ['one bag, two bags', [1, 2]],
    ['0', [0]],
    ['1915883588174806058', ['1915883588174806058']],
    ['9007199254740992', [9007199254740992]],
    ['maybe 5. Or 6, or 7?', [5, 6, 7]],
    ['room for two, $45.00 each, 3 of us', [2, 45, 3]],
    ['in 2024 and on flight 7', [2024, 7]],
    ['between 5 and 10', [5, 10]],
    ['5 marbles, 3 offices, 2 points', [5, 3, 2]],
    ['x=5; total:7', [5, 7]],
    ['two hundred and that is all', [200]],
    ['1\n2\n3', [1, 2, 3]],
  ])('%s', (text, values) => {
    expect(read(integer, text)).toEqual(values);
    for (const value of values) agrees(integer, text, value, AT);
  });

  it.each([
    'on 2024-05-20',
    'at 10:30',
    'at 10 am or 10 p.m.',
    "5 o'clock",
    'HAT136',
    'flight 136B',
    'call 555-1234',
    'call (555) 123-4567',
    'call (555) 123 4567',
    'call +1 555 123 4567',
    'card 4111 1111 1111 1111',
    '1 500',
    '1\u00a0500',
    '50%',
    '50 %',
    '50 percent or 50 per cent',
    'credit_card_7334',
    '#5',
    'zip 02134',
    '1.500',
    '1.500,00',
    '1,5',
    '1,50',
    '1,2,3',
    '12,34,567',
    '5/20',
    '2 1/2',
    '3-4 people',
    '3–4 people',
    '5+',
    '2x',
    '2½',
    '5²',
    '3.5',
    '1.2.3',
    'May 20, 2024',
    'on the 20th of May 2024',
    '20 May',
    'Sept. 5',
    '5月20日',
    '2024년',
    '제5조',
    '2 dozen',
    'two and a half',
    '2 and a half',
    'two point five',
    'twenty twenty four',
    'five five five one two',
    'twenty first',
    'twenty-first',
    'the first one',
    'this one',
    'one of them',
    'one way, one-way',
    'the cheapest one',
    'no one',
    'someone',
    'few hundred',
    'half a million',
    '3 hundreds',
    '3 thousand 5 hundred',
    '10억 5천만',
    'seven 11',
    "1'500",
    '1.234,56',
    '5/20/24',
    '$5/night',
    'tentative',
    '５',
    '5k',
  ])('reads nothing in: %s', (text) => {
    expect(read(integer, text)).toEqual([]);
  });

  it.each([
    ...[
      'mln',
      'mill',
      'mil',
      'mio',
      'Mio.',
      'MM',
      'm',
      'M',
      'b',
      'T',
      'K',
      'bln',
      'bn',
      'tn',
      'trn',
      'trillion',
    ],
    ...[
      'tsd',
      'Tsd.',
      'thou',
      'mrd',
      'Mrd.',
      'mld',
      'mia.',
      'cr',
      'crore',
      'lac',
      'lakhs',
      'L',
      'grand',
      'hundreds',
    ],
    ...['k€', 'M€', 'Mio. €', 'kEUR', 'MUSD', '€ mln', 'EUR mln', 'dollars million', '$k', '€k'],
    ...[
      'millones',
      'milhões',
      'milliards',
      'Millionen',
      'tausend',
      'juta',
      'triệu',
      'млн',
      'тысяч',
      '만원',
      '천',
    ],
    ...['*million*', '(mln)', '"mln"'],
  ])('does not take the number before a scale for the amount: 850 %s', (scale) => {
    for (const space of [' ', '  ', '\u00a0', '\u202f', '\t']) {
      for (const number of ['850', '1,850.5', '-850', 'eight hundred and fifty']) {
        const text = `Send ${number}${space}${scale} now`;
        for (const any of [integer, decimal, money]) {
          const values = read(any, text);
          const whole = values.length === 1 && Number(values[0]) >= 100_000;
          expect(whole || values.length === 0, `${any.name} ${JSON.stringify(text)} ${values}`).toBe(true);
        }
      }
    }
  });

  it.each<[string, Json]>([
    ['5 miles', 5],
    ['5 minutes', 5],
    ['5 million', 5_000_000],
    ['500 milk cartons', 500],
    ['3 T-shirts', 3],
    ['2 L-shaped desks', 2],
    ['5 laptops', 5],
    ['20 bills', 20],
    ['3 tickets', 3],
    ['5 grams', 5],
    ['6 a day', 6],
    ['7\nmillions of thanks', 7],
    ['it was 8. Thousand thanks', 8],
  ])('takes it where the next word is none: %s', (text, value) => {
    expect(read(integer, text)[0]).toBe(value);
  });

  it('does not count a bare scale by itself where digits before it may count it', () => {
    expect(read(integer, '850 USD million')).toEqual([]);
    expect(read(integer, '2 1/2 million')).toEqual([]);
    expect(read(money, 'hundred dollars')).toEqual([100]);
  });

  it('finds a value by its exact decimal value', () => {
    expect(found(integer, 'three, 3 or 3.0 but not 30', 3)).toEqual(['three', '3', '3.0']);
    expect(found(integer, '1,500 and 500', 500)).toEqual(['500']);
    expect(found(integer, '1915883588174806058', 1915883588174806000)).toEqual([]);
    expect(found(integer, 'three', 'three')).toEqual(['three']);
    expect(found(integer, '3', 'x')).toEqual([]);
    expect(found(integer, '3', null)).toEqual([]);
  });

  it('reads structured values by what they denote', () => {
    expect(integer.fromJson(5, AT)).toBe(5);
    expect(integer.fromJson('299.0', AT)).toBe(299);
    expect(integer.fromJson('1,500', AT)).toBe(1500);
    expect(integer.fromJson(2.5, AT)).toBeUndefined();
    expect(integer.fromJson('007', AT)).toBeUndefined();
    expect(integer.fromJson('5 bags', AT)).toBeUndefined();
    expect(integer.fromJson(true, AT)).toBeUndefined();
    expect(integer.fromJson([5], AT)).toBeUndefined();
    expect(integer.same(5, '5.0')).toBe(true);
    expect(integer.same('007', 7)).toBe(false);
    expect(integer.same('x', 'x')).toBe(false);
  });

  it('reads at exactly the span of a number', () => {
    const text = 'pay 1,500 now';
    expect(integer.readAt(text, { start: 4, end: 9 }, AT)).toBe(1500);
    expect(integer.readAt(text, { start: 6, end: 9 }, AT)).toBeUndefined();
    expect(integer.readAt(text, { start: 3, end: 9 }, AT)).toBeUndefined();
  });

  it('reads declared phrases, which consume the numbers within', () => {
    const bags = reader('bags', {
      integer: { '0': ['no checked bags', 'none'], '4': ['family of three plus one'], x: ['many'] },
    });
    expect(read(bags, 'No checked bags, many thanks')).toEqual([0]);
    expect(read(bags, 'We are a family of three plus one, 2 bags')).toEqual([4, 2]);
    expect(found(bags, 'no checked-bags; 0; nonetheless', 0)).toEqual(['no checked-bags', '0']);
    expect(bags.fromJson('none', AT)).toBe(0);
    agrees(bags, 'no checked bags and 0', 0, AT);
  });
});

describe('decimal reads fractions, the point always decimal', () => {
  it.each<[string, Json[]]>([
    ['3.5, 0.125, .5 and -0.50', [3.5, 0.125, 0.5, -0.5]],
    ['1.500', [1.5]],
    ['1,234.50', [1234.5]],
    ['0.1', [0.1]],
    ['0.10000000000000000000001', ['0.10000000000000000000001']],
    ['v1.2.3 and 1.2.3', []],
    ['10.5%', []],
    ['-0', [0]],
  ])('%s', (text, values) => {
    expect(read(decimal, text)).toEqual(values);
  });

  it('compares exactly, exponents of numbers written out', () => {
    expect(decimal.same(1e21, '1000000000000000000000')).toBe(true);
    expect(decimal.same(1e-7, '0.0000001')).toBe(true);
    expect(decimal.same(0.1, '0.10')).toBe(true);
    expect(decimal.same('0.1', '0.10000000000000000000001')).toBe(false);
  });
});

describe('money reads amounts with or without a currency', () => {
  it.each<[string, Json[], string[]]>([
    ['It costs $1,625.00.', [1625], ['$1,625.00']],
    ['500,000 won', [500000], ['500,000 won']],
    ['₩500,000 or 50만원', [500000, 500000], ['₩500,000', '50만원']],
    ['€99.90, £5, 5 €, 1000円', [99.9, 5, 5, 1000], ['€99.90', '£5', '5 €', '1000円']],
    ['USD 500 and 500 EUR', [500, 500], ['USD 500', '500 EUR']],
    ['US$20', [20], ['US$20']],
    ['1,500$, now', [1500], ['1,500$']],
    ['-$5 or $-6', [-5, -6], ['-$5', '$-6']],
    ['50 cents, 99¢', [0.5, 0.99], ['50 cents', '99¢']],
    ['five dollars', [5], ['five dollars']],
    ['5 dollars and 50 cents', [5.5], ['5 dollars and 50 cents']],
    ['twenty US dollars', [20], ['twenty US dollars']],
    ['$5 million', [5000000], ['$5 million']],
    ['two hundred bucks', [200], ['two hundred bucks']],
    ['just 300', [300], ['300']],
    ['$5, 10 cents', [5.1], ['$5, 10 cents']],
    ['$.50', [0.5], ['$.50']],
    ['500 try again', [500], ['500']],
  ])('%s', (text, values, spans) => {
    expect(read(money, text)).toEqual(values);
    expect((money.scan(text, AT) ?? []).map(({ start, end }) => text.slice(start, end))).toEqual(spans);
    for (const value of values) agrees(money, text, value, AT);
  });

  it.each([
    '$5k',
    '5 dollars 50',
    'five dollars fifty',
    'foo$5',
    '$1.500',
    '$50%',
    '$5-10',
    '5 grand',
    '$1,5',
    '1,500$now',
  ])('reads nothing in: %s', (text) => {
    expect(read(money, text)).toEqual([]);
  });

  it('reads the number alone within an amount, unless the currency changes it', () => {
    expect(money.readAt('$500', { start: 1, end: 4 }, AT)).toBe(500);
    expect(money.readAt('50 cents', { start: 0, end: 2 }, AT)).toBeUndefined();
    expect(money.readAt('-$5', { start: 2, end: 3 }, AT)).toBeUndefined();
    expect(money.fromJson('$1,625.00', AT)).toBe(1625);
    expect(money.fromJson({ amount: 5 }, AT)).toBeUndefined();
  });

  it('reads declared phrases', () => {
    const limit = reader('limit', { money: { '0.5': ['half a dollar'], '0': ['for free'] } });
    expect(read(limit, 'Half a dollar, or for free, or $3')).toEqual([0.5, 0, 3]);
    const rate = reader('rate', { decimal: { '0.5': ['half'] } });
    expect(read(rate, 'half or 0.25')).toEqual([0.5, 0.25]);
  });
});
