import { streamOf } from '../events/index.ts';
import type { StoredRow, SyncLog } from '../log/index.ts';
import { foldRequest, type RequestStanding } from '../projections/request-standing.ts';
import { type CallStanding, foldStanding } from '../projections/standing.ts';

/**
 * What stands of a call; null where the log holds no such call. Reads that call's own rows and nothing else.
 *
 * @param to as it stood before this position; left out: now
 */
export function standingOf(log: SyncLog, call: string, to?: number): CallStanding | null {
  let state: CallStanding | null = null;
  for (const page of log.readSync({ stream: streamOf.call(call), ...(to === undefined ? {} : { to }) }))
    for (const row of page) state = foldStanding(state, row);
  return state;
}

/**
 * What stands of a request, likewise; null where the log holds none.
 *
 * @param seen is told of each row that is read, to check it
 */
export function requestOf(
  log: SyncLog,
  request: string,
  to?: number,
  seen: (row: StoredRow) => void = () => {},
): RequestStanding | null {
  let state: RequestStanding | null = null;
  for (const page of log.readSync({
    stream: streamOf.request(request),
    ...(to === undefined ? {} : { to }),
  })) {
    for (const row of page) {
      seen(row);
      state = foldRequest(state, row);
    }
  }
  return state;
}
