import type { SyncLog } from '../log/index.ts';
import type { StoredRow } from '../log/row.ts';
import { newestRow } from './newest-in.ts';

/** What a declaring stream says last. */
export interface NewestDeclared {
  /** null: nothing was ever declared there. */
  readonly digest: string | null;
  /** Of the stream. */
  readonly version: number;
}

/** A version of a stream never changes, so its newest declaration is read, and checked, once. */
const known = new WeakMap<SyncLog, Map<string, Known>>();
/** Who checks rows does not rely on what another one read without. */
type Known = NewestDeclared & { readonly checked: boolean };
const KEPT = 4096;

/** @param seen is told of each row that is read, to check it */
export function newestDeclared(
  log: SyncLog,
  stream: string,
  seen?: (row: StoredRow) => void,
): NewestDeclared {
  const streams = known.get(log) ?? new Map<string, Known>();
  known.set(log, streams);
  const last = streams.get(stream);
  if (last !== undefined && (last.checked || seen === undefined) && last.version === log.versionSync(stream))
    return last;
  const newest = { ...read(log, stream, seen ?? (() => {})), checked: seen !== undefined };
  if (streams.size >= KEPT) streams.clear();
  streams.set(stream, newest);
  return newest;
}

/** One row tells both the digest and the version that it stands at. */
function read(log: SyncLog, stream: string, seen: (row: StoredRow) => void): NewestDeclared {
  const row = newestRow(log, stream);
  if (row === null) return { digest: null, version: 0 };
  seen(row);
  return { digest: (row.event.data as { digest: string }).digest, version: row.version + 1 };
}
