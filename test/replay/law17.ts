import { exitOf } from '../../replay/index.ts';
import type { Envelope } from '../../src/events/envelope.ts';
import type { StoredRow } from '../../src/log/index.ts';
import type { Replayed } from './recorded.ts';
import type { Mutant } from './tamper.ts';

/** What became of one mutant whose leaf hash was mended. */
export type Fate =
  | { readonly fate: 'found' }
  /** Nothing was found: the kind of field, as `<type><pointer>` with `*` for each index. */
  | { readonly fate: 'survived'; readonly field: string }
  | { readonly fate: 'misplaced'; readonly field: string; readonly found: unknown };

/**
 * Whether a one-field change was found, and at the right place: a changed verdict at the very pointer, a changed lookup at
 * its event or as the one that is now missing, a declaration at its event, a `RunStarted` in its run.
 */
export function fateOf(row: StoredRow, mutant: Mutant, { found, summary }: Replayed): Fate {
  const field = `${row.type}${mutant.pointer.replaceAll(/\/\d+/g, '/*')}`;
  if (exitOf(summary) === 0) return { fate: 'survived', field };
  const right = found.some((item) => {
    // Outside its data an event says where and what it is: found as a row.
    if (mutant.pointer === '/stream') return (item.at ?? 0) >= row.position;
    if (!mutant.pointer.startsWith('/data') || item.code === 'shape') return item.at === row.position;
    switch (row.type) {
      case 'VerdictRecorded': {
        const path = `/data/verdict${item.path ?? ''}`;
        const there = path === mutant.pointer || path.startsWith(`${mutant.pointer}/`);
        return item.at === row.position && there;
      }
      case 'LookupPerformed': {
        const missed = item.finding === 'LOOKUP_MISSING' && item.path?.startsWith(subjectOf(row.event));
        return item.at === row.position || missed === true;
      }
      case 'RunStarted':
        return item.position === row.position;
      case 'SegmentAdded':
        return item.position > row.position || item.at === row.position;
      default:
        return item.at === row.position;
    }
  });
  return right ? { fate: 'found' } : { fate: 'misplaced', field, found };
}

function subjectOf(event: Envelope): string {
  const { subject } = event.data as { subject: { slot?: string; fact?: string } };
  return subject.slot === undefined ? `fact ${subject.fact}` : `slot ${subject.slot} `;
}
