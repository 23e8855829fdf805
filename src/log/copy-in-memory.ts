import { readFileSync, type Stats, statSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { GroundsError } from '../errors.ts';

/** A larger file would have to stand in memory twice. */
const MOST = 1024 * 1024 * 1024;

/** Where a file says by which of its versions it is read and written: 2 is WAL, 1 is not. */
const VERSIONS = [18, 19] as const;

/**
 * A log that can't be opened where it is: SQLite keeps the index of its write-ahead log beside the file, even to read, and
 * may make nothing there. A file without a write-ahead log is whole by itself, so that it can be read as it stands.
 *
 * @throws GroundsError `log/read-only` where it is not whole by itself, or too large; `log/busy` where it changed meanwhile
 */
export function copyInMemory(file: string): BetterSqlite3.Database {
  const before = whole(file);
  if (before.size > MOST)
    throw unreadable(file, 'is too large to be read into memory', { bytes: before.size });
  const bytes = readFileSync(file);
  const after = whole(file);
  if (before.mtimeMs !== after.mtimeMs || before.size !== after.size || before.ino !== after.ino) {
    throw new GroundsError('log/busy', 'The log was written while it was read.', {
      facts: { file },
      hint: 'Try again when whoever writes it has ended.',
    });
  }
  // A database in memory has no write-ahead log.
  for (const at of VERSIONS) if (bytes[at] === 2) bytes[at] = 1;
  return new BetterSqlite3(bytes, { readonly: true });
}

function whole(file: string): Stats {
  const wal = statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (wal !== undefined && wal.size > 0) {
    throw unreadable(file, 'holds its newest events in a file beside it (-wal)', { wal: wal.size });
  }
  return statSync(file);
}

function unreadable(file: string, why: string, facts: Record<string, unknown>): GroundsError {
  return new GroundsError(
    'log/read-only',
    `The log ${why}, and its folder can not be written, which SQLite needs to read it where it is.`,
    {
      facts: { file, ...facts },
      hint: 'Copy the file, and what stands beside it under its name, into a folder that can be written, and read the copy.',
    },
  );
}
