import type { Json } from '../events/json.ts';
import { byCodeUnit } from '../gate/expand.ts';
import { rounded } from './act-words.ts';
import type { NamedByDraft, RefDraft, Suggestion } from './draft.ts';
import type { Facts } from './facts.ts';
import { apart, hasStar, identifies, joined, lastName, recordOf } from './leaves.ts';
import type { ArgumentTally } from './tally.ts';
import { likeness } from './words.ts';

const MOST_REFS = 3;
/** Shares of an argument's values, beyond chance. */
const NEARLY_ALL = 0.9;
const MOSTLY = 0.6;
const USUAL = 0.3;
const RARE = 0.05;
/** What the agent showed was first found somewhere: by so much it must lead to be the source. */
const MARGIN = 0.1;
/** How much a like name weighs against values held. */
const ALIKE = 0.15;
/** A further field must hold so many values that no field before it held. */
const GAIN = 0.08;
/** So many values and fewer are learned from the same argument of other tools too. */
export const FEW = 4;
const MOST_CHOICES = 6;

/** What a draft says of the fields of results that held an argument's values, the best first. */
export function refsOf(tally: ArgumentTally): RefDraft[] {
  const all = [...tally.refs].map(([id, { n, echo, choices, chanceHits }]): RefDraft => {
    const [tool, path] = apart(id);
    const chance = tally.contrasts === 0 ? 0 : chanceHits / tally.contrasts;
    return { tool, path, n, echo, chance: rounded(chance), choices: rounded(choices / n) };
  });
  const score = ({ n, echo, chance }: RefDraft): number => (n - echo) / tally.n - chance;
  return all.sort(
    (a, b) =>
      score(b) - score(a) ||
      a.choices - b.choices ||
      byCodeUnit(a.tool, b.tool) ||
      byCodeUnit(a.path, b.path),
  );
}

/** Values that stand for choices: few, each used in several conversations, and no identifiers. */
export function choicesOf(tally: ArgumentTally): { value: string; n: number }[] | null {
  const values = [...tally.values.values()];
  if (
    tally.distinct.dropped > 0 ||
    values.length < 2 ||
    values.length > MOST_CHOICES ||
    tally.n < values.length * 2
  )
    return null;
  if (!values.every(({ value }) => typeof value === 'string' && /^[a-z][a-z _-]*$/.test(value))) return null;
  const often = values.filter(({ n }) => n > 1);
  if (often.length < 2) return null;
  return often
    .map(({ value, n }) => ({ value: String(value), n }))
    .sort((a, b) => b.n - a.n || byCodeUnit(a.value, b.value));
}

/** What is suggested for one argument. `choices`: the reader of its choices, where its values are choices. */
export function suggestionOf(
  tally: ArgumentTally,
  facts: Facts,
  pooled: boolean,
  choices: string | null,
): Suggestion {
  const { n, found } = tally;
  const chance = (hits: number): number => (tally.contrasts === 0 ? 0 : hits / tally.contrasts);
  const typed = found.typed / n - chance(tally.typedByChance);
  const approved = found.approved / n - chance(tally.approvedByChance);
  const { chosen, others } = chosenRefs(tally, typed);
  const refOf = ({ tool, path, n: times }: RefDraft) => ({
    ref: `${facts.nameOf(tool)}#${path}`,
    tool,
    path,
    n: times,
  });
  const constant = constantOf(tally);
  const first = chosen[0]?.told ?? 0;
  const held = isWeak(tally) && first < NEARLY_ALL ? 0 : first;
  const source = ((): Suggestion['source'] => {
    if (constant !== null) return 'constant';
    if (choices !== null) return held >= MOSTLY && held > typed ? 'measured' : 'typed';
    const best = Math.max(typed, held, approved);
    if (tally.numbers * 2 > n && best < USUAL) return 'computed';
    if (best < RARE) return 'unclear';
    if (typed >= NEARLY_ALL || typed >= best) return 'typed';
    return held + MARGIN >= best ? 'measured' : 'approved';
  })();
  // What the user nearly always says needs no other source; what is computed has none.
  const alone = source === 'computed' || (source === 'typed' && typed >= NEARLY_ALL);
  const measured = alone ? [] : onceEach(chosen.map(refOf));
  const alternatives = onceEach([...(alone ? chosen : []), ...others].map(refOf));
  return {
    source,
    reader: choices ?? readerFor(tally),
    measured,
    alternatives: alternatives.filter(({ ref }) => !measured.some((one) => one.ref === ref)),
    select: measured.some(({ path }) => hasStar(path)) ? 'member' : 'single',
    named_by: namedBy(tally, facts, measured),
    constant,
    pooled,
  };
}

function onceEach<T extends { readonly ref: string }>(refs: readonly T[]): T[] {
  return refs.filter(({ ref }, i) => refs.findIndex((one) => one.ref === ref) === i);
}

interface Ranked extends RefDraft {
  /** The share of values that it held without repeating what was asked, beyond chance. */
  readonly told: number;
  readonly like: number;
}

/**
 * The field that held most values, then those that held what no field before them did. Of fields that held as many, the
 * one whose names are most like the argument's; `others` held nearly as many as the first.
 */
function chosenRefs(tally: ArgumentTally, typed: number): { chosen: Ranked[]; others: Ranked[] } {
  const name = lastName(tally.pattern);
  const weak = isWeak(tally);
  const ranked = refsOf(tally)
    .map((ref): Ranked => {
      const like = likeness(ref.path, name);
      const share = (ref.n - ref.echo) / tally.n;
      // A field of the very same name is no chance find.
      return { ...ref, like, told: share - (like === 1 ? 0 : ref.chance) };
    })
    .filter(({ told, n, echo, path }) => told > GAIN && path !== '' && (n - echo > 1 || tally.n < FEW))
    .filter(({ like }) => !weak || like === 1);
  const all = Math.max(tally.samples.length, 1);
  let open = tally.samples.filter((refs) => refs.size > 0);
  const chosen: Ranked[] = [];
  const least = (): number => (chosen.length > 0 ? GAIN : typed >= NEARLY_ALL ? MOSTLY : GAIN * 2);
  while (chosen.length < MOST_REFS) {
    const [next] = ranked
      .filter((ref) => !chosen.includes(ref))
      .map((ref) => ({ ref, gain: open.filter((refs) => refs.has(idOf(ref))).length / all }))
      .map(({ ref, gain }) => ({ ref, gain: ref.like === 1 ? gain : gain - ref.chance }))
      .filter(({ gain }) => gain >= least())
      .sort(
        (a, b) =>
          b.gain + b.ref.like * ALIKE - (a.gain + a.ref.like * ALIKE) ||
          a.ref.choices - b.ref.choices ||
          byCodeUnit(idOf(a.ref), idOf(b.ref)),
      );
    if (next === undefined) break;
    chosen.push(next.ref);
    open = open.filter((refs) => !refs.has(idOf(next.ref)));
  }
  const enough = (chosen[0]?.told ?? 1) * NEARLY_ALL;
  return {
    chosen,
    others: ranked.filter((ref) => !chosen.includes(ref) && ref.told >= enough).slice(0, MOST_REFS),
  };
}

const idOf = ({ tool, path }: RefDraft): string => joined(tool, path);

/** Small numbers, flags and letters stand everywhere: where they are found says little. */
function isWeak(tally: ArgumentTally): boolean {
  const values = [...tally.values.values()];
  const weak = values.filter(
    ({ value }) => typeof value === 'boolean' || (typeof value === 'number' && Math.abs(value) < 100),
  );
  return weak.length * 2 > values.length;
}

function constantOf(tally: ArgumentTally): Json | null {
  const [only] = tally.values.values();
  // In one conversation alone a value is a person's, not the system's.
  return tally.values.size === 1 &&
    tally.distinct.dropped === 0 &&
    only !== undefined &&
    only.n >= 3 &&
    !isIdentifier(tally)
    ? only.value
    : null;
}

function isIdentifier(tally: ArgumentTally): boolean {
  const names = [...tally.values.keys()];
  return names.filter(identifies).length * 2 > names.length;
}

const MONEY = /(^|_)(amount|price|cost|total|fee|fare|refund|balance|sum|payment|budget|limit)($|_)/i;

/** The strictest reader that finds nearly all of what any finds. */
function readerFor(tally: ArgumentTally): string {
  if (tally.numbers * 2 > tally.n) {
    if (MONEY.test(lastName(tally.pattern)) && !/bag|item|count|quantity/i.test(lastName(tally.pattern)))
      return 'money';
    return tally.typedBy.get('decimal') > 0
      ? 'decimal'
      : [...tally.values.values()].every(({ value }) => Number.isInteger(value))
        ? 'integer'
        : 'decimal';
  }
  const dates = [...tally.values.values()].filter(
    ({ value }) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value),
  );
  if (dates.length > 0 && dates.length * 10 >= tally.values.size * 9) return 'date';
  const best = Math.max(...tally.typedBy.sorted().map(([, n]) => n), 0);
  // Identifiers are exact, however loosely a few were typed (RULES R8).
  if (isIdentifier(tally)) return 'text';
  for (const reader of ['text', 'datetime', 'url', 'text_fold']) {
    if (best > 0 && tally.typedBy.get(reader) >= best * 0.9) return reader;
  }
  return 'text';
}

function namedBy(tally: ArgumentTally, facts: Facts, measured: Suggestion['measured']): NamedByDraft | null {
  if (!isIdentifier(tally)) return null;
  for (const { tool, path } of measured) {
    const siblings = tally.siblings.get(joined(tool, path));
    const place = recordOf(path);
    if (siblings === undefined || place === null) continue;
    const of = siblings.said.get('');
    const by = siblings.said.sorted().filter(([field, n]) => field !== '' && n > 1 && n * 10 >= of);
    if (by.length === 0) continue;
    const words: Record<string, readonly string[]> = {};
    for (const [entry] of siblings.values
      .sorted()
      .filter(([, n]) => n > 1)
      .sort(([a], [b]) => byCodeUnit(a, b))) {
      const [field, value] = apart(entry);
      if (by.some(([one]) => one === field) && /^[a-z]+([_-][a-z]+)+$/i.test(value))
        words[value] = [value.replaceAll(/[_-]/g, ' ')];
    }
    return {
      record: `${facts.nameOf(tool)}#${place.record}`,
      id: place.field,
      by: by.map(([value, n]) => ({ value, n })),
      words,
    };
  }
  return null;
}
