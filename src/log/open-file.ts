import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { GroundsError } from '../errors.ts';
import { copyInMemory } from './copy-in-memory.ts';
import { createLog, type Identity, isBlank, readIdentity, requireLog, requireSchema } from './identity.ts';
import { isCode, mapped } from './map-errors.ts';
import { setPragmas } from './pragmas.ts';

export interface OpenOptions {
  readonly file: string;
  /** Make the log where the file is missing or empty. Default false: a mistyped name must not become a new log. */
  readonly create?: boolean;
  readonly readonly?: boolean;
  /** The file's limit, in pages of 4096 bytes; an append past it is `log/full`. */
  readonly maxPages?: number;
  /** How long to wait for another process's transaction, in milliseconds. Default 10 000. */
  readonly busyTimeout?: number;
}

export interface OpenFile {
  readonly db: BetterSqlite3.Database;
  readonly identity: Identity;
}

/**
 * Opens the file of a log. What is not a log is refused before anything is changed in it.
 *
 * Opened to read only where its folder can't be written, it is read into memory: see copy-in-memory.ts.
 *
 * @throws GroundsError `log/missing`, `log/directory`, `log/not-a-log`, `log/newer`, `log/read-only`, `log/schema-differs`
 * (exit 4), `log/damaged` (exit 4), `log/pragma`, `log/busy`
 */
export function openFile(options: OpenOptions): OpenFile {
  const { file } = options;
  return mapped({ file }, () => {
    const making = checkFile(options);
    const db = connect(options);
    try {
      return { db, identity: prepare(db, options, making) };
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

function connect({ file, readonly, busyTimeout }: OpenOptions): BetterSqlite3.Database {
  const db = new BetterSqlite3(file, {
    readonly: readonly === true,
    fileMustExist: true,
    timeout: busyTimeout ?? 10_000,
  });
  if (readonly !== true) return db;
  try {
    // The first read is what opens the write-ahead log.
    db.pragma('schema_version');
    return db;
  } catch (error) {
    db.close();
    if (!isCode(error, 'SQLITE_READONLY') && !isCode(error, 'SQLITE_CANTOPEN')) throw error;
    return copyInMemory(file);
  }
}

function prepare(db: BetterSqlite3.Database, options: OpenOptions, making: boolean): Identity {
  const busyTimeout = options.busyTimeout ?? 10_000;
  const pragmas = { ...options, busyTimeout };
  // Another process may be about to make its tables in it: until then a database in WAL mode holds a header and no more.
  if (making && patiently(busyTimeout, () => isBlank(db))) {
    patiently(busyTimeout, () => setPragmas(db, pragmas));
    createLog(db, options.file);
  } else {
    requireLog(db, options.file);
    patiently(busyTimeout, () => setPragmas(db, pragmas));
  }
  requireSchema(db, options.file);
  return readIdentity(db, options.file);
}

/** SQLite does not wait by itself where two processes set up the same new file. */
function patiently<T>(milliseconds: number, work: () => T): T {
  const until = performance.now() + milliseconds;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isCode(error, 'SQLITE_BUSY') || performance.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/** @returns whether a log may be made in it */
function checkFile(options: OpenOptions): boolean {
  const { file, create, readonly } = options;
  const making = create === true && readonly !== true;
  if (file === '' || file.startsWith(':') || file.startsWith('file:')) {
    throw new GroundsError('log/bad-file', 'A log is a file with a plain path.', {
      facts: { file },
      hint: 'Give a path; for a log in memory use openMemoryLog.',
    });
  }
  if (making) makeEmpty(file);
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) throw missing(file, 'There is no log at this path.');
  if (stat.isDirectory()) {
    throw new GroundsError('log/directory', 'This is a folder, not the file of a log.', {
      facts: { file },
      hint: 'Give the path of a file in it.',
    });
  }
  if (readonly !== true) {
    accessSync(file, constants.R_OK | constants.W_OK);
    // The write-ahead log stands beside the file.
    accessSync(dirname(file), constants.W_OK | constants.X_OK);
  }
  return making;
}

/** With O_EXCL, so that of two processes that make a log neither cuts off the other's. */
function makeEmpty(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (isCode(error, 'EEXIST') || isCode(error, 'EISDIR')) return;
    if (isCode(error, 'ENOENT')) throw missing(dirname(file), 'There is no folder at this path.');
    throw error;
  }
}

function missing(path: string, message: string): GroundsError {
  return new GroundsError('log/missing', message, {
    facts: { path },
    hint: 'Check the path, or make a new log with create in a folder that exists.',
  });
}
