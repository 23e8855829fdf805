import { streamOf } from '../events/index.ts';
import type { SyncLog } from '../log/index.ts';
import { foldRequest, type RequestStanding } from '../projections/request-standing.ts';
import { type CallStanding, foldStanding } from '../projections/standing.ts';

/** What stands of a call now; null where the log holds no such call. Reads that call's own rows and nothing else. */
export function standingOf(log: SyncLog, call: string): CallStanding | null {
  let state: CallStanding | null = null;
  for (const page of log.readSync({ stream: streamOf.call(call) }))
    for (const row of page) state = foldStanding(state, row);
  return state;
}

/** What stands of a request now; null where the log holds none. */
export function requestOf(log: SyncLog, request: string): RequestStanding | null {
  let state: RequestStanding | null = null;
  for (const page of log.readSync({ stream: streamOf.request(request) }))
    for (const row of page) state = foldRequest(state, row);
  return state;
}
