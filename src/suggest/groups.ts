import { type Counts, counts, held } from './bounded.ts';
import { hasStar, isOneLine, joined, type Leaf, starsOf } from './leaves.ts';
import type { Seen, SeenResult } from './seen.ts';
import { MOST } from './tally.ts';

/** Elements of one array, or of parallel arrays, and the records that held all leaves of one. */
export interface GroupTally {
  readonly of: readonly string[];
  elements: number;
  /** Calls in which parallel arrays had other lengths. */
  unequal: number;
  /** `tool record` and its fields, as JSON. */
  readonly records: Counts;
}

/** By the gated tool, then by what belongs together. */
export type GroupTallies = Map<string, Map<string, GroupTally>>;

const MOST_PLACES = 30;
/** So many results before a call are looked at: a long conversation takes no quadratic time. */
const MOST_RESULTS = 50;

export function countGroups(
  tallies: GroupTallies,
  tool: string,
  leaves: readonly Leaf[],
  before: number,
  seen: Seen,
): void {
  const nearest = seen.results.filter(({ segment }) => segment < before).slice(-MOST_RESULTS);
  for (const { of, elements, unequal } of elementsIn(leaves)) {
    const own = held(tallies, tool, MOST.tools, () => new Map<string, GroupTally>());
    const tally =
      own && held(own, joined(...of), 100, () => ({ of, elements: 0, unequal: 0, records: counts(200) }));
    if (tally === undefined) continue;
    if (unequal) tally.unequal++;
    for (const element of elements) {
      tally.elements++;
      const found = new Set<string>();
      for (const result of nearest) {
        const record = recordHolding(element, result, of.length > 1);
        if (record !== null) found.add(record);
      }
      for (const record of found) tally.records.add(record);
    }
  }
}

interface Elements {
  readonly of: readonly string[];
  readonly elements: readonly (readonly Leaf[])[];
  readonly unequal: boolean;
}

function elementsIn(leaves: readonly Leaf[]): Elements[] {
  const arrays = new Map<string, Map<string, Leaf[]>>();
  for (const leaf of leaves) {
    const { first: star, last } = starsOf(leaf.pattern);
    // Of an array within an array it would not be clear which element is meant; an array is an argument's.
    if (star < 1 || star !== last) continue;
    const pattern = leaf.pattern.slice(0, star + 2);
    const index = leaf.pointer.slice(star + 1).split('/')[0] ?? '';
    const byIndex = arrays.get(pattern) ?? new Map<string, Leaf[]>();
    arrays.set(pattern, byIndex.set(index, [...(byIndex.get(index) ?? []), leaf]));
  }
  const found: Elements[] = [];
  const scalars: [string, Map<string, Leaf[]>][] = [];
  for (const [pattern, byIndex] of arrays) {
    const elements = [...byIndex.values()];
    if (elements.every((element) => element.length === 1 && element[0]?.pattern === pattern))
      scalars.push([pattern, byIndex]);
    else if (elements.some((element) => element.length > 1))
      found.push({ of: [pattern], elements, unequal: false });
  }
  for (const [i, [pattern, byIndex]] of scalars.entries()) {
    for (const [other, beside] of scalars.slice(i + 1)) {
      const elements = [...byIndex].map(([index, element]) => [...element, ...(beside.get(index) ?? [])]);
      found.push({ of: [pattern, other], elements, unequal: byIndex.size !== beside.size });
    }
  }
  return found;
}

/** The smallest record of a result that holds every leaf of an element (or was asked for by it), as JSON; null if none. */
function recordHolding(element: readonly Leaf[], result: SeenResult, parallel: boolean): string | null {
  const [first, ...others] = element.map((leaf) => ({
    leaf,
    there: (leaf.key === null ? [] : (result.byKey.get(leaf.key) ?? [])).slice(0, MOST_PLACES),
  }));
  if (first === undefined || others.length === 0 || first.there.length === 0) return null;
  let best: { depth: number; record: string } | null = null;
  for (const place of first.there) {
    const pointers = place.pointer.split('/');
    const patterns = place.pattern.split('/');
    for (let depth = pointers.length - 1; depth >= 1 && depth > (best?.depth ?? 0); depth--) {
      const under = pointers.slice(0, depth).join('/');
      const fields: Record<string, string> = {
        [first.leaf.pattern]: `record/${patterns.slice(depth).join('/')}`,
      };
      const whole = others.every(({ leaf, there }) => {
        const inside = there.find(({ pointer }) => pointer.startsWith(`${under}/`));
        const asked = result.arguments.find(({ key, pattern }) => key === leaf.key && !hasStar(pattern));
        if (inside !== undefined)
          fields[leaf.pattern] = `record/${inside.pattern.split('/').slice(depth).join('/')}`;
        else if (asked !== undefined) fields[leaf.pattern] = `arguments${asked.pattern}`;
        return inside !== undefined || asked !== undefined;
      });
      // Of one array an element is one record; of parallel arrays a record may hold both, one of several each.
      const several = Object.values(fields).some((field) =>
        parallel ? field.startsWith('record/*') : hasStar(field),
      );
      if (!whole || several || !Object.values(fields).every(isOneLine)) continue;
      best = {
        depth,
        record: JSON.stringify({ tool: result.tool, record: patterns.slice(0, depth).join('/'), fields }),
      };
      break;
    }
  }
  return best?.record ?? null;
}
