import { GroundsError } from '../errors.ts';
import { encodeCommit } from './encode-commit.ts';
import { groupCommitOn } from './group-commit.ts';
import { mapError, mapped } from './map-errors.ts';
import { type OpenOptions, openFile } from './open-file.ts';
import { pagesOn } from './pages.ts';
import type { Query } from './port.ts';
import { planQuery } from './query.ts';
import type { StoredRow } from './row.ts';
import type { LogTables } from './schema.ts';
import { type SideTables, sideTablesOn } from './side-tables.ts';
import { statementsOn } from './statements.ts';
import type { SyncLog } from './sync-log.ts';
import { writerOn } from './writer.ts';

export interface SqliteLog extends SyncLog {
  readonly file: string;
  readonly readonly: boolean;
  /** Derived tables in the same file, for projections: see side-tables.ts. */
  sideTables<Tables>(ddl: readonly string[]): SideTables<Tables>;
  /**
   * Empties the write-ahead log into the file and gives freed pages back: after an erasure, nothing of what was erased is
   * left in either. Positions and bytes stay as they are. Waits for no other process: one that reads keeps the WAL.
   *
   * @throws GroundsError `log/busy`, `log/full`
   */
  compact(): void;
}

/**
 * Opens, or with `create` makes, a log in one SQLite file. Several processes may have it open and write at once.
 *
 * @throws GroundsError as `openFile` says
 * @example
 * const log = await openSqliteLog({ file: 'grounds.db', create: true });
 * await log.append({ writes: [{ stream: 'call/1', expected: 'none', events }] });
 */
export async function openSqliteLog(options: OpenOptions): Promise<SqliteLog> {
  return openSqliteLogSync(options);
}

export function openSqliteLogSync(options: OpenOptions): SqliteLog {
  const { db, identity } = openFile(options);
  const { file } = options;
  const facts = { file };
  const readonly = options.readonly === true;
  const statements = statementsOn<LogTables>(db);
  const writer = writerOn(db, statements);
  const pages = pagesOn(statements, writer.size);
  const group = groupCommitOn(writer, facts);

  const requireOpen = (): void => {
    if (!db.open) throw closed(file);
  };
  const requireWritable = (): void => {
    requireOpen();
    if (readonly) throw openedReadonly(file);
  };
  const now = <T>(work: () => T): T => {
    requireOpen();
    return mapped(facts, work);
  };

  function* readSync(query: Query): Generator<readonly StoredRow[], void, undefined> {
    const plan = now(() => planQuery(query));
    const iterator = pages(plan);
    for (;;) {
      const page = now(() => iterator.next());
      if (page.done === true) return;
      yield page.value;
    }
  }

  return {
    file,
    readonly,
    origin: identity.origin,
    created: identity.created,
    importKey: identity.importKey,
    async append(commit) {
      requireWritable();
      return group.append(encodeCommit(commit));
    },
    appendSync(commits) {
      requireWritable();
      const encoded = commits.map(encodeCommit);
      return mapped(facts, () =>
        writer.transaction(() => {
          let next = writer.size();
          return encoded.map((commit) => {
            const appended = writer.write(commit, next);
            next = appended.next;
            return appended;
          });
        }),
      );
    },
    async *read(query) {
      yield* readSync(query);
    },
    readSync,
    version: async (stream) => now(() => writer.version(stream)),
    versionSync: (stream) => now(() => writer.version(stream)),
    size: async () => now(() => writer.size()),
    sizeSync: () => now(() => writer.size()),
    atOnce(work) {
      requireOpen();
      return writer.reading(work);
    },
    sideTables(ddl) {
      requireOpen();
      return sideTablesOn(db, writer, ddl);
    },
    compact() {
      requireWritable();
      mapped(facts, () => {
        group.flush();
        db.exec('VACUUM');
        const [checkpoint] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
        if (checkpoint?.busy !== 0) throw stillRead(file);
      });
    },
    async close() {
      if (!db.open) return;
      group.flush();
      try {
        db.close();
      } catch (error) {
        throw mapError(error, facts);
      }
    },
  };
}

function closed(file: string): GroundsError {
  return new GroundsError('log/closed', 'The log is closed.', {
    facts: { file },
    hint: 'Open it again; everything that was acknowledged is in it.',
  });
}

function openedReadonly(file: string): GroundsError {
  return new GroundsError('log/read-only', 'The log was opened to read only.', {
    facts: { file },
    hint: 'Open it without readonly to write.',
  });
}

function stillRead(file: string): GroundsError {
  return new GroundsError('log/busy', 'Another process is reading the log, and keeps its write-ahead log.', {
    facts: { file },
    hint: 'Close the other readers, and try again.',
  });
}
