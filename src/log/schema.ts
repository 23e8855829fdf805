import type { ColumnType, Generated } from 'kysely';

/** "Grnd": tells a log from any other SQLite file. */
export const APPLICATION_ID = 0x47726e64;
/** The format this version writes. A newer one is refused, never guessed at. */
export const FORMAT = 1;

export interface EventsTable {
  position: number;
  stream: string;
  version: number;
  type: string;
  bytes: Uint8Array;
  leaf: Uint8Array;
}

export interface MetaTable {
  key: string;
  value: number | string | Uint8Array;
}

/** SQLite's own list of what a file holds. */
export interface SchemaTable {
  type: string;
  name: string;
  tbl_name: string;
  sql: string | null;
  rowid: Generated<ColumnType<number, never, never>>;
}

/** The tables of a log, as Kysely sees them. */
export interface LogTables {
  events: EventsTable;
  meta: MetaTable;
  sqlite_schema: SchemaTable;
}

/**
 * The guards stand in the file itself, so that no writer can pass them by mistake. BEFORE INSERT runs before REPLACE would
 * delete, so it alone refuses INSERT OR REPLACE, even on a connection without recursive triggers.
 */
export const SCHEMA: readonly { readonly name: string; readonly sql: string }[] = [
  {
    name: 'events',
    sql: `CREATE TABLE events (
  position INTEGER PRIMARY KEY,
  stream TEXT NOT NULL,
  version INTEGER NOT NULL,
  type TEXT NOT NULL,
  bytes BLOB NOT NULL,
  leaf BLOB NOT NULL CHECK (length(leaf) = 32),
  UNIQUE (stream, version)
) STRICT`,
  },
  {
    name: 'meta',
    sql: `CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value ANY NOT NULL
) STRICT, WITHOUT ROWID`,
  },
  {
    name: 'events_in_order',
    sql: `CREATE TRIGGER events_in_order BEFORE INSERT ON events
WHEN NEW.position IS NOT (SELECT coalesce(max(position) + 1, 0) FROM events)
  OR NEW.version IS NOT (SELECT coalesce(max(version) + 1, 0) FROM events WHERE stream = NEW.stream)
BEGIN SELECT raise(ABORT, 'grounds: an event goes to the end of the log and of its stream'); END`,
  },
  guard('events', 'UPDATE'),
  guard('events', 'DELETE'),
  guard('meta', 'UPDATE'),
  guard('meta', 'DELETE'),
];

function guard(table: string, verb: 'UPDATE' | 'DELETE'): { name: string; sql: string } {
  const name = `${table}_no_${verb === 'UPDATE' ? 'update' : 'delete'}`;
  return {
    name,
    sql: `CREATE TRIGGER ${name} BEFORE ${verb} ON ${table}
BEGIN SELECT raise(ABORT, 'grounds: the log is append-only'); END`,
  };
}

/** Tables of projections may stand in the same file under names that begin so; the log's own check leaves them alone. */
export const SIDE_PREFIX = 'side_';
