import { type Counts, counts, held } from './bounded.ts';
import type { Finder } from './finder.ts';
import { identifies, isOneLine, type Leaf } from './leaves.ts';
import { textsBefore } from './places.ts';
import type { Seen, SeenResult } from './seen.ts';
import { MOST } from './tally.ts';

/** By what the results of one tool could be told apart, for the values of one gated tool. */
export interface KeyTally {
  results: number;
  /** `left\nright`; right is a slot, `typed`, or `fact <tool> <path>`. */
  readonly keys: Counts;
}

/** By the gated tool, then the measuring tool. */
export type KeyTallies = Map<string, Map<string, KeyTally>>;

const MOST_FIELDS = 80;

/**
 * Counts what agrees between a call and a result that held one of its values: an argument or a field of the result that
 * equals another argument of the call, something typed, or a field of an earlier result of another tool.
 */
export function countKeys(
  tallies: KeyTallies,
  tool: string,
  call: { readonly leaves: readonly Leaf[]; readonly before: number },
  result: SeenResult,
  seen: Seen,
  finder: Finder,
): void {
  const byMeasure = held(tallies, tool, MOST.tools, () => new Map<string, KeyTally>());
  const tally =
    byMeasure && held(byMeasure, result.tool, MOST.tools, () => ({ results: 0, keys: counts(MOST.keys) }));
  if (tally === undefined) return;
  tally.results++;
  for (const key of keysBetween(call, result, seen, finder)) tally.keys.add(key);
}

function keysBetween(
  call: { readonly leaves: readonly Leaf[]; readonly before: number },
  result: SeenResult,
  seen: Seen,
  finder: Finder,
): Set<string> {
  const found = new Set<string>();
  const sides: [string, readonly Leaf[]][] = [
    ['arguments', result.arguments],
    ['result', result.leaves.filter(({ pattern }) => !pattern.includes('/*')).slice(0, MOST_FIELDS)],
  ];
  for (const [side, leaves] of sides) {
    for (const leaf of leaves) {
      if (leaf.pattern.includes('/*') || leaf.pattern === '' || !identifies(leaf.key)) continue;
      if (!isOneLine(leaf.pattern)) continue;
      if (isShared(side, leaf, call.before, result, seen)) continue;
      const left = `${side}${leaf.pattern}`;
      for (const slot of call.leaves) {
        if (slot.key === leaf.key && !slot.pattern.includes('/*') && isOneLine(slot.pattern))
          found.add(`${left}\n${slot.pattern}`);
      }
      const typed = textsBefore(seen.typed, call.before).some((text) =>
        finder.holds(text, 'text', leaf.value),
      );
      if (typed) found.add(`${left}\ntyped`);
      if (side === 'arguments')
        for (const right of toldBefore(leaf, result, seen)) found.add(`${left}\n${right}`);
    }
  }
  return found;
}

/** Whether another record of the same tool agrees in this as well: then it tells nothing apart. */
function isShared(side: string, leaf: Leaf, before: number, result: SeenResult, seen: Seen): boolean {
  const index = side === 'arguments' ? seen.asked : seen.told;
  return (index.get(leaf.key ?? '') ?? []).some(
    ({ result: other, leaf: there }) =>
      there.pattern === leaf.pattern &&
      other.tool === result.tool &&
      other.segment < before &&
      !sameKeys(other.asked, result.asked),
  );
}

function sameKeys(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  if (a.size !== b.size) return false;
  for (const key of a) if (!b.has(key)) return false;
  return true;
}

/** Fields of earlier results of other tools that an argument was taken from. */
function toldBefore(leaf: Leaf, result: SeenResult, seen: Seen): string[] {
  const found = new Set<string>();
  for (const { result: earlier, leaf: there } of seen.told.get(leaf.key ?? '') ?? []) {
    if (earlier.segment >= result.segment) break;
    if (earlier.tool === result.tool || earlier.asked.has(leaf.key ?? '') || there.pattern.includes('/*'))
      continue;
    found.add(`fact ${earlier.tool} ${there.pattern}`);
  }
  return [...found].filter(isOneLine);
}
