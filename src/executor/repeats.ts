import { streamOf } from '../events/index.ts';
import type { SyncLog } from '../log/index.ts';
import { requestOf } from '../runs/standing.ts';
import { pastOf } from './call-past.ts';
import { inputsOf } from './read-facts.ts';
import { type Sends, sentTheSame } from './sends.ts';

/**
 * Whether another call of this request already sent just this, so that an executor would refuse it as `repeated` whatever is
 * confirmed of it: whoever sees that beforehand need not ask anybody. The executor's own look at its commit still decides.
 *
 * @throws GroundsError as `sentBy`; `executor/damaged` (exit 4)
 */
export function wouldRepeat(
  log: SyncLog,
  { request, call }: { readonly request: string; readonly call: string },
  sends: Sends,
): boolean {
  const tool = { stream: streamOf.tool(sends.tool.server, sends.tool.name) };
  const inputs = inputsOf(log);
  return log.atOnce(() =>
    (requestOf(log, request)?.calls ?? []).some(
      (each) => each !== call && sentTheSame(inputs, pastOf(log, streamOf.call(each)), { tool }, sends),
    ),
  );
}
