import { byCodeUnit } from '../gate/expand.ts';
import type { Collected, ToolTally } from './collect.ts';
import type { ActWord } from './draft.ts';
import { isReadName, nameWords, sameStem } from './words.ts';

const FEWEST = 2;
const SHARE = 0.15;
const LIFT = 1.8;
/** A word of the tool's own name needs less. */
const NAMED_LIFT = 1.3;
const MOST_WORDS = 8;

/** Words that users typed before a tool's first call, and clearly more often than before those of other gated tools. */
export function actWordsOf(tool: string, tally: ToolTally, all: Collected): ActWord[] {
  const others = [...all.tools]
    .filter(([name]) => name !== tool && !isReadName(name))
    .map(([, other]) => other);
  const otherCalls = others.reduce((sum, { conversations }) => sum + conversations, 0);
  const own = nameWords(tool).filter((word) => word.length > 2);
  const of = tally.conversations;
  const found: (ActWord & { readonly named: boolean; readonly score: number })[] = [];
  for (const [word, n] of tally.words.sorted()) {
    if (n < FEWEST || n < of * SHARE) break;
    const named = own.some((part) => part === word || sameStem(part, word));
    const elsewhere = others.reduce((sum, { words }) => sum + words.get(word), 0);
    const share = n / of;
    // One is added to what was seen elsewhere, so that a rare word is not taken for a telling one.
    const lift = otherCalls === 0 ? null : share / ((elsewhere + 1) / (otherCalls + 1));
    const telling = lift === null ? named : lift >= (named ? NAMED_LIFT : LIFT);
    if (telling)
      found.push({
        word,
        n,
        of,
        lift: lift === null ? null : rounded(lift),
        named,
        score: share * Math.log2(1 + (lift ?? 1)) * (named ? 3 : 1),
      });
  }
  return found
    .sort((a, b) => b.score - a.score || byCodeUnit(a.word, b.word))
    .slice(0, MOST_WORDS)
    .map(({ word, n, lift }) => ({ word, n, of, lift }));
}

export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
