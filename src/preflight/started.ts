import type { Entry } from '../events/entry.ts';
import { streamOf } from '../events/index.ts';
import type { SyncLog } from '../log/index.ts';
import type { RequestStanding } from '../projections/request-standing.ts';
import { startedOf } from '../projections/standing.ts';
import { standingOf } from '../runs/standing.ts';

export interface StartedElsewhere {
  readonly entries: readonly { readonly event: string; readonly entry: Entry }[];
  /** The other calls' streams, as they were read: a start that comes meanwhile is a conflict. */
  readonly looked: readonly { readonly stream: string; readonly version: number }[];
}

/** Calls of this request that were started and of which nobody knows the end: they may have done anything. RULES R9. */
export function startedElsewhere(log: SyncLog, request: RequestStanding, own: string): StartedElsewhere {
  const entries: StartedElsewhere['entries'][number][] = [];
  const looked: StartedElsewhere['looked'][number][] = [];
  for (const call of request.calls) {
    const standing = standingOf(log, call);
    if (standing !== null) entries.push(...startedOf(standing));
    if (call !== own) looked.push({ stream: streamOf.call(call), version: standing?.version ?? 0 });
  }
  return { entries, looked };
}
