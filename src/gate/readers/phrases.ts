import type { Json } from '../../events/json.ts';
import { cutsToken, foldUnit, isSpace } from './tokens.ts';
import type { Hit } from './typed-reader.ts';

/** `-`, `_`, hyphens and spaces of all kinds are one separator. */
const isSeparator = (unit: number): boolean =>
  unit === 95 || unit === 45 || unit === 0x2010 || unit === 0x2011 || isSpace(unit);

/** Marks that may stand at a word's edge within a phrase: "basic **economy**" is still a basic economy. */
const isEmphasis = (unit: number): boolean =>
  unit === 42 || unit === 96 || unit === 34 || (unit >= 0x201c && unit <= 0x201f);

/** ASCII case, curly apostrophes. */
const fold = (unit: number): number => (unit === 0x2019 || unit === 0x2018 ? 39 : foldUnit(unit));

/** ASCII case folded, each run of separators one space, none at the ends. */
export function foldPhrase(text: string): string {
  let out = '';
  let gap = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (isSeparator(unit)) {
      gap = out !== '';
      continue;
    }
    if (gap) out += ' ';
    gap = false;
    out += String.fromCharCode(fold(unit));
  }
  return out;
}

/** The end of a run of separators from `at`; -1 if there is none. `marks`: emphasis may stand among them. */
function separatorsEnd(text: string, at: number, marks: boolean): number {
  let i = at;
  let found = false;
  for (; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (isSeparator(unit)) found = true;
    else if (!(marks && isEmphasis(unit))) break;
  }
  return found ? i : -1;
}

/** Where the folded phrase ends if it stands at `at`; -1 if it doesn't, or if an edge would cut a token. */
export function matchPhrase(text: string, at: number, folded: string, marks: boolean): number {
  let i = at;
  for (let k = 0; k < folded.length; k++) {
    const unit = folded.charCodeAt(k);
    if (unit === 32) {
      i = separatorsEnd(text, i, marks);
      if (i < 0) return -1;
    } else if (i < text.length && fold(text.charCodeAt(i)) === unit) i++;
    else return -1;
  }
  return cutsToken(text, at) || cutsToken(text, i) ? -1 : i;
}

export const foldedUnit = (text: string, at: number): number => fold(text.charCodeAt(at));

interface Phrase {
  readonly folded: string;
  /** undefined: declared for two values, so it says neither. */
  readonly value: Json | undefined;
}

/** Phrases by their first code unit, the longest first. Built once; nothing is changed afterwards. */
export interface PhraseTable {
  readonly byFirst: ReadonlyMap<number, readonly Phrase[]>;
  readonly byFolded: ReadonlyMap<string, Phrase>;
  /** Which ASCII units a phrase may begin with, in either case. */
  readonly ascii: readonly boolean[];
}

export function phraseTable(pairs: readonly (readonly [string, Json])[]): PhraseTable {
  const byFolded = new Map<string, Phrase>();
  for (const [phrase, value] of pairs) {
    const folded = foldPhrase(phrase);
    if (folded === '') continue;
    const there = byFolded.get(folded);
    const both = there !== undefined && there.value !== value;
    byFolded.set(folded, { folded, value: both ? undefined : value });
  }
  const byFirst = new Map<number, Phrase[]>();
  for (const phrase of byFolded.values()) {
    const first = phrase.folded.charCodeAt(0);
    const list = byFirst.get(first);
    if (list === undefined) byFirst.set(first, [phrase]);
    else list.push(phrase);
  }
  for (const list of byFirst.values())
    list.sort((a, b) => b.folded.length - a.folded.length || (a.folded < b.folded ? -1 : 1));
  const ascii = Array.from({ length: 128 }, (_, unit) => byFirst.has(fold(unit)));
  return { byFirst, byFolded, ascii };
}

/** What a phrase says that stands alone; undefined if none is declared, or for two values. */
export const phraseValue = (table: PhraseTable, phrase: string): Json | undefined =>
  table.byFolded.get(foldPhrase(phrase))?.value;

/**
 * Every whole-word phrase, from left to right; the longest wins at each position and consumes its span, also where it
 * is declared for two values and so has no `value`. RULES R8.
 */
export function scanPhrases(
  text: string,
  table: PhraseTable,
): readonly { readonly start: number; readonly end: number; readonly value: Json | undefined }[] {
  const found: { start: number; end: number; value: Json | undefined }[] = [];
  if (table.byFirst.size === 0) return found;
  for (let i = 0; i < text.length; ) {
    const unit = text.charCodeAt(i);
    if (unit < 128 && table.ascii[unit] !== true) {
      i++;
      continue;
    }
    const end = longestAt(text, i, table.byFirst.get(fold(unit)));
    if (end !== null) found.push({ start: i, end: end.end, value: end.value });
    i = end === null ? i + 1 : end.end;
  }
  return found;
}

function longestAt(text: string, at: number, phrases: readonly Phrase[] | undefined) {
  if (phrases === undefined) return null;
  for (const { folded, value } of phrases) {
    const end = matchPhrase(text, at, folded, true);
    if (end >= 0) return { end, value };
  }
  return null;
}

export const phraseHits = (text: string, table: PhraseTable): readonly Hit[] =>
  scanPhrases(text, table).flatMap(({ start, end, value }) =>
    value === undefined ? [] : [{ start, end, value }],
  );
