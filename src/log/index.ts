export { checkRow, orderChecker, type RowProblem, type RowProblemCode, rowChecker } from './check-row.ts';
export type { StreamConflict } from './conflict.ts';
export { encodeEnvelope } from './encode-commit.ts';
export { leafHash, leafOfText } from './leaf.ts';
export { mapError } from './map-errors.ts';
export { openMemoryLog } from './memory.ts';
export type { OpenOptions } from './open-file.ts';
export type { Appended, Commit, Expected, Log, NewEvent, Query, Recorded } from './port.ts';
export type { Row, StoredRow } from './row.ts';
export type { LogTables } from './schema.ts';
export type { SideTables } from './side-tables.ts';
export { openSqliteLog, openSqliteLogSync, type SqliteLog } from './sqlite.ts';
export {
  type Bindable,
  keptBy,
  type Param,
  type Params,
  type Prepared,
  type Statements,
} from './statements.ts';
export type { SyncLog } from './sync-log.ts';
