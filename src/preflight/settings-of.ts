import { entriesFrom } from '../events/entries-from.ts';
import type { Entry } from '../events/entry.ts';
import { parseEvent, streamOf } from '../events/index.ts';
import type { SyncLog } from '../log/index.ts';

/** What a user settled, as the log holds it now. */
export interface UserSettings {
  readonly entries: readonly { readonly event: string; readonly entry: Entry }[];
  /** Every stream that was looked at, whether it held something or not: an executor sees what changes in them. */
  readonly looked: readonly { readonly stream: string; readonly version: number }[];
}

/** The newest event of a setting is what holds: stored, or revoked and so nothing. */
export function settingsOf(log: SyncLog, user: string, names: readonly string[]): UserSettings {
  const entries: UserSettings['entries'][number][] = [];
  const looked: UserSettings['looked'][number][] = [];
  for (const name of names) {
    const stream = streamOf.setting(user, name);
    const version = log.versionSync(stream);
    looked.push({ stream, version });
    if (version === 0) continue;
    for (const page of log.readSync({ stream, fromVersion: version - 1, toVersion: version })) {
      for (const row of page) {
        const event = parseEvent(row.event);
        const made = entriesFrom(event, { question: () => undefined, approval: () => undefined });
        entries.push(...made.map((entry) => ({ event: event.id, entry })));
      }
    }
  }
  return { entries, looked };
}
