import { findWords, textOf } from './conversation.ts';
import type { Span } from './readers/reader.ts';
import type { Rules } from './rules-for.ts';
import type { Segment } from './types.ts';

/**
 * Which act words ask for nothing because they stand under a plain negation: "don't send it", "without sending it". A short list
 * of English words, in clauses that end at marks and at a few words; what a checklist declares counts beside it, on either side of
 * the act word, as other languages need. Where it can't tell, the word does not ask, and the user is asked. RULES R14.
 */
export function unnegated(segment: Segment, rules: Rules, spans: readonly Span[]): readonly Span[] {
  const text = textOf(segment) ?? '';
  const ranges = rangesOf(segment, rules, text);
  let next = 0;
  return spans.filter(({ start, end }) => {
    while ((ranges[next]?.end ?? start + 1) <= start) next++;
    const under = (ranges[next]?.start ?? text.length) <= start;
    return !under && !holdsAt(NOTHING, text, end);
  });
}

const NOT =
  "(?:do|does|did|ca|wo|would|could|should|must|might|may|sha|need|is|are|was|were|has|have|had|ai)n['’‘`´]?t|cannot|not(?!-[a-z])";
/**
 * Said to somebody: a comma right after it, or after the act word that it forbids, ends nothing ("never, ever", "don't send, pay or …"),
 * and no more does the colon before what it forbids ("don't do this: …").
 */
const FORBIDS =
  "(?:do(?:n['’‘`´]?t|\\s+not)|never|(?:must|should|shall|may|sha)(?:n['’‘`´]?t|\\s+not)(?!\\s+have(?![a-z])))" +
  '(?:\\s+ever(?![a-z]))?(?:\\s+do\\s+(?:any\\s+of\\s+)?(?:this|these|the\\s+following)(?=:))?';
const OTHERS =
  'no(?!-(?!one(?![a-z]))[a-z])|nothing|nobody|none|nor|neither|without|(?:instead|rather)\\s+(?:of|than)';
/** Negations by their words alone: these ask, or forbid nothing. */
const HARMLESS = [
  "why\\s+(?:not|do(?:n['’‘`´]?t|\\s+not))",
  `(?:${FORBIDS}|${NOT})\\s+(?:forget|hesitate|fail|wait|only)`,
  "(?:ca|could|wo|would)n['’‘`´]?t\\s+you",
  'never\\s+mind',
  'no\\s+(?:problem|worries|doubt|matter|thanks|thank\\s+you|longer\\s+needed|(?:more|less|fewer|later|earlier|sooner)\\s+than)',
  // The answer to a question, and not part of what follows it.
  'no(?=[*_]*(?:[,.!…]|\\s+[-–—])|\\s+(?:please|i|we|you|it|that|this|just)(?![a-z]))',
].join('|');
const TURNS = [
  'but',
  'please',
  'instead(?!\\s+of)',
  'so(?=\\s+(?:i|we|you|please|just)(?![a-z]))',
  "and(?=\\s+(?:please|(?:i|we)['’‘]|(?:(?:i|we)\\s+)?(?:want|need|would|will)(?![a-z])|(?:i|we)\\s+have\\s+to(?![a-z])))",
].join('|');
/** Set between commas, it is part of its clause. */
const ASIDE = ',\\s*(?:(?:ever|i\\s+repeat|(?:under|in)\\s+any\\s+circumstances?)(?![a-z]),?)';

const MARKS = new RegExp(
  `(?<![a-z0-9'’‘\`´])(?:(?<harmless>${HARMLESS})|(?<forbids>${FORBIDS})|(?<not>${NOT}|${OTHERS})|(?<turn>${TURNS})|(?<so>so))(?![a-z0-9'’‘\`´])` +
    `|(?<aside>${ASIDE})` +
    '|(?<pause>,(?!\\d)|[:、，：—–]|\\s--?\\s)' +
    // Not the dot of a title or of "e.g.".
    '|(?<stop>(?<!\\.|(?<![a-z0-9])(?:mr|mrs|ms|dr|e\\.g|i\\.e))[.!?](?=["\'”’)*_]*(?:\\s|$))|[;。！？；]|\\n\\s*\\n)',
  'gi',
);
const NOTHING =
  /\s+(?:nothing|nobody|none|no(?!\s+(?:more|less|fewer|later|earlier|sooner)\s+than|\s+matter|-(?!one(?![a-z]))[a-z]))(?![a-z0-9.])/iy;

const SPACE = /\s+/y;
const OR = /\s+n?or\s+/iy;
const MORE = /\s*,|\s+n?or(?![a-z])/iy;

function holdsAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

const memo = new WeakMap<Segment, WeakMap<Rules, readonly Span[]>>();

function rangesOf(segment: Segment, rules: Rules, text: string): readonly Span[] {
  let byRules = memo.get(segment);
  if (byRules === undefined) {
    byRules = new WeakMap();
    memo.set(segment, byRules);
  }
  let ranges = byRules.get(rules);
  if (ranges === undefined) {
    ranges = negatedIn(text, findWords(segment, rules.allActWords), findWords(segment, rules.negations));
    byRules.set(rules, ranges);
  }
  return ranges;
}

/** From each negation to the end of its clause; of a declared one, the whole clause. In order, and apart from one another. */
function negatedIn(text: string, acts: readonly Span[], declared: readonly Span[]): Span[] {
  const ranges: Span[] = [];
  const heads = new Set(acts.map(({ end }) => end));
  const endsOf = new Map(acts.map(({ start, end }) => [start, end]));
  /** The end of the act word that follows here; undefined where none does. */
  const actBehind = (at: number, between: RegExp): number | undefined =>
    endsOf.get(at + (holdsAt(between, text, at) ? between.lastIndex - at : 0));
  /** A list of acts goes on: "you can't send, pay or transfer". */
  const goesOn = (index: number, end: number): boolean => {
    if (!heads.has(index)) return false;
    if (holdsAt(OR, text, end)) return actBehind(end, OR) !== undefined;
    const next = actBehind(end, SPACE);
    return next !== undefined && holdsAt(MORE, text, next);
  };
  let clause = 0;
  let open: { readonly start: number; forbids: boolean; holds: boolean } | null = null;
  let next = 0;
  const close = (at: number): void => {
    const first = declared[next];
    while ((declared[next]?.start ?? at) < at) next++;
    if (first !== undefined && first.start < at) ranges.push({ start: clause, end: at });
    else if (open !== null) ranges.push({ start: open.start, end: at });
    open = null;
    clause = at;
  };
  for (const { 0: word, index, groups = {} } of text.matchAll(MARKS)) {
    const end = index + word.length;
    if (groups.forbids !== undefined || groups.not !== undefined) {
      open ??= { start: end, forbids: false, holds: false };
      if (groups.forbids === undefined) continue;
      open.forbids = true;
      heads.add(end);
    } else if (groups.stop !== undefined) close(end);
    else if (groups.pause !== undefined || groups.turn !== undefined) {
      if (open !== null && ((open.forbids && heads.has(index)) || goesOn(index, end))) open.holds = true;
      if (open?.holds !== true) close(end);
    } else if (groups.so !== undefined && open?.holds !== true && actBehind(end, SPACE) !== undefined) {
      close(end);
    }
  }
  close(text.length);
  return ranges;
}
