import { type DataOf, streamOf } from '../events/index.ts';
import type { Segment } from '../events/segment.ts';
import type { SyncLog } from '../log/index.ts';

/** The segments of a conversation that the log holds: as many as its stream's version. */
export function segmentsOf(log: SyncLog, conversation: string): Segment[] {
  const segments: Segment[] = [];
  for (const page of log.readSync({ stream: streamOf.conversation(conversation) }))
    for (const { event } of page) segments.push((event.data as DataOf<'SegmentAdded'>).segment);
  return segments;
}
