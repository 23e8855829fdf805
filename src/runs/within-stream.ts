import type { SyncLog } from '../log/index.ts';
import { newestRow } from './newest-in.ts';

/** The version of a stream as it stood before this position. */
export function versionBefore(log: SyncLog, stream: string, position: number): number {
  const row = newestRow(log, stream, position);
  return row === null ? 0 : row.version + 1;
}

/** Where a stream begins; -1 where there is none. */
export function positionOfFirst(log: SyncLog, stream: string): number {
  for (const page of log.readSync({ stream, limit: 1 })) for (const row of page) return row.position;
  return -1;
}
