import type BetterSqlite3 from 'better-sqlite3';
import { GroundsError } from '../errors.ts';

interface Pragma {
  readonly name: string;
  readonly set: string | number;
  /** What SQLite gives back when it holds. */
  readonly held: string | number;
}

/**
 * SQLite keeps none of these but `journal_mode` in the file, and a second connection starts from other defaults: each is
 * set and read back on every open.
 */
const ALWAYS: readonly Pragma[] = [
  { name: 'synchronous', set: 'FULL', held: 2 },
  { name: 'secure_delete', set: 'ON', held: 1 },
  { name: 'recursive_triggers', set: 'ON', held: 1 },
  { name: 'trusted_schema', set: 'OFF', held: 0 },
  { name: 'cell_size_check', set: 'ON', held: 1 },
];

/** In bytes: a long reader can make the WAL grow; afterwards it is cut back to this. */
const JOURNAL_SIZE_LIMIT = 16 * 1024 * 1024;

/** A quarter of SQLite's checkpoints: an index page that many commits touched is written to the file once for all of them. */
const CHECKPOINT_PAGES = 4000;

/** @throws GroundsError `log/pragma` where one does not hold */
export function setPragmas(
  db: BetterSqlite3.Database,
  options: { readonly?: boolean; busyTimeout: number; maxPages?: number },
): void {
  const pragmas: Pragma[] = [
    { name: 'busy_timeout', set: options.busyTimeout, held: options.busyTimeout },
    ...ALWAYS,
  ];
  if (options.readonly !== true) {
    pragmas.push(
      { name: 'journal_mode', set: 'WAL', held: 'wal' },
      { name: 'wal_autocheckpoint', set: CHECKPOINT_PAGES, held: CHECKPOINT_PAGES },
      { name: 'journal_size_limit', set: JOURNAL_SIZE_LIMIT, held: JOURNAL_SIZE_LIMIT },
    );
  }
  for (const pragma of pragmas) {
    db.pragma(`${pragma.name} = ${pragma.set}`);
    requireHeld(db, pragma);
  }
  requireHeld(db, { name: 'encoding', held: 'UTF-8' });
  if (options.maxPages !== undefined) {
    // A file that is larger already keeps its size as the limit; SQLite then gives that back, which is as full as can be.
    const held = db.pragma(`max_page_count = ${options.maxPages}`, { simple: true });
    const size = Number(db.pragma('page_count', { simple: true }));
    if (held !== Math.max(options.maxPages, size)) throw notHeld('max_page_count', options.maxPages, held);
  }
}

function requireHeld(db: BetterSqlite3.Database, { name, held }: Omit<Pragma, 'set'>): void {
  const actual = db.pragma(name, { simple: true });
  if (actual !== held) throw notHeld(name, held, actual);
}

function notHeld(pragma: string, wanted: unknown, actual: unknown): GroundsError {
  return new GroundsError('log/pragma', `SQLite does not hold ${pragma}: wanted ${wanted}, is ${actual}.`, {
    facts: { pragma, wanted, actual },
    hint: 'Put the log on a local disk (WAL does not work over a network), with an unmodified SQLite.',
  });
}
