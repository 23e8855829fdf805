import type { Json } from '../../events/json.ts';

/**
 * Exact decimals as text, in canonical form: `-`?, no leading zeros, no trailing zeros of a fraction, never `-0`.
 * Equality of values is equality of these texts: 299.0 is 299, and no digit is ever rounded away. RULES R8.
 */

const LITERAL = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,4}))?$/;

export function canonicalDecimal(text: string): string | null {
  const parts = LITERAL.exec(text);
  if (parts === null) return null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  return place(sign, whole, fraction, Number(exponent));
}

/** Times ten to the `by`. */
export function shiftDecimal(canonical: string, by: number): string {
  const sign = canonical.startsWith('-') ? '-' : '';
  const [whole = '0', fraction = ''] = canonical.slice(sign.length).split('.');
  return place(sign, whole, fraction, by);
}

function place(sign: string, whole: string, fraction: string, by: number): string {
  const digits = whole + fraction;
  const point = whole.length + by;
  const left = point <= 0 ? '0' : digits.slice(0, point).padEnd(point, '0');
  const right = point <= 0 ? '0'.repeat(-point) + digits : digits.slice(point);
  const integer = left.replace(/^0+(?=[0-9])/, '');
  let end = right.length;
  while (end > 0 && right.charCodeAt(end - 1) === 48) end--;
  const body = end === 0 ? integer : `${integer}.${right.slice(0, end)}`;
  return body === '0' ? '0' : sign + body;
}

const PLAIN = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/;

/** A number, or the text of one that no number holds exactly; null for all else, `007` and `1e3` as text among it. */
export function decimalOf(value: Json): string | null {
  if (typeof value === 'number') return canonicalDecimal(String(value));
  return typeof value === 'string' && PLAIN.test(value) ? canonicalDecimal(value) : null;
}

/** A number where that is exact, else the text: 1915883588174806058 is never rounded. */
export function decimalValue(canonical: string): Json {
  const number = Number(canonical);
  return canonicalDecimal(String(number)) === canonical ? number : canonical;
}

export const isWholeNumber = (canonical: string): boolean => !canonical.includes('.');
