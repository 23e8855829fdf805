/**
 * Exact decimal numbers: `coefficient × 10^-scale`. One numeric type for whatever JSON or an expression can say, so that
 * 0.1 + 0.2 is 0.3 and 255 is 255.0. Always in lowest form (no trailing zero behind the point), so that equal values
 * have equal fields.
 */
export interface Decimal {
  readonly coefficient: bigint;
  /** Digits behind the point, never negative. */
  readonly scale: number;
}

/** A quotient that needs more significant digits than this is refused, never rounded. */
export const MAX_QUOTIENT_DIGITS = 34;
/** The longest number that is read, in digits, written out without an exponent. A JSON number needs fewer than 350. */
export const MAX_DIGITS = 400;

const NUMBER = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,6}))?$/;

export const ZERO: Decimal = Object.freeze({ coefficient: 0n, scale: 0 });

/** A decimal from its text: `12`, `-0.50`, `1e21`. Undefined where the text is no number or longer than `MAX_DIGITS`. */
export function parseDecimal(text: string): Decimal | undefined {
  if (text.length > 2 * MAX_DIGITS) return undefined;
  const found = NUMBER.exec(text);
  if (found === null) return undefined;
  const whole = found[2] ?? '';
  const fraction = found[3] ?? '';
  const exponent = Number(found[4] ?? '0');
  const digits = whole + fraction;
  if (digits.length > MAX_DIGITS || exponent > MAX_DIGITS || exponent < -MAX_DIGITS) return undefined;
  const magnitude = BigInt(digits);
  const coefficient = found[1] === '-' ? -magnitude : magnitude;
  const scale = fraction.length - exponent;
  return scale >= 0 ? lowest(coefficient, scale) : lowest(coefficient * tenTo(-scale), 0);
}

/** The decimal that a JSON number's shortest text says. Undefined for what JSON can't say (NaN, infinities). */
export function decimalOf(value: number): Decimal | undefined {
  return parseDecimal(String(value));
}

export function decimalOfInteger(value: bigint): Decimal {
  return lowest(value, 0);
}

/** The JSON number whose shortest text says exactly this value; undefined where there is none. */
export function decimalToJson(value: Decimal): number | undefined {
  const number = Number(decimalToText(value));
  const back = decimalOf(number);
  return back !== undefined && equalDecimals(back, value) ? number : undefined;
}

/** Written out in full, without an exponent: `-0.05`. */
export function decimalToText(value: Decimal): string {
  const negative = value.coefficient < 0n;
  const digits = String(negative ? -value.coefficient : value.coefficient).padStart(value.scale + 1, '0');
  const point = digits.length - value.scale;
  const text = value.scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return negative ? `-${text}` : text;
}

export function add(a: Decimal, b: Decimal): Decimal {
  const scale = a.scale > b.scale ? a.scale : b.scale;
  return lowest(at(a, scale) + at(b, scale), scale);
}

export function sub(a: Decimal, b: Decimal): Decimal {
  return add(a, negate(b));
}

export function mul(a: Decimal, b: Decimal): Decimal {
  return lowest(a.coefficient * b.coefficient, a.scale + b.scale);
}

export function negate(a: Decimal): Decimal {
  return Object.freeze({ coefficient: -a.coefficient, scale: a.scale });
}

export type DivisionFault = 'division_by_zero' | 'inexact_division';

/**
 * Two integers divide as in CEL: the quotient is cut towards zero (7 / 2 is 3, -7 / 2 is -3; write `x * 0.5` for an
 * exact half). Any other pair divides exactly, or not at all: a quotient that does not end within
 * `MAX_QUOTIENT_DIGITS` significant digits is a fault, never a silent rounding.
 */
export function div(a: Decimal, b: Decimal): Decimal | DivisionFault {
  if (b.coefficient === 0n) return 'division_by_zero';
  if (isInteger(a) && isInteger(b)) return decimalOfInteger(a.coefficient / b.coefficient);
  return divExact(a, b);
}

/** The exact quotient, also of two integers (7 and 2 give 3.5). */
export function divExact(a: Decimal, b: Decimal): Decimal | DivisionFault {
  if (b.coefficient === 0n) return 'division_by_zero';
  // A fraction in lowest terms ends iff its denominator is 2^i × 5^j; it then ends after max(i, j) places.
  const scale = a.scale > b.scale ? a.scale : b.scale;
  let numerator = at(a, scale);
  let denominator = at(b, scale);
  if (denominator < 0n) {
    numerator = -numerator;
    denominator = -denominator;
  }
  const common = gcd(numerator < 0n ? -numerator : numerator, denominator);
  numerator /= common;
  denominator /= common;
  let rest = denominator;
  let twos = 0;
  let fives = 0;
  while (rest % 2n === 0n) {
    rest /= 2n;
    twos++;
  }
  while (rest % 5n === 0n) {
    rest /= 5n;
    fives++;
  }
  if (rest !== 1n) return 'inexact_division';
  const places = twos > fives ? twos : fives;
  const quotient = lowest((numerator * tenTo(places)) / denominator, places);
  return digitsOf(quotient) > MAX_QUOTIENT_DIGITS ? 'inexact_division' : quotient;
}

/** The remainder of two integers, with the sign of the dividend as in CEL. */
export function mod(a: Decimal, b: Decimal): Decimal | 'division_by_zero' | 'not_an_integer' {
  if (!isInteger(a) || !isInteger(b)) return 'not_an_integer';
  if (b.coefficient === 0n) return 'division_by_zero';
  return decimalOfInteger(a.coefficient % b.coefficient);
}

export function compareDecimals(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const scale = a.scale > b.scale ? a.scale : b.scale;
  const left = at(a, scale);
  const right = at(b, scale);
  return left < right ? -1 : left > right ? 1 : 0;
}

export function equalDecimals(a: Decimal, b: Decimal): boolean {
  return a.coefficient === b.coefficient && a.scale === b.scale;
}

export function isInteger(a: Decimal): boolean {
  return a.scale === 0;
}

/** How many digits the coefficient has: the measure by which an evaluator bounds growth. */
export function digitsOf(a: Decimal): number {
  return String(a.coefficient < 0n ? -a.coefficient : a.coefficient).length;
}

function at(a: Decimal, scale: number): bigint {
  return a.scale === scale ? a.coefficient : a.coefficient * tenTo(scale - a.scale);
}

function tenTo(power: number): bigint {
  return BigInt(`1${'0'.repeat(power)}`);
}

function gcd(a: bigint, b: bigint): bigint {
  let x = a;
  let y = b;
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

function lowest(coefficient: bigint, scale: number): Decimal {
  if (coefficient === 0n) return ZERO;
  let c = coefficient;
  let s = scale;
  while (s > 0 && c % 10n === 0n) {
    c /= 10n;
    s--;
  }
  return Object.freeze({ coefficient: c, scale: s });
}
