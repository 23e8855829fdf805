import type BetterSqlite3 from 'better-sqlite3';
import { sql } from 'kysely';
import { GroundsError } from '../errors.ts';
import { placeWrites } from './conflict.ts';
import type { EncodedCommit, EncodedWrite } from './encode-commit.ts';
import type { Appended } from './port.ts';
import type { LogTables } from './schema.ts';
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
  /** Runs `work`, which only reads, on one snapshot; inside another of its kind or a transaction it is part of that. */
  reading<T>(work: () => T): T;
  /** Runs `work` in a savepoint of the open transaction: when it throws, what it wrote is gone and the rest stands. */
  isolated<T>(work: () => T): T;
  /** Checks and writes one commit at `first`, inside the open transaction. @throws GroundsError `log/conflict` */
  write(commit: EncodedCommit, first: number): Appended;
}

/** Rows a statement, where a commit has so many: it spares a fifth of SQLite's time a row; more spare little more. */
const AT_ONCE = 8;
const COLUMNS = 6;

/** An INSERT of so many rows, its parameters row by row in the order of the columns. */
function insertOf(statements: Statements<LogTables>, rows: number): BetterSqlite3.Statement<unknown[]> {
  return statements.prepare((q, param: Param<Record<string, never>>) =>
    q.insertInto('events').values(
      Array.from({ length: rows }, (_, row) => ({
        position: param(`position${row}`),
        stream: param(`stream${row}`),
        version: param(`version${row}`),
        type: param(`type${row}`),
        bytes: param(`bytes${row}`),
        leaf: param(`leaf${row}`),
      })),
    ),
  ).statement;
}

export function writerOn(db: BetterSqlite3.Database, statements: Statements<LogTables>): Writer {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const beginReading = db.prepare('BEGIN');
  const commitAll = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  const savepoint = db.prepare('SAVEPOINT caller');
  const release = db.prepare('RELEASE caller');
  const rollbackTo = db.prepare('ROLLBACK TO caller');
  const insertOne = insertOf(statements, 1);
  const insertMany = insertOf(statements, AT_ONCE);
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
    reading(work) {
      if (db.inTransaction) return work();
      beginReading.run();
      try {
        return work();
      } finally {
        if (db.inTransaction) commitAll.run();
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
      let values: unknown[] = [];
      let position = first;
      for (let w = 0; w < commit.writes.length; w++) {
        const { stream, events } = commit.writes[w] as EncodedWrite;
        let at = versions[w] as number;
        for (const { type, bytes, leaf } of events) {
          values.push(position++, stream, at++, type, bytes, leaf);
          if (values.length === AT_ONCE * COLUMNS) {
            insertMany.run(values);
            values = [];
          }
        }
      }
      for (let row = 0; row < values.length; row += COLUMNS) insertOne.run(values.slice(row, row + COLUMNS));
      return { first, next: position };
    },
  };
}

function nested(): GroundsError {
  return new GroundsError('log/nested-transaction', 'A transaction is already open on this log.', {
    hint: 'Do everything that belongs together in one transaction, and append outside it.',
  });
}
