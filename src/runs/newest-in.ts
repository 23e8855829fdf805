import type { Recorded, SyncLog } from '../log/index.ts';

/** What a stream holds last; null where it holds nothing. */
export function newestIn(log: SyncLog, stream: string): Recorded['event'] | null {
  for (const page of log.readSync({ stream, direction: 'backward', limit: 1 }))
    for (const { event } of page) return event;
  return null;
}
