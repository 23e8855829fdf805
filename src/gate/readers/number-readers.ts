import type { Json } from '../../events/json.ts';
import { canonicalDecimal, decimalOf, decimalValue, isWholeNumber } from './decimal-text.ts';
import { scanMoney } from './money.ts';
import { type Amount, scanNumbers } from './numbers.ts';
import { phraseTable, phraseValue, scanPhrases } from './phrases.ts';
import type { Reader, Span } from './reader.ts';
import { type Hit, typedReader } from './typed-reader.ts';

type Phrases = Readonly<Record<string, readonly string[]>>;

const overlaps = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;

/** A declared phrase consumes its words: a number within it is not read. Keys that are no such number declare nothing. */
function numberReader(
  name: string,
  phrases: Phrases,
  fits: (decimal: string) => boolean,
  amounts: (text: string) => readonly Amount[],
): Reader {
  const table = phraseTable(
    Object.entries(phrases).flatMap(([key, words]) => {
      const decimal = canonicalDecimal(key);
      if (decimal === null || !fits(decimal)) return [];
      return words.map((word): [string, Json] => [word, decimalValue(decimal)]);
    }),
  );
  const hits = (text: string): readonly Hit[] => {
    const said = scanPhrases(text, table);
    const counted = amounts(text)
      .filter((amount) => fits(amount.decimal) && !said.some((phrase) => overlaps(phrase, amount)))
      .map(
        ({ start, end, decimal, inner }): Hit => ({
          start,
          end,
          value: decimalValue(decimal),
          ...(inner === undefined ? {} : { inner }),
        }),
      );
    const worded = said.flatMap(({ start, end, value }): Hit[] =>
      value === undefined ? [] : [{ start, end, value }],
    );
    return worded.length === 0 ? counted : [...counted, ...worded].sort((a, b) => a.start - b.start);
  };
  const ofDecimal = (value: Json): Json | undefined => {
    const decimal = decimalOf(value);
    return decimal === null || !fits(decimal) ? undefined : decimalValue(decimal);
  };
  return typedReader({
    name,
    version: 1,
    hits,
    fromScalar: ofDecimal,
    fromString: (value) => {
      const plain = ofDecimal(value) ?? phraseValue(table, value);
      if (plain !== undefined) return plain;
      return hits(value).find((hit) => hit.start === 0 && hit.end === value.length)?.value;
    },
    same: (a, b) => {
      const left = decimalOf(a);
      return left !== null && left === decimalOf(b);
    },
  });
}

/**
 * A whole number, in digits or English words. A value is a number, or the decimal text where no number holds it exactly.
 * "299.0" is 299; "1.500" is read by nobody, for it may be 1500.
 */
export const integer = (name: string, phrases: Phrases = {}): Reader =>
  numberReader(name, phrases, isWholeNumber, (text) => scanNumbers(text).filter((hit) => !hit.ambiguous));

/** As `integer`, with a fraction; the point is decimal always. */
export const decimal = (name: string, phrases: Phrases = {}): Reader =>
  numberReader(name, phrases, () => true, scanNumbers);

/**
 * An amount, with or without its currency by symbol, code or name: "$1,625.00", "500,000 won", "50 cents" (0.5).
 * The currency is part of the span and not of the value: which one it is, is not compared.
 */
export const money = (name: string, phrases: Phrases = {}): Reader =>
  numberReader(name, phrases, () => true, scanMoney);
