import { streamOf } from '../events/index.ts';
import type { SqliteLog, SyncLog } from '../log/index.ts';
import type { BaselineOptions, BaselineRun } from './baselines.ts';
import { type CallsQuery, callsOn } from './call-list.ts';
import type { CallPlace, CallRow, GapRow } from './call-row.ts';
import { checkpointOf, clear, foldBatch, type Progress, placeOf } from './catch-up.ts';
import { type Found, findOn } from './find.ts';
import { type GapSummary, type GapsQuery, gapsOn } from './gap-list.ts';
import { memoryTables } from './memory-tables.ts';
import { type CallsSummary, summaryOn } from './summary.ts';
import { DDL, type Side, statementsFor, type Tables } from './tables.ts';

export interface CatchUpOptions {
  /** Told after each batch. */
  readonly progress?: (progress: Progress) => void;
  /** Positions a transaction, default 4,096: it bounds how long others wait for the lock. */
  readonly batch?: number;
}

/**
 * What the log's calls have come to. Everything but `catchUp` and `rebuild` answers from what is folded so far; each command
 * catches up first.
 */
export interface Projections {
  /** How many positions are folded, of how many. */
  behind(): Progress;
  /**
   * Folds what the log has grown by. Where it has not grown that is one look at its size and one at the checkpoint. A log
   * that can't be written is folded in memory, unless its own tables are up to date.
   *
   * @throws GroundsError of the log's (`log/busy`, `log/full`), or of an event that this version can't read
   */
  catchUp(options?: CatchUpOptions): Progress;
  /** Throws all of it away and folds the log anew. Interrupted, it leaves a checkpoint to go on from. */
  rebuild(options?: CatchUpOptions): Progress;
  call(id: string): CallRow | null;
  /** Where the call stands in the log, to read on from. */
  place(id: string): CallPlace | null;
  /** In the order of the log. */
  calls(query?: CallsQuery): Iterable<CallRow>;
  /** The call that a person means by what they typed. */
  find(ref: string): Found;
  /** In the order of the log; of each call's newest run. */
  gaps(query?: GapsQuery): Iterable<GapRow>;
  gapSummary(query?: GapsQuery): GapSummary;
  summary(): CallsSummary;
  /** The run that is the baseline of an action key (R17); its values: `baselineOf`. */
  baseline(action_key: string, options?: BaselineOptions): BaselineRun | null;
}

const BATCH = 4096;

/** The projections of a log: kept in its own file where it can be written, else in memory. */
export function projectionsOf(log: SqliteLog | SyncLog): Projections {
  const own = 'sideTables' in log ? log.sideTables<Tables>(DDL) : null;
  const readonly = 'readonly' in log && log.readonly;
  const kept = own === null || (readonly && own.fresh) ? null : viewOn(log, own);
  const writable = kept !== null && !readonly;
  let view = kept;

  /** The log's own tables as long as they are up to date or can be brought so; else tables in memory, from then on. */
  const current = (): View => {
    if (view === kept && (kept === null || (!writable && !kept.isCurrent()))) {
      view = viewOn(log, memoryTables());
    }
    return view as View;
  };

  return {
    behind: () => current().behind(),
    catchUp: (options) => current().catchUp(options),
    rebuild(options) {
      if (!writable && view === kept) view = viewOn(log, memoryTables());
      return current().rebuild(options);
    },
    call: (id) => current().call(id),
    place: (id) => current().place(id),
    calls: (query) => current().calls(query),
    find: (ref) => current().find(ref),
    gaps: (query) => current().gaps(query),
    gapSummary: (query) => current().gapSummary(query),
    summary: () => current().summary(),
    baseline: (key, options) => current().baseline(key, options),
  };
}

interface View extends Projections {
  isCurrent(): boolean;
}

function viewOn(log: SyncLog, side: Side): View {
  const tables = statementsFor(side);
  const calls = callsOn(side);
  const find = findOn(side);
  const gaps = gapsOn(side);
  const summary = summaryOn(side);

  const behind = (): Progress => {
    const size = log.sizeSync();
    return { done: checkpointOf(tables, size), of: size };
  };
  const catchUp = (options: CatchUpOptions = {}): Progress => {
    let at = behind();
    while (at.done < at.of) {
      at = foldBatch(log, side, tables, options.batch ?? BATCH);
      options.progress?.(at);
    }
    return at;
  };

  return {
    behind,
    isCurrent: () => {
      const { done, of } = behind();
      return done === of;
    },
    catchUp,
    rebuild(options) {
      side.inTransaction(() => clear(tables));
      return catchUp(options);
    },
    call(id) {
      const stored = tables.row.get({ call_id: id });
      return stored === undefined ? null : (JSON.parse(stored.row) as CallRow);
    },
    place(id) {
      const stored = tables.place.get({ call_id: id });
      return stored === undefined ? null : placeOf(stored, streamOf.call(id));
    },
    calls,
    find,
    gaps: gaps.list,
    gapSummary: gaps.summary,
    summary,
    baseline(key, options = {}) {
      const stored = tables.baseline.get({ action_key: key, observed: options.observed === true ? 1 : 0 });
      return stored === undefined ? null : (JSON.parse(stored.run) as BaselineRun);
    },
  };
}
