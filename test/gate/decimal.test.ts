import { fc, test as law } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import {
  add,
  compareDecimals,
  type Decimal,
  decimalOf,
  decimalToJson,
  decimalToText,
  div,
  divExact,
  equalDecimals,
  mod,
  mul,
  parseDecimal,
  sub,
} from '../../src/gate/decimal.ts';

const d = (text: string): Decimal => parseDecimal(text) ?? expect.fail(`${text} is no decimal`);
const shown = (value: Decimal | string): string => (typeof value === 'string' ? value : decimalToText(value));

const anyDecimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), fc.nat(12))
  .map(([units, scale]) => ({ units, scale, value: d(`${units}e-${scale}`) }));

describe('exact decimals', () => {
  test('0.1 + 0.2 is 0.3, and 255 is 255.0', () => {
    expect(decimalToJson(add(d('0.1'), d('0.2')))).toBe(0.3);
    expect(equalDecimals(d('255'), d('255.0'))).toBe(true);
    expect(equalDecimals(d('-0'), d('0.00'))).toBe(true);
  });

  test.each([
    ['1e3', '1000'],
    ['1.50', '1.5'],
    ['-0.05', '-0.05'],
    ['12e-3', '0.012'],
    ['1e21', '1000000000000000000000'],
  ])('%s reads as %s', (text, full) => {
    expect(decimalToText(d(text))).toBe(full);
  });

  test.each(['', '.5', '1.', '+1', '1e', '0x10', 'NaN', ' 1', '1e999', '9'.repeat(401)])(
    '"%s" is refused',
    (text) => {
      expect(parseDecimal(text)).toBeUndefined();
    },
  );

  test.each([
    ['7', '2', '3'],
    ['-7', '2', '-3'],
    ['7.5', '2', '3.75'],
    ['1', '0.3', 'inexact_division'],
    ['0.6', '0.3', '2'],
    ['1', '0', 'division_by_zero'],
    ['1.5', '0.0', 'division_by_zero'],
    ['0.1', `1e-40`, '1000000000000000000000000000000000000000'],
    ['1.5', `${2n ** 60n}`, 'inexact_division'],
  ])('%s / %s is %s', (a, b, quotient) => {
    expect(shown(div(d(a), d(b)))).toBe(quotient);
  });

  test('the exact quotient of two integers keeps its fraction', () => {
    expect(shown(divExact(d('7'), d('2')))).toBe('3.5');
    expect(shown(divExact(d('1'), d('3')))).toBe('inexact_division');
  });

  test.each([
    ['7', '3', '1'],
    ['-7', '3', '-1'],
    ['7', '-3', '1'],
    ['7', '0', 'division_by_zero'],
    ['7.5', '2', 'not_an_integer'],
  ])('the remainder of %s by %s is %s', (a, b, rest) => {
    expect(shown(mod(d(a), d(b)))).toBe(rest);
  });

  test('a value that no JSON number says exactly is not given as one', () => {
    expect(decimalToJson(d('9007199254740993'))).toBeUndefined();
    expect(decimalToJson(d('0.1000000000000000000001'))).toBeUndefined();
    expect(decimalToJson(d('1e21'))).toBe(1e21);
  });

  law.prop([fc.double({ noNaN: true, noDefaultInfinity: true })])(
    'every JSON number comes back as itself',
    (value) => {
      const decimal = decimalOf(value) ?? expect.fail('not read');
      expect(decimalToJson(decimal)).toBe(value === 0 ? 0 : value);
    },
  );

  law.prop([anyDecimal, anyDecimal])(
    'sum, difference, product and order agree with scaled integers',
    (a, b) => {
      const left = a.units * 10n ** BigInt(12 - a.scale);
      const right = b.units * 10n ** BigInt(12 - b.scale);
      expect(add(a.value, b.value)).toEqual(d(`${left + right}e-12`));
      expect(sub(a.value, b.value)).toEqual(d(`${left - right}e-12`));
      expect(mul(a.value, b.value)).toEqual(d(`${left * right}e-24`));
      expect(compareDecimals(a.value, b.value)).toBe(left < right ? -1 : left > right ? 1 : 0);
      expect(equalDecimals(a.value, b.value)).toBe(left === right);
    },
  );

  law.prop([anyDecimal, anyDecimal])('an exact quotient times its divisor is the dividend', (a, b) => {
    const quotient = divExact(a.value, b.value);
    if (typeof quotient === 'string') expect(['division_by_zero', 'inexact_division']).toContain(quotient);
    else expect(mul(quotient, b.value)).toEqual(a.value);
  });

  law.prop([anyDecimal])('full text reads back as the same value', ({ value }) => {
    expect(parseDecimal(decimalToText(value))).toEqual(value);
  });
});
