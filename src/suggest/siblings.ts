import { counts, held } from './bounded.ts';
import type { Finder } from './finder.ts';
import { hasStar, joined, type Leaf, recordOf, recordPointer } from './leaves.ts';
import { textsBefore } from './places.ts';
import type { Seen, SeenResult } from './seen.ts';
import type { ArgumentTally } from './tally.ts';

const MOST_FIELDS = 40;

/**
 * Of a value that the user did not type and that stands in one of several records: which field beside it the user did
 * type, where it is unique among them. "The card ending in 7447" names a card by its last four.
 */
export function countSiblings(
  tally: ArgumentTally,
  result: SeenResult,
  there: Leaf,
  before: number,
  seen: Seen,
  find: Finder,
): void {
  const place = recordOf(there.pattern);
  if (place === null || hasStar(place.field)) return;
  const own = recordPointer(there, place.record);
  const siblings = held(tally.siblings, joined(result.tool, there.pattern), MOST_FIELDS, () => ({
    said: counts(MOST_FIELDS),
    values: counts(200),
  }));
  if (siblings === undefined) return;
  siblings.said.add('');
  for (const leaf of result.leaves) {
    if (leaf.pattern === there.pattern || !leaf.pattern.startsWith(`${place.record}/`) || leaf.key === null)
      continue;
    if (recordPointer(leaf, place.record) !== own || hasStar(leaf.pattern.slice(place.record.length)))
      continue;
    if (leaf.key.length < 2 || leaf.key.startsWith('\0') || typeof leaf.value === 'boolean') continue;
    const alike = result.leaves.filter(({ pattern, key }) => pattern === leaf.pattern && key === leaf.key);
    if (alike.length > 1) continue;
    const reader = typeof leaf.value === 'number' ? 'money' : 'text_fold';
    if (!textsBefore(seen.typed, before).some((text) => find.holds(text, reader, leaf.value))) continue;
    const field = leaf.pattern.slice(place.record.length);
    siblings.said.add(field);
    siblings.values.add(joined(field, leaf.key));
  }
}
