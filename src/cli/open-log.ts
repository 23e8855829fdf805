import { GroundsError, isGroundsError } from '../errors.ts';
import type { SqliteLog } from '../log/sqlite.ts';
import { openSqliteLogSync } from '../log/sqlite.ts';
import { type Projections, projectionsOf } from '../projections/store.ts';
import type { Io } from './io.ts';
import { progressOn } from './progress.ts';

/**
 * Opens a log for a command that reads it. It is opened to write where it can be, so that projections are kept beside the
 * events; a log that may only be read is folded in memory.
 */
export async function reading<T>(file: string, work: (log: SqliteLog) => T | Promise<T>): Promise<T> {
  const log = openToRead(file);
  try {
    return await work(log);
  } finally {
    await log.close();
  }
}

function openToRead(file: string): SqliteLog {
  try {
    return openSqliteLogSync({ file });
  } catch (error) {
    if (!isGroundsError(error)) throw error;
    if (error.code === 'log/missing') throw noLog(error);
    if (error.code !== 'log/read-only') throw error;
    return openSqliteLogSync({ file, readonly: true });
  }
}

/** On a command line a log is made by recording something. */
function noLog({ code, message, facts }: GroundsError): GroundsError {
  return new GroundsError(code, message, {
    facts,
    hint: 'Check the path; grounds audit and grounds check make a log where there is none, and so does grounds records import.',
  });
}

/** The projections of a log, brought up to date. */
export function caughtUp(io: Io, log: SqliteLog): Projections {
  const projections = projectionsOf(log);
  const progress = progressOn(io);
  projections.catchUp({
    progress: ({ done, of }) => progress.tell(`reading ${done} of ${of} events`),
  });
  progress.clear();
  return projections;
}
