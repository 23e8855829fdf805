import { type DataOf, streamOf } from '../events/index.ts';
import type { Segment } from '../events/segment.ts';
import type { SyncLog } from '../log/index.ts';
import { frozen } from './frozen.ts';
import { keepNewest } from './keep-newest.ts';

/** What is once recorded never changes: of a conversation that goes on, only what is new is read. */
const known = new WeakMap<SyncLog, Map<string, Segment[]>>();

/** How many conversations of a log are kept. */
const KEPT = 32;

/**
 * The segments of a conversation that the log holds: as many as its stream's version. The same objects each time, which nobody can
 * change: whoever is given a run back can't reach what the next one is judged on.
 */
export function segmentsOf(log: SyncLog, conversation: string): Segment[] {
  const kept = known.get(log) ?? new Map<string, Segment[]>();
  known.set(log, kept);
  const segments = kept.get(conversation) ?? [];
  for (const page of log.readSync({
    stream: streamOf.conversation(conversation),
    fromVersion: segments.length,
  }))
    for (const { event } of page) segments.push(frozen((event.data as DataOf<'SegmentAdded'>).segment));
  keepNewest(kept, conversation, segments, KEPT);
  return [...segments];
}
