import { CALL_EVENTS } from '../events/call.ts';
import { type DataOf, streamOf } from '../events/index.ts';
import { unescapeSegment } from '../events/pointer.ts';
import type { StoredRow, SyncLog } from '../log/index.ts';
import type { CallPlace, CallRow, GapRow } from './call-row.ts';
import { type CallMemory, type CallState, foldCall } from './calls.ts';
import { type GapsOfCall, gapsOf } from './gaps.ts';
import { incidentRows } from './incidents.ts';
import { FOLD, type Side, type Stored, type TableStatements } from './tables.ts';

/** All that may stand in a call's stream but the lookups, which are most of the bytes and say nothing of the row. */
const TYPES = Object.keys(CALL_EVENTS).filter((type) => type !== 'LookupPerformed');

export interface Progress {
  /** Positions folded so far, and the log's size as this step met it. */
  readonly done: number;
  readonly of: number;
}

/** Where the tables stand; 0 where they are of another fold, or ahead of a log that was put back. */
export function checkpointOf(tables: TableStatements, size: number): number {
  const mark = tables.checkpoint.get({});
  return mark === undefined || mark.fold !== FOLD || mark.position > size ? 0 : mark.position;
}

interface Touched {
  state: CallState;
  /** The call had a row before this batch. */
  readonly stored: boolean;
  /** null: untouched. */
  blanks: GapsOfCall | null;
}

/**
 * Folds at most `batch` positions on from the checkpoint, rows and checkpoint in one transaction. The checkpoint is read
 * again under the lock, so that two processes that catch up at once fold nothing twice.
 */
export function foldBatch(log: SyncLog, side: Side, tables: TableStatements, batch: number): Progress {
  return side.inTransaction(() => {
    const size = log.sizeSync();
    const from = checkpointOf(tables, size);
    if (from === 0) clear(tables);
    const to = Math.min(from + batch, size);
    const touched = new Map<string, Touched>();
    /** Of runs whose calls have no row yet. */
    const runs = new Map<string, string>();
    for (const page of log.readSync({ from, to, types: TYPES })) {
      for (const row of page) {
        const stream = callStreamOf(row, tables, runs);
        if (stream === null) continue;
        const before = touched.get(stream) ?? load(tables, stream);
        const state = foldCall(before?.state ?? null, row);
        const one: Touched = before ?? { state, stored: false, blanks: null };
        one.state = state;
        touched.set(stream, one);
        if (row.type === 'RunStarted') {
          const { run } = row.event.data as DataOf<'RunStarted'>;
          tables.putRun.run({ run_id: run, call: state.place.position });
          runs.set(run, stream);
          one.blanks = NO_BLANKS;
        }
        // A run outside the gate leaves no gaps: nobody has anything to fill there. RULES R20.
        if (row.type === 'VerdictRecorded' && state.memory.run?.gated === true) {
          one.blanks = gapsOf(state.row, (row.event.data as DataOf<'VerdictRecorded'>).verdict);
        }
        if (row.type === 'IncidentReported') {
          const call = state.place.position;
          incidentRows(log, state, row).forEach((incident, seq) => {
            tables.putIncident.run({ call, position: row.position, seq, tool: state.row.tool, ...incident });
          });
        }
        if (state.memory.succeeded !== null) {
          const { run, observed } = state.memory.succeeded;
          const { action_key, position } = run;
          tables.putBaseline.run({
            action_key,
            observed: observed ? 1 : 0,
            position,
            run: JSON.stringify(run),
          });
        }
      }
    }
    for (const one of touched.values()) store(tables, one);
    tables.putCheckpoint.run({ position: to, fold: FOLD });
    return { done: to, of: size };
  });
}

/** The call that a row tells of. A question about what was meant stands in its request, and counts for the call that asked. */
function callStreamOf(
  { stream, type, event }: StoredRow,
  tables: TableStatements,
  runs: ReadonlyMap<string, string>,
): string | null {
  if (stream.startsWith('call/')) return event.stream;
  if (type !== 'QuestionAsked') return null;
  const { run } = event.data as DataOf<'QuestionAsked'>;
  if (run === null) return null;
  const call = tables.callOfRun.get({ run_id: run })?.call_id;
  return runs.get(run) ?? (call === undefined ? null : streamOf.call(call));
}

const NO_BLANKS: GapsOfCall = { gaps: [], unmet: [] };

/** Empties the tables, in the caller's transaction. */
export function clear(tables: TableStatements): void {
  for (const statement of tables.clear) statement.run({});
}

function load(tables: TableStatements, stream: string): Touched | undefined {
  const stored = tables.stored.get({ call_id: idOf(stream) });
  return stored === undefined ? undefined : { state: stateOf(stored, stream), stored: true, blanks: null };
}

function stateOf(stored: Stored, stream: string): CallState {
  return {
    row: JSON.parse(stored.row) as CallRow,
    place: placeOf(stored, stream),
    memory: JSON.parse(stored.memory) as CallMemory,
  };
}

export function placeOf(
  stored: Pick<Stored, 'position' | 'run_from' | 'run_to' | 'conversation'>,
  stream: string,
): CallPlace {
  const { position, run_from, run_to, conversation } = stored;
  const run = run_from === null || run_to === null ? null : { from: run_from, to: run_to };
  return { stream, position, run, conversation };
}

function store(tables: TableStatements, { state, stored, blanks }: Touched): void {
  const { row, place, memory } = state;
  const call = place.position;
  const day = memory.run === null ? null : memory.run.at.slice(0, 10);
  tables.putCall.run({
    position: call,
    call_id: row.call_id,
    tool: row.tool,
    verdict: row.verdict,
    executable: memory.run?.gated === true && memory.run.executable ? 1 : 0,
    ran: row.outcome === 'not_executed' ? 0 : 1,
    without_grounds: row.ran_without_grounds ? 1 : 0,
    open_starts: memory.open.length,
    stopped: memory.stopped ? 1 : 0,
    resumed: memory.resumed ? 1 : 0,
    asked: memory.asked,
    started: memory.started ? 1 : 0,
    day,
    file: row.origin?.file ?? null,
    line: row.origin?.line ?? null,
    message: row.origin?.message ?? null,
    run_from: place.run?.from ?? null,
    run_to: place.run?.to ?? null,
    conversation: place.conversation,
    reductions: JSON.stringify(row.reductions.map(({ kind }) => kind)),
    row: JSON.stringify(row),
    memory: JSON.stringify(memory),
  });
  if (blanks === null || day === null) return;
  if (stored) {
    tables.dropGaps.run({ call });
    tables.dropUnmet.run({ call });
  }
  blanks.gaps.forEach((gap: GapRow, seq) => {
    const { tool, slot, kind, owner, reason, route, declared_by } = gap;
    tables.putGap.run({ call, seq, day, tool, slot, kind, owner, reason, route, declared_by });
  });
  blanks.unmet.forEach(({ tool, slot, reason, declared_by }, seq) => {
    tables.putUnmet.run({ call, seq, day, tool, slot, reason, declared_by });
  });
}

/** A call's stream and its id, without the cost of reading the name in full. */
function idOf(stream: string): string {
  return unescapeSegment(stream.slice('call/'.length));
}
