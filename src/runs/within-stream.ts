import type { SyncLog } from '../log/index.ts';

/** The version of a stream as it stood before this position. */
export function versionBefore(log: SyncLog, stream: string, position: number): number {
  let version = 0;
  for (const page of log.readSync({ stream, to: position, direction: 'backward', limit: 1 }))
    for (const row of page) version = row.version + 1;
  return version;
}

/** Where a stream begins; -1 where there is none. */
export function positionOfFirst(log: SyncLog, stream: string): number {
  for (const page of log.readSync({ stream, limit: 1 })) for (const row of page) return row.position;
  return -1;
}
