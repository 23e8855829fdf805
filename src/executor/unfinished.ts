import type { Uuid } from '../events/identity.ts';
import type { SyncLog } from '../log/index.ts';
import type { CallRow } from '../projections/call-row.ts';
import { projectionsOf } from '../projections/index.ts';
import { isUnfinished } from '../projections/standing.ts';
import { standingOf } from '../runs/standing.ts';

/** A start that nobody knows the end of. */
export interface UnfinishedStart {
  readonly start: Uuid;
  readonly call: Uuid;
  readonly run: Uuid;
  readonly conversation: Uuid;
  readonly tool: string;
  readonly arguments: CallRow['arguments'];
  /** When it was started, UTC. */
  readonly at: string;
  readonly position: number;
  readonly idempotency_key: string | null;
  /** `open`: its executor is still at it, or is gone. `unknown`: it said itself that it doesn't know. */
  readonly outcome: 'open' | 'unknown';
}

/**
 * Starts without an end, in the order of their calls. It reads the calls that have one and no others, a page at a time;
 * after a crash this is the list of what has to be measured or asked for.
 */
export function* unfinishedStarts(log: SyncLog): Generator<UnfinishedStart, void, undefined> {
  const projections = projectionsOf(log);
  projections.catchUp();
  for (const row of projections.calls({ unfinished: true })) yield* unfinishedOf(log, row);
}

function* unfinishedOf(log: SyncLog, row: CallRow): Generator<UnfinishedStart, void, undefined> {
  const standing = standingOf(log, row.call_id);
  const conversation = standing?.run?.started.conversation;
  if (standing === null || conversation === undefined) return;
  for (const { id, at, position, data, outcome } of standing.starts.filter(isUnfinished)) {
    yield {
      start: id,
      call: row.call_id,
      run: data.run,
      conversation,
      tool: row.tool,
      arguments: row.arguments,
      at,
      position,
      idempotency_key: data.idempotency_key,
      outcome,
    };
  }
}
