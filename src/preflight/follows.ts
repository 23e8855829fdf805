import type { SyncLog } from '../log/index.ts';
import type { RequestStanding } from '../projections/request-standing.ts';
import { standingOf } from '../runs/standing.ts';

/**
 * The run that a new call of this request goes round: the newest one of another call that was not executed, or failed. null: there
 * is none. RULES R16.
 */
export function followed(log: SyncLog, request: RequestStanding): string | null {
  for (const call of request.calls.toReversed()) {
    const standing = standingOf(log, call);
    const last = standing?.starts.at(-1);
    if (standing?.run == null) continue;
    if (last === undefined || last.outcome === 'failed') return standing.run.id;
  }
  return null;
}
