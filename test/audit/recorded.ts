import { digestOf } from '../../src/events/digest.ts';
import type { DataOf } from '../../src/events/index.ts';
import { openSqliteLogSync, type SyncLog } from '../../src/log/index.ts';

/** What a log holds of an import, told without its ids: they are another log's own. */
export interface Recorded {
  readonly size: number;
  /** The digests of the verdicts of each call, in the order of its runs, by `line:message`. */
  readonly verdicts: ReadonlyMap<string, readonly string[]>;
  /** How many events of each type each conversation's own streams hold, by its line. */
  readonly conversations: ReadonlyMap<number, Readonly<Record<string, number>>>;
  readonly types: Readonly<Record<string, number>>;
}

export function recordedIn(log: SyncLog): Recorded {
  const verdicts = new Map<string, string[]>();
  const types: Record<string, number> = {};
  const places = new Map<string, string>();
  const lines = new Map<string, number>();
  const byConversation = new Map<string, Record<string, number>>();
  const owners = new Map<string, string>();
  const events = [...log.readSync({})].flat();
  for (const { event } of events) {
    types[event.type] = (types[event.type] ?? 0) + 1;
    if (event.type !== 'RunStarted') continue;
    const { origin, conversation } = event.data as DataOf<'RunStarted'>;
    places.set(event.stream, `${origin?.line}:${origin?.message}`);
    lines.set(conversation, origin?.line ?? 0);
    owners.set(event.stream, conversation);
    owners.set(`conversation/${conversation}`, conversation);
  }
  for (const { event } of events) {
    const owner = owners.get(event.stream);
    if (owner !== undefined) {
      const counts = byConversation.get(owner) ?? {};
      counts[event.type] = (counts[event.type] ?? 0) + 1;
      byConversation.set(owner, counts);
    }
    if (event.type !== 'VerdictRecorded') continue;
    const place = places.get(event.stream) ?? event.stream;
    const { verdict } = event.data as DataOf<'VerdictRecorded'>;
    verdicts.set(place, [...(verdicts.get(place) ?? []), digestOf(verdict)]);
  }
  return {
    size: events.length,
    verdicts,
    types,
    conversations: new Map([...byConversation].map(([id, counts]) => [lines.get(id) ?? 0, counts])),
  };
}

/** Of a log that another process wrote. */
export async function recordedAt(file: string): Promise<Recorded> {
  const log = openSqliteLogSync({ file, readonly: true });
  try {
    return recordedIn(log);
  } finally {
    await log.close();
  }
}
