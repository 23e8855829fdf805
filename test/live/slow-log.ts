import type { SyncLog } from '../../src/log/index.ts';

/**
 * The log as many use it at once: an append comes some turns late, so that others get in between what was read and what is
 * written; and `touched` may do something before each read, as another process would.
 */
export function slowLog(log: SyncLog, turns: readonly number[], touched: () => void): SyncLog {
  let next = 0;
  return {
    ...log,
    versionSync(stream) {
      touched();
      return log.versionSync(stream);
    },
    *readSync(query) {
      touched();
      yield* log.readSync(query);
    },
    async append(commit) {
      for (let left = turns[next++ % turns.length] ?? 0; left > 0; left--) await Promise.resolve();
      return log.append(commit);
    },
  };
}
