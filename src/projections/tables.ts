import { sql } from 'kysely';
import type { Param, SideTables } from '../log/index.ts';

/** One row a call. `position` is that of its first event, and so its place in the order of the log. */
export interface CallsTable {
  position: number;
  call_id: string;
  tool: string;
  verdict: string | null;
  executable: number;
  /** It ran, or may have. */
  ran: number;
  without_grounds: number;
  /** Starts that nobody knows the end of. */
  open_starts: number;
  /** A live verdict stopped it at least once; it was started on good grounds after that. */
  stopped: number;
  resumed: number;
  /** Questions that were asked for it; and whether it was ever started. */
  asked: number;
  started: number;
  /** UTC day of the newest run; null without one. */
  day: string | null;
  file: string | null;
  line: number | null;
  message: number | null;
  run_from: number | null;
  run_to: number | null;
  conversation: string | null;
  /** The kinds of its reductions as a JSON array, so that counting them reads no rows whole. */
  reductions: string;
  /** The `CallRow` as JSON. */
  row: string;
  /** The `CallMemory` as JSON. */
  memory: string;
}

export interface RunsTable {
  run_id: string;
  call: number;
}

export interface GapsTable {
  call: number;
  seq: number;
  day: string;
  tool: string;
  slot: string;
  kind: string;
  owner: string;
  reason: string;
  route: string | null;
  declared_by: string;
}

export interface UnmetTable {
  call: number;
  seq: number;
  day: string;
  tool: string;
  slot: string;
  reason: string;
  declared_by: string;
}

/** One row for each slot that an incident names; one with an empty slot where it names none. */
export interface IncidentsTable {
  call: number;
  /** Of its event. */
  position: number;
  seq: number;
  tool: string;
  slot: string;
  kind: string | null;
  owner: string;
  origin: string | null;
}

export interface BaselinesTable {
  action_key: string;
  observed: number;
  position: number;
  /** The `BaselineRun` as JSON. */
  run: string;
}

export interface CheckpointTable {
  name: string;
  /** The first position that is not folded yet. */
  position: number;
  fold: number;
}

export interface Tables {
  side_calls: CallsTable;
  side_runs: RunsTable;
  side_gaps: GapsTable;
  side_unmet: UnmetTable;
  side_incidents: IncidentsTable;
  side_baselines: BaselinesTable;
  side_calls_checkpoint: CheckpointTable;
}

/** Raise it when a fold changes what it makes of the same events: tables of another number are folded anew. */
export const FOLD = 6;

export const DDL: readonly string[] = [
  `CREATE TABLE side_calls (
  position INTEGER PRIMARY KEY,
  call_id TEXT NOT NULL UNIQUE,
  tool TEXT NOT NULL,
  verdict TEXT,
  executable INTEGER NOT NULL,
  ran INTEGER NOT NULL,
  without_grounds INTEGER NOT NULL,
  open_starts INTEGER NOT NULL,
  stopped INTEGER NOT NULL,
  resumed INTEGER NOT NULL,
  asked INTEGER NOT NULL,
  started INTEGER NOT NULL,
  day TEXT,
  file TEXT,
  line INTEGER,
  message INTEGER,
  run_from INTEGER,
  run_to INTEGER,
  conversation TEXT,
  reductions TEXT NOT NULL,
  row TEXT NOT NULL,
  memory TEXT NOT NULL
) STRICT`,
  'CREATE INDEX side_calls_tool ON side_calls (tool)',
  'CREATE INDEX side_calls_verdict ON side_calls (verdict)',
  'CREATE INDEX side_calls_without ON side_calls (without_grounds)',
  'CREATE INDEX side_calls_open ON side_calls (position) WHERE open_starts > 0',
  'CREATE INDEX side_calls_file ON side_calls (file)',
  'CREATE INDEX side_calls_origin ON side_calls (line, message, file)',
  'CREATE TABLE side_runs (run_id TEXT PRIMARY KEY, call INTEGER NOT NULL) STRICT, WITHOUT ROWID',
  `CREATE TABLE side_gaps (
  call INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  day TEXT NOT NULL,
  tool TEXT NOT NULL,
  slot TEXT NOT NULL,
  kind TEXT NOT NULL,
  owner TEXT NOT NULL,
  reason TEXT NOT NULL,
  route TEXT,
  declared_by TEXT NOT NULL,
  PRIMARY KEY (call, seq)
) STRICT, WITHOUT ROWID`,
  `CREATE TABLE side_unmet (
  call INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  day TEXT NOT NULL,
  tool TEXT NOT NULL,
  slot TEXT NOT NULL,
  reason TEXT NOT NULL,
  declared_by TEXT NOT NULL,
  PRIMARY KEY (call, seq)
) STRICT, WITHOUT ROWID`,
  `CREATE TABLE side_incidents (
  call INTEGER NOT NULL,
  position INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  tool TEXT NOT NULL,
  slot TEXT NOT NULL,
  kind TEXT,
  owner TEXT NOT NULL,
  origin TEXT,
  PRIMARY KEY (position, seq)
) STRICT, WITHOUT ROWID`,
  `CREATE TABLE side_baselines (
  action_key TEXT NOT NULL,
  observed INTEGER NOT NULL,
  position INTEGER NOT NULL,
  run TEXT NOT NULL,
  PRIMARY KEY (action_key, observed)
) STRICT, WITHOUT ROWID`,
  'CREATE TABLE side_calls_checkpoint (name TEXT PRIMARY KEY, position INTEGER NOT NULL, fold INTEGER NOT NULL) STRICT',
];

export type Side = SideTables<Tables>;
const STORED = ['position', 'run_from', 'run_to', 'conversation', 'row', 'memory'] as const;
export type Stored = Pick<CallsTable, (typeof STORED)[number]>;

/** Everything that catching up and single look-ups run, compiled and prepared once. */
export function statementsFor(side: Side) {
  return {
    stored: side.prepare((q, param: Param<{ call_id: string }>) =>
      q.selectFrom('side_calls').select(STORED).where('call_id', '=', param('call_id')),
    ),
    row: side.prepare((q, param: Param<{ call_id: string }>) =>
      q.selectFrom('side_calls').select('row').where('call_id', '=', param('call_id')),
    ),
    place: side.prepare((q, param: Param<{ call_id: string }>) =>
      q
        .selectFrom('side_calls')
        .select(['position', 'run_from', 'run_to', 'conversation'])
        .where('call_id', '=', param('call_id')),
    ),
    putCall: side.prepare((q, param: Param<Bound<CallsTable>>) =>
      q.replaceInto('side_calls').values({
        position: param('position'),
        call_id: param('call_id'),
        tool: param('tool'),
        verdict: param('verdict'),
        executable: param('executable'),
        ran: param('ran'),
        without_grounds: param('without_grounds'),
        open_starts: param('open_starts'),
        stopped: param('stopped'),
        resumed: param('resumed'),
        asked: param('asked'),
        started: param('started'),
        day: param('day'),
        file: param('file'),
        line: param('line'),
        message: param('message'),
        run_from: param('run_from'),
        run_to: param('run_to'),
        conversation: param('conversation'),
        reductions: param('reductions'),
        row: param('row'),
        memory: param('memory'),
      }),
    ),
    putRun: side.prepare((q, param: Param<Bound<RunsTable>>) =>
      q.replaceInto('side_runs').values({ run_id: param('run_id'), call: param('call') }),
    ),
    callOfRun: side.prepare((q, param: Param<{ run_id: string }>) =>
      q
        .selectFrom('side_runs')
        .innerJoin('side_calls', 'side_calls.position', 'side_runs.call')
        .select('side_calls.call_id')
        .where('side_runs.run_id', '=', param('run_id')),
    ),
    dropGaps: side.prepare((q, param: Param<{ call: number }>) =>
      q.deleteFrom('side_gaps').where('call', '=', param('call')),
    ),
    dropUnmet: side.prepare((q, param: Param<{ call: number }>) =>
      q.deleteFrom('side_unmet').where('call', '=', param('call')),
    ),
    putGap: side.prepare((q, param: Param<Bound<GapsTable>>) =>
      q.insertInto('side_gaps').values({
        call: param('call'),
        seq: param('seq'),
        day: param('day'),
        tool: param('tool'),
        slot: param('slot'),
        kind: param('kind'),
        owner: param('owner'),
        reason: param('reason'),
        route: param('route'),
        declared_by: param('declared_by'),
      }),
    ),
    putUnmet: side.prepare((q, param: Param<Bound<UnmetTable>>) =>
      q.insertInto('side_unmet').values({
        call: param('call'),
        seq: param('seq'),
        day: param('day'),
        tool: param('tool'),
        slot: param('slot'),
        reason: param('reason'),
        declared_by: param('declared_by'),
      }),
    ),
    putIncident: side.prepare((q, param: Param<Bound<IncidentsTable>>) =>
      q.insertInto('side_incidents').values({
        call: param('call'),
        position: param('position'),
        seq: param('seq'),
        tool: param('tool'),
        slot: param('slot'),
        kind: param('kind'),
        owner: param('owner'),
        origin: param('origin'),
      }),
    ),
    putBaseline: side.prepare((q, param: Param<Bound<BaselinesTable>>) =>
      q
        .insertInto('side_baselines')
        .values({
          action_key: param('action_key'),
          observed: param('observed'),
          position: param('position'),
          run: param('run'),
        })
        .onConflict((on) =>
          on
            .columns(['action_key', 'observed'])
            .doUpdateSet((eb) => ({ position: eb.ref('excluded.position'), run: eb.ref('excluded.run') }))
            .where('excluded.position', '>=', sql<number>`side_baselines.position`),
        ),
    ),
    baseline: side.prepare((q, param: Param<{ action_key: string; observed: number }>) =>
      q
        .selectFrom('side_baselines')
        .select('run')
        .where('action_key', '=', param('action_key'))
        .where('observed', '<=', param('observed'))
        .orderBy('position', 'desc')
        .limit(1),
    ),
    checkpoint: side.prepare((q) => q.selectFrom('side_calls_checkpoint').select(['position', 'fold'])),
    putCheckpoint: side.prepare((q, param: Param<{ position: number; fold: number }>) =>
      q
        .replaceInto('side_calls_checkpoint')
        .values({ name: 'calls', position: param('position'), fold: param('fold') }),
    ),
    clear: [
      side.prepare((q) => q.deleteFrom('side_calls')),
      side.prepare((q) => q.deleteFrom('side_runs')),
      side.prepare((q) => q.deleteFrom('side_gaps')),
      side.prepare((q) => q.deleteFrom('side_unmet')),
      side.prepare((q) => q.deleteFrom('side_incidents')),
      side.prepare((q) => q.deleteFrom('side_baselines')),
      side.prepare((q) => q.deleteFrom('side_calls_checkpoint')),
    ],
  };
}

export type TableStatements = ReturnType<typeof statementsFor>;

/** A table's columns as parameters: an alias, since an interface has no index signature. */
export type Bound<T> = { [K in keyof T]: T[K] };
