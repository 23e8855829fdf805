import type { Timing } from '../events/vocabulary.ts';

/** Common beginnings of a consent. They are looked for, never assumed: what was not typed is not suggested. */
export const YES: readonly string[] = [
  'yes',
  'yeah',
  'yep',
  'yup',
  'sure',
  'ok',
  'okay',
  'correct',
  'absolutely',
  'certainly',
  'definitely',
  'exactly',
  'great',
  'perfect',
  'agreed',
  'please proceed',
  'please go ahead',
  'please do',
  'go ahead',
  'proceed',
  "that's correct",
  "that's right",
  'that works',
  'that sounds good',
  'sounds good',
  'looks good',
  "let's proceed",
  'i confirm',
  'confirmed',
  'confirm',
  'that is correct',
  "that's fine",
  'alright',
];

export const NO: readonly string[] = [
  'no',
  'nope',
  "don't",
  'do not',
  'wait',
  'stop',
  'not yet',
  'actually no',
  'cancel that',
];

export const TIMING_WORDS: Readonly<Record<Timing, readonly string[]>> = {
  immediate: ['right now', 'right away', 'immediately', 'at once'],
  scheduled: [
    'tomorrow',
    'tonight',
    'next week',
    'next month',
    'next monday',
    'later today',
    'in an hour',
    'at noon',
  ],
  conditional: ['as soon as', 'once the', 'when the price', 'if the price', 'only when', 'as long as'],
  recurring: [
    'every day',
    'every week',
    'every month',
    'daily',
    'weekly',
    'monthly',
    'each week',
    'each month',
  ],
};

/** The reader that a kind of timing would be found by. */
export const TIMING_DETAIL: Readonly<Record<Exclude<Timing, 'immediate'>, string>> = {
  scheduled: 'date',
  conditional: 'money',
  recurring: 'date',
};

const READ_VERBS: ReadonlySet<string> = new Set(
  `get list find search read fetch lookup look query show view describe check count calculate compute think browse
   retrieve inspect explain preview validate verify summarize compare estimate quote ping help status`.split(
    /\s+/,
  ),
);

/** The words of a tool's name, lower case: `getOrder_details` is get, order, details. */
export function nameWords(tool: string): string[] {
  return tool
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

/** Whether a tool's name begins as that of one that only looks. A guess from a name: a person decides. */
export function isReadName(tool: string): boolean {
  return READ_VERBS.has(nameWords(tool)[0] ?? '');
}

/** Whether a checklist can hold rules of a tool of this name. */
export function isToolName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$/.test(name);
}

const STOP: ReadonlySet<string> = new Set(
  `the and for you your with that this have has had are was were will would could should can cannot not but from all any
   please thank thanks need want like just about also there their them they what when where which who how why its it's i'm
   i've i'd i'll my me mine our ours his her him she he we us is be been do does did don't to of in on at as an or if so no
   yes sure ok okay hello hi hey let know help might else someone able first use last me get got one two other some more than then now out up into only here
   could you'd that's there's sounds good great would make made sorry actually both still each too very much
   really because since after before over under again once while being those these`.split(/\s+/),
);

/** A word in lower case that is no part of an address or an identifier. */
const LOWER = /(?<![A-Za-z0-9@_.'#/-])[a-z][a-z'-]*[a-z](?![A-Za-z0-9@_]|[.@][A-Za-z0-9])/g;

/** The words of what was typed in lower case (names are not), without those that say nothing by themselves. */
export function contentWords(text: string): Set<string> {
  const found = new Set<string>();
  for (const [word] of text.replaceAll('’', "'").matchAll(LOWER)) {
    if (word.length > 2 && word.length < 30 && !STOP.has(word)) found.add(word);
  }
  return found;
}

/** Whether two words begin alike: `cancel` and `cancellation`, `return` and `returning`. */
export function sameStem(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  return length >= 4 && a.slice(0, Math.min(length, 5)) === b.slice(0, Math.min(length, 5));
}

/** How alike two names are by the words in them, singular and plural alike: 0 to 1. */
export function likeness(a: string, b: string): number {
  const left = stems(a);
  const right = stems(b);
  let both = 0;
  for (const word of left) if (right.has(word)) both++;
  return both === 0 ? 0 : both / (left.size + right.size - both);
}

function stems(name: string): ReadonlySet<string> {
  return new Set(nameWords(name).map((word) => (word.length > 2 ? word.replace(/s$/, '') : word)));
}

const CUE =
  /\b(must not|must|only if|only|can not|cannot|can't|may not|should not|not allowed|never|at most|at least|no more than|not more than|before|unless|within|require[sd]?|if)\b/i;

/** The sentences of a text that look like conditions, each with the word that made it so. */
export function conditionsIn(text: string): { text: string; cue: string }[] {
  const found: { text: string; cue: string }[] = [];
  for (const part of text.split(/(?<=[.!?])\s+|\n+/)) {
    const sentence = part
      .replace(/^[\s\-*•\d.#>]+/, '')
      .replace(/\s+/g, ' ')
      .trim();
    if (sentence.length < 12 || sentence.length > 400) continue;
    const cue = CUE.exec(sentence)?.[1];
    if (cue !== undefined) found.push({ text: sentence, cue: cue.toLowerCase() });
  }
  return found;
}
