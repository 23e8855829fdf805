import { encode } from '../events/canonical.ts';
import { uuidFrom } from '../events/ids.ts';
import { makeEvent, streamOf } from '../events/index.ts';
import type { SyncLog } from '../log/index.ts';
import { recorded } from '../runs/recording.ts';
import type { ReadRecord } from './read-records.ts';

/** Where records are imported into. */
export interface RecordsInto {
  readonly log: SyncLog;
  /** When it is recorded: UTC with milliseconds. */
  readonly clock: () => string;
  readonly newId: () => string;
}

export interface ImportedRecord extends ReadRecord {
  readonly call_id: string;
  /** false: the log already held it. */
  readonly added: boolean;
}

/** Records a transaction: a crash leaves whole ones, and importing again goes on from there. */
const BATCH = 256;
/** How often a batch is begun anew where other processes write to the same log. */
const TRIES = 20;

/**
 * Keeps the records of one file, each in a call of its own and as it came. Ids come from the log's own key, the record and
 * how often the file held the same before it: the same file again adds nothing, under any name. What came before a record
 * that can't be read stays.
 *
 * @param into is called once there is something to write
 * @throws GroundsError what `records` throws; `log/…`
 */
export function* importRecords(
  into: () => RecordsInto,
  records: Iterable<ReadRecord>,
): Generator<ImportedRecord, void> {
  const counts = new Map<string, number>();
  for (const batch of batchesOf(records)) {
    const target = into();
    const { importKey } = target.log;
    const placed = batch.map((read) => {
      const same = uuidFrom(importKey, 'record', encode(read.record));
      const count = counts.get(same) ?? 0;
      counts.set(same, count + 1);
      return { ...read, call_id: uuidFrom(importKey, 'call', same, String(count)) };
    });
    yield* recorded(TRIES, () => append(target, placed));
  }
}

function append(
  { log, clock, newId }: RecordsInto,
  placed: readonly Omit<ImportedRecord, 'added'>[],
): ImportedRecord[] {
  const at = clock();
  const done = placed.map((one) => ({ ...one, added: log.versionSync(streamOf.call(one.call_id)) === 0 }));
  const commits = done.flatMap(({ added, call_id, record, version, origin }) => {
    if (!added) return [];
    const data = { schema_version: version, record: { plain: record }, origin };
    const event = makeEvent('RecordImported', data, { id: newId(), at });
    return [{ writes: [{ stream: streamOf.call(call_id), expected: 'none' as const, events: [event] }] }];
  });
  if (commits.length > 0) log.appendSync(commits);
  return done;
}

/** What was read before an error is given before it is thrown. */
function* batchesOf(records: Iterable<ReadRecord>): Generator<readonly ReadRecord[]> {
  let batch: ReadRecord[] = [];
  try {
    for (const record of records) {
      batch.push(record);
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    if (batch.length > 0) yield batch;
    throw error;
  }
  if (batch.length > 0) yield batch;
}
