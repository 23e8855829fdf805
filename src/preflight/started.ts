import type { Entry } from '../events/entry.ts';
import { parseStream } from '../events/index.ts';
import type { SyncLog } from '../log/index.ts';
import type { RequestStanding } from '../projections/request-standing.ts';
import { standingOf } from '../runs/standing.ts';

/** Calls of this request that were started and of which nobody knows the end: they may have done anything. RULES R9. */
export function startedElsewhere(log: SyncLog, request: RequestStanding): { event: string; entry: Entry }[] {
  return request.calls.flatMap((call) => {
    const standing = standingOf(log, call);
    const run = standing?.run;
    if (run == null) return [];
    return (standing?.starts ?? [])
      .filter(({ outcome }) => outcome === 'open' || outcome === 'unknown')
      .map(({ id }) => {
        const name = parseStream(run.started.tool.stream);
        const tool = name.kind === 'tool' ? name.name : run.started.tool.stream;
        const args = run.started.proposal?.prepared ?? { plain: null };
        return { event: id, entry: { kind: 'started' as const, tool, arguments: args } };
      });
  });
}
