import { entriesFrom } from '../events/entries-from.ts';
import type { Entry } from '../events/entry.ts';
import { parseEvent } from '../events/index.ts';
import type { SyncLog } from '../log/index.ts';

/** A setting's event speaks of no question and of no approval. */
const OF_NOTHING = { question: () => undefined, approval: () => undefined };

/** What a setting stream gives a run that found it at this version: its newest event is what holds, stored or revoked. */
export function settingEntries(
  log: SyncLog,
  stream: string,
  version: number,
): { event: string; entry: Entry }[] {
  const given: { event: string; entry: Entry }[] = [];
  if (version === 0) return given;
  for (const page of log.readSync({ stream, fromVersion: version - 1, toVersion: version })) {
    for (const row of page) {
      const event = parseEvent(row.event);
      given.push(...entriesFrom(event, OF_NOTHING).map((entry) => ({ event: event.id, entry })));
    }
  }
  return given;
}
