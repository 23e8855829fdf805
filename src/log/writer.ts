import type BetterSqlite3 from 'better-sqlite3';
import { sql } from 'kysely';
import { GroundsError } from '../errors.ts';
import { placeWrites } from './conflict.ts';
import type { EncodedCommit } from './encode-commit.ts';
import type { Appended } from './port.ts';
import type { EventsTable, LogTables } from './schema.ts';
import type { Param, Statements } from './statements.ts';

/** The writing half of a connection: SQL and transactions, no queue and no promises. */
export interface Writer {
  size(): number;
  version(stream: string): number;
  /**
   * Runs `work` in one IMMEDIATE transaction; it is durable when this returns, and has written nothing when it throws.
   * DEFERRED would fail under several writers, whatever the busy timeout.
   */
  transaction<T>(work: () => T): T;
  /** Runs `work` in a savepoint of the open transaction: when it throws, what it wrote is gone and the rest stands. */
  isolated<T>(work: () => T): T;
  /** Checks and writes one commit at `first`, inside the open transaction. @throws GroundsError `log/conflict` */
  write(commit: EncodedCommit, first: number): Appended;
}

export function writerOn(db: BetterSqlite3.Database, statements: Statements<LogTables>): Writer {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commitAll = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  const savepoint = db.prepare('SAVEPOINT caller');
  const release = db.prepare('RELEASE caller');
  const rollbackTo = db.prepare('ROLLBACK TO caller');
  const insert = statements.prepare((q, param: Param<EventsTable & Record<string, string>>) =>
    q.insertInto('events').values({
      position: param('position'),
      stream: param('stream'),
      version: param('version'),
      type: param('type'),
      bytes: param('bytes'),
      leaf: param('leaf'),
    }),
  ).statement;
  const next = statements.prepare((q) =>
    q.selectFrom('events').select(sql<number>`coalesce(max(position) + 1, 0)`.as('next')),
  ).statement;
  const nextVersion = statements.prepare((q, param: Param<{ stream: string }>) =>
    q
      .selectFrom('events')
      .select(sql<number>`coalesce(max(version) + 1, 0)`.as('next'))
      .where('stream', '=', param('stream')),
  ).statement;

  const version = (stream: string): number => nextVersion.get(stream)?.next ?? 0;

  return {
    size: () => next.get()?.next ?? 0,
    version,
    transaction(work) {
      if (db.inTransaction) throw nested();
      begin.run();
      try {
        const result = work();
        commitAll.run();
        return result;
      } catch (error) {
        // SQLite may have rolled back by itself (a full disk, an I/O error).
        if (db.inTransaction) rollback.run();
        throw error;
      }
    },
    isolated(work) {
      savepoint.run();
      try {
        const result = work();
        release.run();
        return result;
      } catch (error) {
        if (db.inTransaction) {
          rollbackTo.run();
          release.run();
        }
        throw error;
      }
    },
    write(commit, first) {
      const versions = placeWrites(commit, version);
      let position = first;
      for (let w = 0; w < commit.writes.length; w++) {
        const { stream, events } = commit.writes[w] as EncodedCommit['writes'][number];
        let at = versions[w] as number;
        for (const event of events) {
          insert.run(position, stream, at, event.type, event.bytes, event.leaf);
          position++;
          at++;
        }
      }
      return { first, next: position };
    },
  };
}

function nested(): GroundsError {
  return new GroundsError('log/nested-transaction', 'A transaction is already open on this log.', {
    hint: 'Do everything that belongs together in one transaction, and append outside it.',
  });
}
