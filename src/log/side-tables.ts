import type BetterSqlite3 from 'better-sqlite3';
import { GroundsError } from '../errors.ts';
import { mapped } from './map-errors.ts';
import { type LogTables, SIDE_PREFIX } from './schema.ts';
import { type Params, type Prepared, type Statements, statementsOn } from './statements.ts';
import type { Writer } from './writer.ts';

/**
 * Derived tables in the log's own file, so that a projection's rows and its checkpoint move in one transaction. Their names
 * begin with `side_`; nothing in them is evidence, and all of it can be rebuilt.
 */
export interface SideTables<Tables> extends Statements<Tables & LogTables> {
  /** The tables were made anew just now, and are empty: the projection starts from position 0. */
  readonly fresh: boolean;
  /**
   * Runs `work` in one IMMEDIATE transaction. It may read the log with `readSync`, must not append, and must not be async.
   *
   * @throws GroundsError `log/read-only`, `log/full`, `log/busy`, `log/nested-transaction`
   */
  inTransaction<T>(work: () => T): T;
}

/**
 * Makes the tables where they are missing. Where the file declares one of them otherwise, all of them are made anew: they
 * are derived, and go together. A log opened read-only makes nothing; it is `fresh` when they are not there.
 *
 * @param ddl `CREATE TABLE side_… (…)` and `CREATE INDEX side_… ON …`, one statement each
 * @throws GroundsError `log/bad-side-table`
 */
export function sideTablesOn<Tables>(
  db: BetterSqlite3.Database,
  writer: Writer,
  ddl: readonly string[],
): SideTables<Tables> {
  const facts = { file: db.name };
  const inTransaction = <T>(work: () => T): T =>
    mapped(facts, () => writer.transaction(() => refusePromise(work())));
  const declared = ddl.map(declaration);
  const statements = statementsOn<Tables & LogTables>(db);
  return {
    fresh: !holds(db, declared) && (db.readonly || inTransaction(() => remake(db, declared))),
    inTransaction,
    prepare<P extends Params, R>(build: Parameters<typeof statements.prepare<P, R>>[0]): Prepared<P, R> {
      return mapped(facts, () => guarded(statements.prepare<P, R>(build), facts));
    },
  };
}

interface Declaration {
  readonly kind: 'TABLE' | 'INDEX';
  readonly name: string;
  readonly sql: string;
}

function declaration(sql: string): Declaration {
  const match = /^CREATE (TABLE|INDEX) ([a-z0-9_]+) /.exec(sql);
  const name = match?.[2] ?? '';
  if (!name.startsWith(SIDE_PREFIX)) {
    throw new GroundsError('log/bad-side-table', 'A side table or index is declared by one plain CREATE.', {
      facts: { sql },
      hint: `Write CREATE TABLE or CREATE INDEX with a name that begins with ${SIDE_PREFIX}.`,
    });
  }
  return { kind: match?.[1] === 'TABLE' ? 'TABLE' : 'INDEX', name, sql };
}

function holds(db: BetterSqlite3.Database, declared: readonly Declaration[]): boolean {
  const stored = db.prepare<[string], string | null>('SELECT sql FROM sqlite_schema WHERE name = ?').pluck();
  return declared.every(({ name, sql }) => stored.get(name) === sql);
}

/** Looks again under the lock: another process may have been first. */
function remake(db: BetterSqlite3.Database, declared: readonly Declaration[]): boolean {
  if (holds(db, declared)) return false;
  for (const { kind, name } of declared) if (kind === 'TABLE') db.exec(`DROP TABLE IF EXISTS ${name}`);
  for (const { sql } of declared) db.exec(sql);
  return true;
}

/** Side tables may be written outside a transaction too; SQLite's errors leave as the project's own. */
function guarded<P extends Params, R>(inner: Prepared<P, R>, facts: Record<string, unknown>): Prepared<P, R> {
  return {
    get sql() {
      return inner.sql;
    },
    get statement() {
      return inner.statement;
    },
    all: (params) => mapped(facts, () => inner.all(params)),
    get: (params) => mapped(facts, () => inner.get(params)),
    run: (params) => mapped(facts, () => inner.run(params)),
  };
}

function refusePromise<T>(result: T): T {
  if (result instanceof Promise) {
    throw new GroundsError('log/async-transaction', 'A transaction can not wait for a promise.', {
      hint: 'Do the waiting before the transaction, and give it a function that returns at once.',
    });
  }
  return result;
}
