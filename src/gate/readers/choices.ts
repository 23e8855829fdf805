import type { Json } from '../../events/json.ts';
import { phraseHits, phraseTable, phraseValue } from './phrases.ts';
import type { Reader } from './reader.ts';
import { typedReader } from './typed-reader.ts';

type Words = readonly string[];

/**
 * One of the declared values, each said by its declared phrases only: a value such as `no` is not said by every "no" in a
 * conversation. The value is the declared key, a string, whatever type it has in the arguments: `same` compares numbers
 * and booleans by how they are written.
 */
export function oneOf(name: string, phrases: Readonly<Record<string, Words>>): Reader {
  const table = phraseTable(
    Object.entries(phrases).flatMap(([value, words]) => words.map((word): [string, Json] => [word, value])),
  );
  return typedReader({
    name,
    version: 1,
    hits: (text) => phraseHits(text, table),
    fromString: (value) => (Object.hasOwn(phrases, value) ? value : phraseValue(table, value)),
    fromScalar: (value) => (Object.hasOwn(phrases, String(value)) ? String(value) : undefined),
    same: (a, b) => (typeof a !== 'object' && typeof b !== 'object' ? String(a) === String(b) : false),
  });
}

/** True or false by declared words; the words `true` and `false` always say themselves. A bare yes is not among them. */
export function boolean(name: string, words: { readonly true: Words; readonly false: Words }): Reader {
  const table = phraseTable([
    ...['true', ...words.true].map((word): [string, Json] => [word, true]),
    ...['false', ...words.false].map((word): [string, Json] => [word, false]),
  ]);
  return typedReader({
    name,
    version: 1,
    hits: (text) => phraseHits(text, table),
    fromString: (value) => phraseValue(table, value),
    fromScalar: (value) => (typeof value === 'boolean' ? value : undefined),
    same: (a, b) => typeof a === 'boolean' && a === b,
  });
}
