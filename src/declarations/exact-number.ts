import { isExactNumber } from '../events/number-lexeme.ts';

const NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,4})?$/;

/**
 * The number that a JSON lexeme denotes, or null where a double can't hold it: 1915883588174806058 would become another
 * number without anybody noticing.
 */
export function exactNumber(lexeme: string): number | null {
  if (!NUMBER.test(lexeme) || !isExactNumber(lexeme)) return null;
  const value = Number(lexeme);
  return value === 0 ? 0 : value;
}
