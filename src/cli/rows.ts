import { streamOf } from '../events/streams.ts';
import type { Verdict } from '../events/verdict.ts';
import type { SyncLog } from '../log/index.ts';
import type { CallRow, GapRow } from '../projections/call-row.ts';
import { type CallState, foldCall } from '../projections/calls.ts';
import { gapsOf } from '../projections/gaps.ts';

export interface CallFound {
  readonly row: CallRow;
  readonly gaps: readonly GapRow[];
  /** A live verdict stopped it at least once; and it was started on good grounds after that. */
  readonly stopped: boolean;
  readonly resumed: boolean;
  /** Questions that were asked of its values; and whether it was ever started. */
  readonly asked: number;
  readonly started: boolean;
}

/**
 * One call's row and gaps, folded from its own stream: for commands that know which calls they want, and need no projection
 * of the whole log for them.
 */
export function callFound(log: SyncLog, call: string): CallFound {
  const stream = streamOf.call(call);
  let state: CallState | null = null;
  let verdict: Verdict | null = null;
  for (const page of log.readSync({ stream })) {
    for (const row of page) {
      state = foldCall(state, row);
      if (row.event.type === 'VerdictRecorded') verdict = (row.event.data as { verdict: Verdict }).verdict;
    }
  }
  if (state === null) throw new Error(`no events in ${stream}`);
  const { row, memory } = state;
  const { stopped, resumed, asked, started } = memory;
  return {
    row,
    gaps: verdict === null || memory.run?.gated === false ? [] : gapsOf(row, verdict).gaps,
    stopped,
    resumed,
    asked,
    started,
  };
}
