const NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,4})?$/;

/**
 * The number that a JSON lexeme denotes, or null where a double can't hold it: 1915883588174806058 would become another
 * number without anybody noticing.
 */
export function exactNumber(lexeme: string): number | null {
  if (!NUMBER.test(lexeme)) return null;
  const value = Number(lexeme);
  if (!Number.isFinite(value)) return null;
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return null;
  if (decimal(lexeme) !== decimal(String(value))) return null;
  return value === 0 ? 0 : value;
}

/** Sign, digits without outer zeros and exponent: equal for equal decimal values. */
function decimal(lexeme: string): string {
  const parts = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(lexeme);
  if (parts === null) return lexeme;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (digits === '') return '0';
  const trimmed = digits.replace(/0+$/, '');
  return `${sign}${trimmed}e${Number(exponent) - fraction.length + (digits.length - trimmed.length)}`;
}
