import { GroundsError } from '../errors.ts';
import type { Uuid } from '../events/identity.ts';
import { type DataOf, parseStream } from '../events/index.ts';
import type { SyncLog } from '../log/index.ts';
import { projectionsOf } from '../projections/index.ts';
import { startedRun } from '../runs/started-run.ts';

/** How far back a run is looked for without an index: what is executed was judged just now. */
const RECENT = 4096;

/**
 * The call that a run belongs to.
 *
 * @throws GroundsError `executor/no-such-run`
 */
export function callOfRun(log: SyncLog, run: Uuid): Uuid {
  const from = Math.max(0, log.sizeSync() - RECENT);
  for (const page of log.readSync({ types: ['RunStarted'], from, direction: 'backward', page: 64 })) {
    for (const { event } of page) {
      if ((event.data as DataOf<'RunStarted'>).run === run) return callIn(event.stream);
    }
  }
  const projections = projectionsOf(log);
  projections.catchUp();
  const found = projections.find(run);
  // A call whose id begins like the run's would be found too.
  if (found.kind === 'call' && startedRun(log, found.call_id, run) !== null) return found.call_id;
  throw noSuchRun({ run });
}

export function noSuchRun(facts: { readonly run?: string; readonly call?: string }): GroundsError {
  const what = facts.run === undefined ? `judged call ${facts.call}` : `run ${facts.run}`;
  return new GroundsError('executor/no-such-run', `The log holds no ${what}.`, {
    facts,
    hint: 'An executor reads its verdict from the log: judge the call first, in this very log.',
  });
}

function callIn(stream: string): Uuid {
  const name = parseStream(stream);
  return name.kind === 'call' ? name.id : stream;
}
