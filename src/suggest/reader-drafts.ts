import { BUILT_IN_READERS } from '../declarations/built-in-readers.ts';
import { byCodeUnit } from '../gate/expand.ts';
import { foldPhrase } from '../gate/readers/index.ts';
import type { Collected } from './collect.ts';
import type { ReaderDraft } from './draft.ts';
import { lastName } from './leaves.ts';
import { choicesOf } from './propose.ts';
import { isReadName } from './words.ts';

/** A reader for each argument whose values are choices; arguments of one name share it. */
export function readersFrom(all: Collected): {
  readonly drafts: readonly ReaderDraft[];
  nameOf(pattern: string): string | null;
} {
  const values = new Map<string, Map<string, number>>();
  const patterns = new Map<string, string>();
  for (const [tool, { arguments: args }] of [...all.tools].sort(([a], [b]) => byCodeUnit(a, b))) {
    if (isReadName(tool)) continue;
    for (const tally of args.values()) {
      const choices = choicesOf(tally);
      if (choices === null) continue;
      const name = readerName(lastName(tally.pattern));
      patterns.set(tally.pattern, name);
      const own = values.get(name) ?? new Map<string, number>();
      values.set(name, own);
      for (const { value, n } of choices) own.set(value, (own.get(value) ?? 0) + n);
    }
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
  return { drafts, nameOf: (pattern) => patterns.get(pattern) ?? null };
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
