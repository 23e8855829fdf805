import type { StoredRow, SyncLog } from '../log/index.ts';

/** What a stream holds last; null where it holds nothing. */
export function newestIn(log: SyncLog, stream: string): StoredRow['event'] | null {
  return newestRow(log, stream)?.event ?? null;
}

/**
 * Its row, which tells the version that it stands at, too.
 *
 * @param to as it stood before this position; left out: now
 */
export function newestRow(log: SyncLog, stream: string, to?: number): StoredRow | null {
  const query = { stream, direction: 'backward', limit: 1, ...(to === undefined ? {} : { to }) } as const;
  for (const page of log.readSync(query)) for (const row of page) return row;
  return null;
}
