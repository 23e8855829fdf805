import BetterSqlite3 from 'better-sqlite3';
import type { LogTables } from '../log/index.ts';
import { statementsOn } from '../log/statements.ts';
import { DDL, type Side, type Tables } from './tables.ts';

/** The same tables beside the log, for one that can't be written or has no file: they are folded anew in each process. */
export function memoryTables(): Side {
  const db = new BetterSqlite3(':memory:');
  for (const sql of DDL) db.exec(sql);
  const statements = statementsOn<Tables & LogTables>(db);
  return {
    fresh: true,
    inTransaction: (work) => db.transaction(work)(),
    prepare: (build) => statements.prepare(build),
  };
}
