import type { EncodedCommit } from './encode-commit.ts';
import { isCode, mapError } from './map-errors.ts';
import type { Appended } from './port.ts';
import type { Writer } from './writer.ts';

/** Commits in one transaction at most: it bounds how long other processes wait. */
const GROUP = 1024;

const SHARED = ['SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_NOMEM', 'SQLITE_CORRUPT', 'SQLITE_READONLY'];

interface Waiting {
  readonly commit: EncodedCommit;
  resolve(appended: Appended): void;
  reject(error: unknown): void;
}

type Outcome = { readonly appended: Appended } | { readonly error: unknown };

export interface GroupCommit {
  append(commit: EncodedCommit): Promise<Appended>;
  /** Writes what is waiting, now. */
  flush(): void;
}

/**
 * Callers of one tick share one durable transaction, so that one wait for the disk serves all. Each is isolated: one that
 * loses writes nothing and rejects alone. Nobody is told of success before COMMIT has returned.
 */
export function groupCommitOn(writer: Writer, facts: Record<string, unknown>): GroupCommit {
  let waiting: Waiting[] = [];
  let scheduled = false;

  const flush = (): void => {
    scheduled = false;
    while (waiting.length > 0) {
      const group = waiting.slice(0, GROUP);
      waiting = waiting.slice(GROUP);
      settle(group, writeGroup(writer, group), facts);
    }
  };

  return {
    append: (commit) =>
      new Promise((resolve, reject) => {
        waiting.push({ commit, resolve, reject });
        if (!scheduled) {
          scheduled = true;
          setImmediate(flush);
        }
      }),
    flush,
  };
}

function writeGroup(writer: Writer, group: readonly Waiting[]): Outcome[] {
  try {
    return writer.transaction(() => {
      let next = writer.size();
      const [only] = group;
      // One alone has nobody to be isolated from: where it loses, the transaction has written nothing.
      if (only !== undefined && group.length === 1) return [{ appended: writer.write(only.commit, next) }];
      return group.map(({ commit }) => {
        try {
          const appended = writer.isolated(() => writer.write(commit, next));
          next = appended.next;
          return { appended };
        } catch (error) {
          if (isLost(error)) return { error };
          throw error;
        }
      });
    });
  } catch (error) {
    // No room for all may still be room for some: each is tried alone, in order.
    if (group.length > 1 && isCode(error, 'SQLITE_FULL')) {
      return group.flatMap((one) => writeGroup(writer, [one]));
    }
    return group.map(() => ({ error }));
  }
}

/** A caller's own fault leaves the transaction of the others as it was; one of the disk's or the file's does not. */
function isLost(error: unknown): boolean {
  return !SHARED.some((code) => isCode(error, code));
}

function settle(
  group: readonly Waiting[],
  outcomes: readonly Outcome[],
  facts: Record<string, unknown>,
): void {
  group.forEach((one, i) => {
    const outcome = outcomes[i] as Outcome;
    if ('appended' in outcome) one.resolve(outcome.appended);
    else one.reject(mapError(outcome.error, facts));
  });
}
