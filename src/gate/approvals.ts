import { type Content, plainOf } from '../events/content.ts';
import type { Json } from '../events/json.ts';
import { findIn, findWords, isTyped, textOf } from './conversation.ts';
import { sameJson } from './expand.ts';
import { NUMBER_WORDS } from './readers/number-words.ts';
import { scanNumbers } from './readers/numbers.ts';
import type { Reader, Span } from './readers/reader.ts';
import { isScaled } from './readers/scale-words.ts';
import { foldAscii } from './readers/tokens.ts';
import type { Rules } from './rules-for.ts';
import type { RunInput, Segment } from './types.ts';

/** What the agent showed and what the user replied to it. RULES R9. */
export interface Exchange {
  /** Index of the agent's text. */
  readonly shown: number;
  /** Index of the typed reply. */
  readonly reply: number;
  /** The word that consents or refuses. */
  readonly word: Span;
}

/**
 * The exchanges that approve, oldest first. A reply approves what stood right before it if it begins with a declared yes-word
 * and names nothing (no number, no name) that the shown text lacks: "yes, but the other card" is an instruction.
 * One yes lives until a call of this tool with these very arguments consumed it.
 */
export function livingApprovals(run: RunInput, rules: Rules): readonly Exchange[] {
  let living = livings.get(run);
  if (living === undefined) {
    living = exchanges(run, rules).approved.filter((exchange) => !consumed(run, exchange));
    livings.set(run, living);
  }
  return living;
}

const livings = new WeakMap<RunInput, readonly Exchange[]>();

/** What a reply that begins with a no-word voids: the texts right before it. */
export function voidedTexts(run: RunInput, rules: Rules): readonly Exchange[] {
  return exchanges(run, rules).refused;
}

interface Exchanges {
  readonly approved: readonly Exchange[];
  readonly refused: readonly Exchange[];
}

const memo = new WeakMap<RunInput, Exchanges>();

function exchanges(run: RunInput, rules: Rules): Exchanges {
  const known = memo.get(run);
  if (known !== undefined) return known;
  const approved: Exchange[] = [];
  const refused: Exchange[] = [];
  let shown = -1;
  // The text that the newest reply answered: a no right after a yes still speaks of it.
  let answered = -1;
  for (let index = 0; index < run.segments.length; index++) {
    const segment = run.segments[index] as Segment;
    if (segment.author === 'agent' && textOf(segment) !== null) {
      shown = index;
      answered = -1;
    } else if (isTyped(segment)) {
      const about = shown >= 0 ? shown : answered;
      if (about >= 0 && index >= run.request_from) {
        const no = leadingWord(segment, rules.no);
        const yes = no === null && shown >= 0 ? leadingWord(segment, rules.yes) : null;
        if (no !== null) refused.push({ shown: about, reply: index, word: no });
        else if (yes !== null && consents(segment, yes, rules, run.segments[shown] as Segment)) {
          approved.push({ shown, reply: index, word: yes });
        }
      }
      answered = about;
      // A later reply answers a later text, not this one again.
      shown = -1;
    }
  }
  const found = { approved, refused };
  memo.set(run, found);
  return found;
}

function leadingWord(segment: Segment, words: readonly string[]): Span | null {
  if (words.length === 0) return null;
  const text = textOf(segment) ?? '';
  let start = 0;
  while (start < text.length && LEADING.includes(text[start] as string)) start++;
  for (const span of findWords(segment, words)) {
    if (span.start === start) return span;
    if (span.start > start) break;
  }
  return null;
}

/** Straight quotes are not among them: a quoted "yes" is somebody's words. */
const LEADING = ' \t\r\n*_`“”‘’(';

/** A yes that asks, or that takes itself back in the same breath, is none; nor is one that names something new. */
function consents(reply: Segment, yes: Span, rules: Rules, shown: Segment): boolean {
  const text = textOf(reply) ?? '';
  if (/^[*_`”’ ]*\?/.test(text.slice(yes.end))) return false;
  const sentence = /^[^.!?\r\n]*[.…]*[^.!?\r\n]*/.exec(text.slice(yes.end))?.[0] ?? '';
  const takenBack = findWords(reply, rules.no).some(
    ({ start }) => start >= yes.end && start < yes.end + sentence.length,
  );
  return !takenBack && namesNothingNew(reply, shown);
}

/** No number and no name in the reply that the shown text lacks. */
function namesNothingNew(reply: Segment, shown: Segment): boolean {
  let known = newNames.get(reply)?.get(shown);
  if (known === undefined) {
    known = !namesMore(textOf(reply) ?? '', textOf(shown) ?? '');
    const byShown = newNames.get(reply) ?? new WeakMap<Segment, boolean>();
    newNames.set(reply, byShown.set(shown, known));
  }
  return known;
}

const newNames = new WeakMap<Segment, WeakMap<Segment, boolean>>();

function namesMore(reply: string, shown: string): boolean {
  const there = new Set(words(shown).map(({ word }) => fold(word)));
  let sentenceStart = true;
  for (const { word, before, end } of words(reply)) {
    if (/[.!?\n]/.test(before)) sentenceStart = true;
    const first = word.charCodeAt(0);
    const capital = first >= 65 && first <= 90;
    const name = capital && !sentenceStart && word !== 'I' && word !== 'A';
    // "Five mln" is no number that is read, and tells an amount all the same.
    const scaled = NUMBER_WORDS.includes(fold(word)) && isScaled(reply, end);
    const telling = /[0-9]/.test(word) || name || scaled;
    sentenceStart = false;
    if (telling && !there.has(fold(word)) && !PRONOUNS.has(word)) return true;
  }
  // "Make it two hundred", "２００", "二百": numbers are numbers however they are written.
  const amounts = new Set(scanNumbers(shown).map(({ decimal }) => decimal));
  if (scanNumbers(reply).some(({ decimal }) => !amounts.has(decimal))) return true;
  return [...reply].some((character) => isOtherNumeral(character) && !shown.includes(character));
}

/** Digits and numerals of other scripts, which no reader reads: that one stands there is enough. */
function isOtherNumeral(character: string): boolean {
  const unit = character.charCodeAt(0);
  return OTHER_ZEROS.some((zero) => unit >= zero && unit < zero + 10) || CJK_NUMERALS.includes(character);
}

const OTHER_ZEROS: readonly number[] = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20,
  0x1040, 0x17e0, 0xff10,
];
const CJK_NUMERALS = '〇零一二三四五六七八九十百千万億兆萬亿';

const PRONOUNS: ReadonlySet<string> = new Set(["I'm", "I'd", "I'll", "I've", 'OK']);

function words(text: string): { word: string; before: string; end: number }[] {
  const out: { word: string; before: string; end: number }[] = [];
  const pattern = /[A-Za-z0-9_#@$'’\-\u00c0-\uffff]+(?:[.,][0-9]+)*/g;
  let last = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const word = match[0].replaceAll('’', "'").replace(/^[*_`'$#]+|[*_`']+$/g, '');
    const before = text.slice(last, match.index);
    last = match.index + match[0].length;
    out.push({ word, before, end: last });
  }
  return out;
}

function fold(word: string): string {
  return foldAscii(word).replaceAll(',', '');
}

function consumed(run: RunInput, exchange: Exchange): boolean {
  const proposal = run.proposal?.prepared;
  if (proposal === null || proposal === undefined) return false;
  for (let index = exchange.reply + 1; index < run.segments.length; index++) {
    const observes = (run.segments[index] as Segment).observes;
    if (observes !== null && observes.tool === run.tool.name && mayBe(observes.arguments, proposal))
      return true;
  }
  return run.entries.some(
    (entry) => entry.kind === 'started' && entry.tool === run.tool.name && mayBe(entry.arguments, proposal),
  );
}

/** The same arguments, or some that nobody could read and that may be the same. */
function mayBe(args: Content<Json>, proposal: Content<Json>): boolean {
  const plain = plainOf(args);
  return plain === null || sameJson(plain, plainOf(proposal));
}

/** Whether a later refusal was of a text that showed this very value. */
export function isVoided(
  run: RunInput,
  rules: Rules,
  exchange: Exchange,
  reader: Reader,
  value: Json,
): boolean {
  return voidedTexts(run, rules).some(
    (refusal) =>
      refusal.reply > exchange.reply &&
      findIn(run, rules, run.segments[refusal.shown] as Segment, reader, value).length > 0,
  );
}
