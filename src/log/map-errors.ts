import { GroundsError, isGroundsError } from '../errors.ts';

interface Meaning {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly exit?: 2 | 4;
}

const READ_ONLY: Meaning = {
  code: 'log/read-only',
  message: 'The log, or the folder it is in, can not be written.',
  hint: 'Open it with readonly, give write permission on file and folder, or work on a copy elsewhere.',
};
const FULL: Meaning = {
  code: 'log/full',
  message: 'There is no room left for the log; nothing of this commit was written.',
  hint: 'Free some space on the disk, or raise maxPages, and append again.',
};
const DAMAGED: Meaning = {
  code: 'log/damaged',
  message: 'The file of the log is damaged.',
  hint: 'Keep the file as it is, and compare with a copy or a checkpoint that was stored elsewhere.',
  exit: 4,
};

/** By the result code of SQLite, extended codes by their longest known prefix. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  SQLITE_FULL: FULL,
  ENOSPC: FULL,
  EDQUOT: FULL,
  SQLITE_READONLY: READ_ONLY,
  SQLITE_PERM: READ_ONLY,
  EACCES: READ_ONLY,
  EPERM: READ_ONLY,
  EROFS: READ_ONLY,
  SQLITE_CANTOPEN: {
    code: 'log/cannot-open',
    message: 'The file of the log could not be opened.',
    hint: 'Check that file and folder exist and may be read and written; a log being written needs both.',
  },
  SQLITE_NOTADB: {
    code: 'log/not-a-log',
    message: 'The file is not a database.',
    hint: 'Give the file of a log, or another name to make a new one.',
  },
  SQLITE_CORRUPT: DAMAGED,
  SQLITE_BUSY: {
    code: 'log/busy',
    message: 'Another process kept the log locked for too long; nothing was written.',
    hint: 'Try again, or find the process that holds the log open in a transaction.',
  },
  SQLITE_LOCKED: {
    code: 'log/busy',
    message: 'The log is locked; nothing was written.',
    hint: 'Try again when the other operation on it has ended.',
  },
  SQLITE_CONSTRAINT: {
    code: 'log/refused',
    message: 'The log refused a row: it takes events at its end only, and changes none.',
    hint: 'Write through append; a log is never edited.',
  },
  SQLITE_TOOBIG: {
    code: 'log/too-big',
    message: 'An event is larger than the log can store.',
    hint: 'Split it, or store what it carries elsewhere.',
  },
  SQLITE_IOERR: {
    code: 'log/io',
    message: 'Reading or writing the disk failed.',
    hint: 'Check the disk, then open the log again and verify it before going on.',
  },
};

/**
 * The one place where errors of SQLite and the file system become the project's own. What it does not know is given back
 * as it is: a mistake of ours must not look like one of the disk's.
 */
export function mapError(error: unknown, facts: Record<string, unknown> = {}): unknown {
  if (isGroundsError(error)) return error;
  const raw = codeOf(error);
  if (raw === undefined) return error;
  const meaning = meaningOf(raw);
  if (meaning === undefined) return error;
  return new GroundsError(meaning.code, meaning.message, {
    facts: { ...facts, cause: raw },
    hint: meaning.hint,
    ...(meaning.exit === undefined ? {} : { exit: meaning.exit }),
    cause: error,
  });
}

/** Runs `work`, mapping what it throws. */
export function mapped<T>(facts: Record<string, unknown>, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw mapError(error, facts);
  }
}

/** Whether an error is one of SQLite's (or the system's) of this kind, by its code's prefix. */
export function isCode(error: unknown, prefix: string): boolean {
  return codeOf(error)?.startsWith(prefix) === true;
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

function meaningOf(code: string): Meaning | undefined {
  for (let name = code; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('_')))) {
    const meaning = MEANINGS[name];
    if (meaning !== undefined) return meaning;
  }
  return undefined;
}
