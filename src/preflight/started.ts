import type { Entry } from '../events/entry.ts';
import type { SyncLog } from '../log/index.ts';
import type { RequestStanding } from '../projections/request-standing.ts';
import { startedOf } from '../projections/standing.ts';
import { standingOf } from '../runs/standing.ts';

/** Calls of this request that were started and of which nobody knows the end: they may have done anything. RULES R9. */
export function startedElsewhere(log: SyncLog, request: RequestStanding): { event: string; entry: Entry }[] {
  return request.calls.flatMap((call) => {
    const standing = standingOf(log, call);
    return standing === null ? [] : startedOf(standing);
  });
}
