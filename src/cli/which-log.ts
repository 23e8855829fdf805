import { usage } from './report-error.ts';

export const DEFAULT_LOG = 'grounds.db';

/** The log of a command: `--db`, or its last argument. Both only where they say the same. */
export function whichLog(last: string | undefined, db: string | undefined): string {
  if (last !== undefined && db !== undefined && last !== db) {
    throw usage(
      `Two logs are named: ${last} and --db ${db}.`,
      'Name the log once, as the last argument or with --db.',
    );
  }
  return last ?? db ?? DEFAULT_LOG;
}

/** Of a list of files the last one is the log where its name says so: a transcript is never called `.db`. */
export function splitLog(
  files: readonly string[],
  db: string | undefined,
): { readonly files: readonly string[]; readonly log: string } {
  const last = files.at(-1);
  if (last !== undefined && isLog(last)) {
    return { files: files.slice(0, -1), log: whichLog(last, db) };
  }
  return { files, log: whichLog(undefined, db) };
}

export function isLog(name: string): boolean {
  return /\.(db|sqlite3?)$/.test(name);
}
