import { randomId } from '../events/random-id.ts';
import { openSqliteLogSync, type SqliteLog } from '../log/sqlite.ts';
import type { Declared } from '../runs/declared.ts';
import { environment } from '../runs/environment.ts';
import type { Recording } from '../runs/recording.ts';

/** Opens a log to record into, making it where there is none. `maxPages` is the size at which the file counts as full. */
export function recordingInto(
  file: string,
  declared: Declared,
  maxPages: number | undefined,
): Recording & { readonly log: SqliteLog } {
  return {
    log: openSqliteLogSync({ file, create: true, ...(maxPages === undefined ? {} : { maxPages }) }),
    declared,
    clock: () => new Date().toISOString(),
    newId: randomId,
    environment: environment(),
  };
}
