import { randomBytes, randomUUID } from 'node:crypto';
import { GroundsError } from '../errors.ts';
import { placeWrites } from './conflict.ts';
import { type EncodedCommit, encodeCommit } from './encode-commit.ts';
import type { Appended, Query } from './port.ts';
import { type Plan, planQuery } from './query.ts';
import { type Row, type StoredRow, storedRow } from './row.ts';
import type { SyncLog } from './sync-log.ts';

/** The same log without a disk: for tests, and for audits that keep nothing. */
export function openMemoryLog(): SyncLog {
  let rows: Row[] = [];
  let versions = new Map<string, number>();
  let open = true;

  const versionOf = (stream: string): number => versions.get(stream) ?? 0;
  const requireOpen = (): void => {
    if (!open) {
      throw new GroundsError('log/closed', 'The log is closed.', {
        hint: 'A log in memory is gone once closed.',
      });
    }
  };
  const write = (commit: EncodedCommit): Appended => {
    const placed = placeWrites(commit, versionOf);
    const first = rows.length;
    commit.writes.forEach(({ stream, events }, w) => {
      let version = placed[w] as number;
      for (const event of events) {
        rows.push({ position: rows.length, stream, version, ...event });
        version++;
      }
      versions.set(stream, version);
    });
    return { first, next: rows.length };
  };

  function* readSync(query: Query): Generator<readonly StoredRow[], void, undefined> {
    requireOpen();
    const plan = planQuery(query, rows.length);
    const matches = matcher(plan);
    let page: StoredRow[] = [];
    let left = plan.limit;
    const step = plan.backward ? -1 : 1;
    for (
      let at = plan.backward ? plan.to - 1 : plan.from;
      at >= plan.from && at < plan.to && left > 0;
      at += step
    ) {
      const row = rows[at] as Row;
      if (!matches(row)) continue;
      page.push(storedRow(row));
      left--;
      if (page.length === plan.page) {
        yield page;
        requireOpen();
        page = [];
      }
    }
    if (page.length > 0) yield page;
  }

  const appendSync = (commits: readonly EncodedCommit[]): readonly Appended[] => {
    const before = { length: rows.length, versions: new Map(versions) };
    try {
      return commits.map(write);
    } catch (error) {
      rows = rows.slice(0, before.length);
      versions = before.versions;
      throw error;
    }
  };

  return {
    origin: randomUUID(),
    created: new Date().toISOString(),
    importKey: randomBytes(32),
    async append(commit) {
      requireOpen();
      return write(encodeCommit(commit));
    },
    appendSync(commits) {
      requireOpen();
      return appendSync(commits.map(encodeCommit));
    },
    async *read(query) {
      yield* readSync(query);
    },
    readSync,
    async version(stream) {
      requireOpen();
      return versionOf(stream);
    },
    versionSync(stream) {
      requireOpen();
      return versionOf(stream);
    },
    async size() {
      requireOpen();
      return rows.length;
    },
    sizeSync() {
      requireOpen();
      return rows.length;
    },
    atOnce(work) {
      requireOpen();
      return work();
    },
    async close() {
      open = false;
    },
  };
}

function matcher(plan: Plan): (row: Row) => boolean {
  const streams = plan.streams === null ? null : new Set(plan.streams);
  const types = plan.types === null ? null : new Set(plan.types);
  return (row) =>
    (streams === null || streams.has(row.stream)) &&
    (plan.under === null || row.stream.startsWith(`${plan.under}/`)) &&
    (types === null || types.has(row.type)) &&
    row.version >= plan.fromVersion &&
    row.version < plan.toVersion;
}
