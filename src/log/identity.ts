import { randomBytes, randomUUID } from 'node:crypto';
import type BetterSqlite3 from 'better-sqlite3';
import { GroundsError } from '../errors.ts';
import { APPLICATION_ID, FORMAT, SCHEMA, SIDE_PREFIX } from './schema.ts';

/** What a log is told apart by; written once, when it is made. */
export interface Identity {
  readonly format: number;
  /** A random UUID: the log's name in addresses of sealed values and in exports. */
  readonly origin: string;
  /** 32 random bytes from which ids of imported things derive. Never part of hashed bytes. */
  readonly importKey: Uint8Array;
  /** ISO 8601 UTC. */
  readonly created: string;
}

/** Makes the tables of a new log in an empty file; where another process was first, its log stands. */
export function createLog(db: BetterSqlite3.Database, file: string): void {
  db.transaction(() => {
    if (!isEmpty(db)) {
      requireLog(db, file);
      return;
    }
    db.pragma(`application_id = ${APPLICATION_ID}`);
    for (const { sql } of SCHEMA) db.exec(sql);
    const put = db.prepare('INSERT INTO meta (key, value) VALUES (?, ?)');
    put.run('format', BigInt(FORMAT));
    put.run('origin', randomUUID());
    put.run('import_key', randomBytes(32));
    put.run('created', new Date().toISOString());
  }).immediate();
}

/**
 * Refuses a file that this version must not touch. It reads only.
 *
 * @throws GroundsError `log/not-a-log`, `log/newer`
 */
export function requireLog(db: BetterSqlite3.Database, file: string): void {
  const applicationId = db.pragma('application_id', { simple: true });
  if (applicationId !== APPLICATION_ID) {
    throw notALog(file, isEmpty(db) ? 'The file is empty.' : 'The database is not that of a log.', {
      applicationId,
    });
  }
  const format = hasMeta(db) ? metaOf(db).get('format') : undefined;
  if (typeof format === 'number' && format > FORMAT) {
    throw new GroundsError('log/newer', `The log has format ${format}; this version knows ${FORMAT}.`, {
      facts: { file, format, known: FORMAT },
      hint: 'Use a newer version; this one must not guess.',
    });
  }
}

/**
 * Compares what the file declares with what a log declares: a dropped trigger, a changed table or a foreign object beside
 * them is reported. The tables of projections are not the log's and are left alone.
 *
 * @throws GroundsError `log/schema-differs` (exit 4)
 */
export function requireSchema(db: BetterSqlite3.Database, file: string): void {
  const stored = db
    .prepare<[], { type: string; name: string; tbl_name: string; sql: string | null }>(
      "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%'",
    )
    .all();
  const expected = new Map(SCHEMA.map(({ name, sql }) => [name, sql]));
  const changed: string[] = [];
  const foreign: string[] = [];
  for (const { type, name, tbl_name, sql } of stored) {
    const wanted = expected.get(name);
    if (wanted !== undefined) {
      expected.delete(name);
      if (wanted !== sql) changed.push(name);
    } else if (!isImplied(type, name, sql) && !isSide(type, name, tbl_name)) foreign.push(name);
  }
  const missing = [...expected.keys()];
  if (missing.length + changed.length + foreign.length === 0) return;
  throw new GroundsError(
    'log/schema-differs',
    'The tables and guards of the log are not as they were made.',
    {
      facts: { file, missing, changed, foreign },
      hint: 'Somebody changed the file past the log. Keep it as it is, and verify it against a checkpoint stored elsewhere.',
      exit: 4,
    },
  );
}

/** An index that SQLite makes for a UNIQUE or PRIMARY KEY. */
function isImplied(type: string, name: string, sql: string | null): boolean {
  return type === 'index' && sql === null && name.startsWith('sqlite_autoindex_');
}

/** Tables and indexes only: a trigger on a side table could reach into the log. */
function isSide(type: string, name: string, table: string): boolean {
  return (
    (type === 'table' || type === 'index') && name.startsWith(SIDE_PREFIX) && table.startsWith(SIDE_PREFIX)
  );
}

/** @throws GroundsError `log/schema-differs` (exit 4) */
export function readIdentity(db: BetterSqlite3.Database, file: string): Identity {
  const meta = metaOf(db);
  const format = meta.get('format');
  const origin = meta.get('origin');
  const importKey = meta.get('import_key');
  const created = meta.get('created');
  if (
    format !== FORMAT ||
    typeof origin !== 'string' ||
    !(importKey instanceof Uint8Array) ||
    importKey.length !== 32 ||
    typeof created !== 'string'
  ) {
    throw new GroundsError('log/schema-differs', 'What the log says of itself is missing or changed.', {
      facts: { file, keys: [...meta.keys()] },
      hint: 'Somebody changed the file past the log. Keep it as it is, and compare it with a copy.',
      exit: 4,
    });
  }
  return { format, origin, importKey, created };
}

function metaOf(db: BetterSqlite3.Database): Map<string, unknown> {
  const rows = db.prepare<[], { key: string; value: unknown }>('SELECT key, value FROM meta').all();
  return new Map(rows.map(({ key, value }) => [key, value]));
}

function hasMeta(db: BetterSqlite3.Database): boolean {
  const columns = db.prepare<[], string>("SELECT name FROM pragma_table_info('meta')").pluck().all();
  return columns.includes('key') && columns.includes('value');
}

/** A database in which nobody has made anything: an empty file, or one that was only opened. */
export function isBlank(db: BetterSqlite3.Database): boolean {
  return isEmpty(db) && db.pragma('application_id', { simple: true }) === 0;
}

function isEmpty(db: BetterSqlite3.Database): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
}

function notALog(file: string, message: string, facts: Record<string, unknown>): GroundsError {
  return new GroundsError('log/not-a-log', message, {
    facts: { file, ...facts },
    hint: 'Give the file of a log, or another name with create to make a new one.',
  });
}
