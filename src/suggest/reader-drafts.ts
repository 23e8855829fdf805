import { BUILT_IN_READERS } from '../declarations/built-in-readers.ts';
import { byCodeUnit } from '../gate/expand.ts';
import { foldPhrase } from '../gate/readers/index.ts';
import type { Collected } from './collect.ts';
import type { ReaderDraft } from './draft.ts';
import { lastName } from './leaves.ts';
import { pool } from './pool.ts';
import { choicesOf } from './propose.ts';
import type { ArgumentTally } from './tally.ts';
import { isReadName } from './words.ts';

/** A reader for each argument whose values are choices; arguments of one name share it. */
export function readersFrom(all: Collected): {
  readonly drafts: readonly ReaderDraft[];
  /** The reader of an argument's choices; null where its values are none. */
  nameOf(tally: ArgumentTally): string | null;
} {
  const byName = new Map<string, ArgumentTally[]>();
  for (const [tool, { arguments: args }] of [...all.tools].sort(([a], [b]) => byCodeUnit(a, b))) {
    if (isReadName(tool)) continue;
    for (const tally of args.values()) {
      const name = readerName(lastName(tally.pattern));
      byName.set(name, [...(byName.get(name) ?? []), tally]);
    }
  }
  const values = new Map<string, Map<string, number>>();
  for (const [name, [first, ...others]] of byName) {
    const choices = first === undefined ? null : choicesOf(pool(first, others));
    if (choices !== null) values.set(name, new Map(choices.map(({ value, n }) => [value, n])));
  }
  const drafts = [...values]
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([name, own]): ReaderDraft => {
      const taken = new Set<string>();
      const sorted = [...own].sort(([a, n], [b, m]) => m - n || byCodeUnit(a, b));
      return {
        name,
        values: sorted.map(([value, n]) => ({
          value,
          n,
          words: wordsFor(name, value).filter((word) => fresh(taken, word)),
        })),
      };
    });
  return {
    drafts,
    nameOf(tally) {
      const name = readerName(lastName(tally.pattern));
      const own = values.get(name);
      return own !== undefined && [...tally.values.keys()].some((value) => own.has(value)) ? name : null;
    },
  };
}

function fresh(taken: Set<string>, word: string): boolean {
  const folded = foldPhrase(word);
  if (folded === '' || taken.has(folded)) return false;
  taken.add(folded);
  return true;
}

function readerName(name: string): string {
  const folded = name.toLowerCase().replace(/[^a-z0-9_]+/g, '_');
  return (BUILT_IN_READERS as readonly string[]).includes(folded) ? `${folded}_words` : folded;
}

/** A bare yes or no says nothing of an argument: its name must stand beside it. */
function wordsFor(name: string, value: string): string[] {
  const what = name.replaceAll('_', ' ');
  if (/^(yes|true)$/i.test(value)) return [`with ${what}`, `add ${what}`, `${what}: ${value}`];
  if (/^(no|false)$/i.test(value)) return [`no ${what}`, `without ${what}`, `${what}: ${value}`];
  return [value.replaceAll(/[_-]+/g, ' ').trim()];
}
