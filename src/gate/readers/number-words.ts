import { foldAscii, isLetter, isSpace } from './tokens.ts';

/** English number words, composed as people say them: "two hundred and five", "fifteen hundred", "a million". RULES R8. */

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety';

type Kind = 'small' | 'tens' | 'hundred' | 'scale';
interface NumberWord {
  readonly kind: Kind;
  readonly value: number;
}

const WORDS: ReadonlyMap<string, NumberWord> = new Map<string, NumberWord>([
  ...SMALL.split(' ').map((word, i): [string, NumberWord] => [word, { kind: 'small', value: i }]),
  ...TENS.split(' ').map((word, i): [string, NumberWord] => [word, { kind: 'tens', value: 20 + 10 * i }]),
  ['hundred', { kind: 'hundred', value: 100 }],
  ['thousand', { kind: 'scale', value: 1_000 }],
  ['million', { kind: 'scale', value: 1_000_000 }],
  ['billion', { kind: 'scale', value: 1_000_000_000 }],
]);
const ZEROS: ReadonlyMap<string, number> = new Map([
  ['hundred', 2],
  ['thousand', 3],
  ['million', 6],
  ['billion', 9],
]);
/** "this one", "no one": here `one` counts nothing. */
const POINTING: ReadonlySet<string> = new Set(
  'the this that which another any no every each some other same last next first second'.split(' '),
);
/** "one of them", "one way": nor here. */
const NOT_COUNTED: ReadonlySet<string> = new Set('of way day thing another'.split(' '));
/** "few hundred", "half a million": not the number that the words alone would be. */
const VAGUE: ReadonlySet<string> = new Set(
  'few several couple many half quarter third point some'.split(' '),
);
/** "850 USD million": a bare scale that the digits before it may be counted by is not one of it. */
const AFTER_DIGITS = /[0-9][^0-9.,;!?\n]{0,18}$/;
export const NUMBER_WORDS: readonly string[] = [...WORDS.keys()];
const LONGEST_WORD = 9;

export function wordEnd(text: string, at: number): number {
  let i = at;
  while (isLetter(text.charCodeAt(i))) i++;
  return i;
}

/** The ASCII word that ends before the spaces before `at`, folded, and where it starts; '' if there is none. */
export function wordBefore(text: string, at: number): { readonly word: string; readonly start: number } {
  let end = at;
  while (isSpace(text.charCodeAt(end - 1))) end--;
  let start = end;
  while (isLetter(text.charCodeAt(start - 1))) start--;
  return { word: end === at ? '' : foldAscii(text.slice(start, end)), start };
}

function numberWord(text: string, at: number, end: number): NumberWord | undefined {
  if (end - at < 3 || end - at > LONGEST_WORD) return undefined;
  return WORDS.get(foldAscii(text.slice(at, end)));
}

/** After "5" or "1.5": the zeros that "hundred thousand" adds, and where the words end. */
export function scaleAfter(text: string, at: number): { readonly zeros: number; readonly end: number } {
  let end = at;
  let zeros = 0;
  for (;;) {
    const start = text.charCodeAt(end) === 32 ? end + 1 : end;
    const stop = wordEnd(text, start);
    const more =
      start === end || stop - start > LONGEST_WORD
        ? undefined
        : ZEROS.get(foldAscii(text.slice(start, stop)));
    if (more === undefined) return { zeros, end };
    zeros += more;
    end = stop;
  }
}

/** Where the next word of one number begins: after spaces, one hyphen, or an "and" where one may stand; else -1. */
function nextPart(text: string, at: number, mayAnd: boolean): number {
  let i = at;
  while (isSpace(text.charCodeAt(i)) && text.charCodeAt(i) !== 10) i++;
  if (i === at) return text.charCodeAt(i) === 45 ? i + 1 : -1;
  const stop = wordEnd(text, i);
  if (mayAnd && stop - i === 3 && foldAscii(text.slice(i, stop)) === 'and')
    return nextPart(text, stop, false);
  return i;
}

interface Composition {
  total: number;
  current: number;
  last: NumberWord | null;
  scale: number;
}

/** Adds one word; false if no number is said so ("twenty twenty", "five five five"). */
function compose(sum: Composition, word: NumberWord): boolean {
  const { last } = sum;
  const open = last === null || last.kind === 'hundred' || last.kind === 'scale';
  sum.last = word;
  if (word.kind === 'small') {
    sum.current += word.value;
    if (word.value === 0) return last === null;
    return open || (last.kind === 'tens' && word.value < 10);
  }
  if (word.kind === 'tens') {
    sum.current += word.value;
    return open;
  }
  if (last?.kind === 'small' && last.value === 0) return false;
  if (word.kind === 'hundred') {
    const counted = sum.current > 0 && sum.current < 100 && !open;
    sum.current = counted ? sum.current * 100 : 100;
    return counted || last === null;
  }
  const counted = sum.current > 0 && last !== null && last.kind !== 'scale';
  sum.total += (counted ? sum.current : 1) * word.value;
  sum.current = 0;
  const fits = word.value < sum.scale;
  sum.scale = word.value;
  return fits && (counted || last === null);
}

export interface WordNumber {
  readonly start: number;
  readonly end: number;
  /** null: number words that make no one number. */
  readonly value: number | null;
  /** The last word is a round one, after which an ordinal would go on: "twenty first". */
  readonly round: boolean;
}

/** The number said by the words from `at`, where a word starts; null if the first is no number word. */
export function numberWordsAt(text: string, at: number): WordNumber | null {
  let end = wordEnd(text, at);
  let word = numberWord(text, at, end);
  if (word === undefined) return null;
  const first = word;
  const sum: Composition = { total: 0, current: 0, last: null, scale: Number.MAX_SAFE_INTEGER };
  let sound = true;
  while (word !== undefined) {
    sound = compose(sum, word) && sound;
    const next = nextPart(text, end, word.kind === 'hundred' || word.kind === 'scale');
    const stop = next < 0 ? next : wordEnd(text, next);
    word = next < 0 ? undefined : numberWord(text, next, stop);
    if (word !== undefined) end = stop;
  }
  const start = startOf(text, at, first, sum.last === first);
  const round = sum.last !== null && sum.last.kind !== 'small';
  return { start: start ?? at, end, value: sound && start !== null ? sum.total + sum.current : null, round };
}

/** Takes in the article of "a hundred"; null where the words before change what is said. */
function startOf(text: string, at: number, first: NumberWord, alone: boolean): number | null {
  const before = wordBefore(text, at);
  if (VAGUE.has(before.word)) return null;
  if (first.kind === 'hundred' || first.kind === 'scale') {
    if (before.word !== 'a' && before.word !== 'an')
      return AFTER_DIGITS.test(text.slice(at < 20 ? 0 : at - 20, at)) ? null : at;
    const earlier = wordBefore(text, before.start).word;
    return VAGUE.has(earlier) || earlier === 'such' ? null : before.start;
  }
  if (!alone || first.value !== 1) return at;
  if (POINTING.has(before.word) || POINTING.has(wordBefore(text, before.start).word)) return null;
  const next = nextPart(text, wordEnd(text, at), false);
  return next > 0 && NOT_COUNTED.has(foldAscii(text.slice(next, wordEnd(text, next)))) ? null : at;
}
