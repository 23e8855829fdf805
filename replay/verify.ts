import { createHash } from 'node:crypto';
import type { Checklist } from '../src/declarations/checklist.ts';
import { isGroundsError } from '../src/errors.ts';
import { digestOf } from '../src/events/digest.ts';
import { type AnyEvent, parseEvent, streamOf } from '../src/events/index.ts';
import { isObject } from '../src/events/json.ts';
import type { Environment } from '../src/events/run.ts';
import { checkRow, orderChecker, type RowProblem, type StoredRow, type SyncLog } from '../src/log/index.ts';
import { baselinesOf } from '../src/runs/baselines.ts';
import { assembler, type Ended } from './assemble.ts';
import { coverageOf } from './coverage.ts';
import { currentGate, type Gates } from './gates.ts';
import { givenOtherwise, openedIn } from './live.ts';
import { observations } from './observed.ts';
import { replayOutright } from './outright.ts';
import type { StartedRun } from './recorded.ts';
import type { ReplayCode, ReplaySummary, RunReplay } from './report.ts';
import { resolverOf } from './resolve.ts';
import { callOf, type ReplayAround, replayRun, runReplay } from './run.ts';

export interface ReplayOptions {
  /** Default: the present gate alone. See `gatesOf` for frozen ones. */
  readonly gates?: Gates;
  /** A call's or a run's id: replays only its runs. All rows are checked all the same. */
  readonly only?: string;
  /** Replays only runs that start at these positions, half-open. All rows are checked all the same. */
  readonly from?: number;
  readonly to?: number;
  /** Gives matches too. Default: what does not match. */
  readonly all?: boolean;
  /** What this process runs on, to note beside a run where it differs. Default: no notes. */
  readonly environment?: Environment;
  /** Rows a page; changes nothing in the report. */
  readonly batch?: number;
  /** Is told after each page how many rows of how many are done. */
  readonly progress?: (done: number, total: number) => void;
}

/**
 * Checks every row of a log and replays its runs, in the order of positions, page by page. It gives findings as they are
 * made, and the summary at the end. What is appended meanwhile is not part of it.
 *
 * Whatever in the log is wrong is a finding and never thrown.
 *
 * @throws GroundsError of the log's own: `log/closed`, `log/damaged`, `log/busy`
 */
export function* replayLog(
  log: SyncLog,
  options: ReplayOptions = {},
): Generator<RunReplay, ReplaySummary, void> {
  const total = log.sizeSync();
  const inOrder = orderChecker();
  const coverage = coverageOf(total);
  const runs = assembler();
  const contradicted = observations(log);
  const broken = new Map<number, RowFault['finding']>();
  const hash = createHash('sha256');
  const resolver = resolverOf(log);
  const baselines = baselinesOf(log, 'passed over');
  const around: ReplayAround = {
    resolver,
    gates: options.gates ?? currentGate,
    environment: options.environment ?? null,
    given: (run) => givenOtherwise(log, run, baselines),
    broken: (position) => broken.get(position) ?? null,
    recomputed: coverage.recomputed,
  };
  const counts = { replayed: 0, matched: 0, diverged: 0, missing_input: 0, tampered: 0, gate_not_shipped: 0 };
  const told = (found: RunReplay): readonly RunReplay[] => {
    count(counts, found);
    return found.finding === 'MATCH' && options.all !== true ? [] : [found];
  };
  const ended = (all: readonly Ended[]): readonly RunReplay[] =>
    all.flatMap((end) => {
      if (end.end !== 'whole') return told(brokenRun(end));
      return wanted(end.run, options) ? told(replayRun(end.run, around)) : [];
    });

  const taken = function* (row: StoredRow, problem: RowProblem | null): Generator<RunReplay, void> {
    const read = problem === null ? readRow(row) : fault(problem.code, problem.facts);
    resolver.note(row);
    if ('type' in read) {
      yield* ended(runs.add(row, read));
      const contradiction = contradicted(row, read);
      if (contradiction !== null) yield* told(contradiction);
      return;
    }
    broken.set(row.position, read.finding);
    const open = runs.openAt(row);
    const of = { run_id: open?.started?.run ?? null, call_id: open === null ? null : callOf(row.stream) };
    const found = { finding: read.finding, code: read.code, at: row.position, recorded: read.facts };
    yield* told(runReplay({ ...of, position: open?.position ?? row.position }, found));
    yield* ended(runs.add(row, 'broken'));
  };
  /** The rows behind the newest start, until its run either comes out the same or has to be read. */
  let held: StoredRow[] = [];
  const released = function* (): Generator<RunReplay, void> {
    for (const row of held) yield* taken(row, checkRow(row));
    held = [];
  };

  /** Position of the newest `CallOpened`. */
  let opened = -1;
  let done = 0;
  const query = { to: total, ...(options.batch === undefined ? {} : { page: options.batch }) };
  for (const page of log.readSync(query)) {
    for (const row of page) {
      hash.update(row.leaf);
      coverage.saw(row.type);
      if (row.type === 'CallOpened') opened = row.position;
      const outOfOrder = inOrder(row);
      const run = outOfOrder === null ? runs.begunAt(row, held.length) : null;
      if (run === null || !wanted(run, options)) {
        yield* released();
        yield* taken(row, outOfOrder ?? checkRow(row));
        continue;
      }
      held.push(row);
      if (row.type !== 'VerdictRecorded') continue;
      // Made anew outright is only what an import made: of a call that was opened, what it was given is looked at too.
      const live = run.version === 0 ? opened === run.position - 1 : openedIn(log, run) !== null;
      const match = live ? null : replayOutright(run, held, around);
      if (match === null) yield* released();
      else {
        held = [];
        runs.drop();
        yield* told(match);
      }
    }
    done += page.length;
    options.progress?.(done, total);
  }
  yield* released();
  yield* ended(runs.end());
  return { ...counts, log_digest: `sha256:${hash.digest('hex')}`, unanchored: coverage.unanchored() };
}

/** Why a row can't be relied on: somebody changed it, or a later version of grounds wrote it. */
interface RowFault {
  readonly finding: 'INPUT_TAMPERED' | 'INPUT_MISSING';
  readonly code: ReplayCode;
  readonly facts: Readonly<Record<string, unknown>>;
}

function fault(code: ReplayCode, facts: RowFault['facts']): RowFault {
  return { finding: code === 'newer' ? 'INPUT_MISSING' : 'INPUT_TAMPERED', code, facts };
}

/** The event in a row whose bytes are whole, and whether it says what it can only say rightly. */
function readRow(row: StoredRow): AnyEvent | RowFault {
  let event: AnyEvent;
  try {
    event = parseEvent(row.event);
  } catch (error) {
    if (!isGroundsError(error)) throw error;
    const newer = error.code === 'events/unknown-type' || error.code === 'events/schema';
    return fault(newer ? 'newer' : 'shape', error.facts);
  }
  return declarationFault(event) ?? event;
}

/** A declaration is named by its digest, and stands in the stream of what it declares. */
function declarationFault(event: AnyEvent): RowFault | null {
  if (event.type !== 'ToolDeclared' && event.type !== 'ChecklistDeclared') return null;
  const declared = event.type === 'ToolDeclared' ? event.data.tool : event.data.body;
  const digest = digestOf(declared);
  if (digest !== event.data.digest) {
    return fault('digest', { recorded: event.data.digest, recomputed: digest });
  }
  if (event.type === 'ToolDeclared')
    return otherwise(event.stream, streamOf.tool(event.data.tool.server, event.data.tool.name));
  // A checklist that can't be read is stored all the same; then nothing says whose it is but the event.
  const { declared_by, checklist, written_by } = (
    isObject(event.data.body) ? event.data.body : {}
  ) as Partial<Checklist>;
  if (typeof declared_by !== 'string' || typeof checklist !== 'string') return null;
  return (
    otherwise(event.stream, checklist === '' ? null : streamOf.checklist(declared_by, checklist)) ??
    otherwise(event.data.declared_by, declared_by) ??
    otherwise(event.data.written_by, written_by ?? null)
  );
}

function otherwise(recorded: string | null, recomputed: string | null): RowFault | null {
  return recorded === recomputed ? null : fault('declares', { recorded, recomputed });
}

function wanted({ started, stream, position }: StartedRun, { only, from, to }: ReplayOptions): boolean {
  if (only !== undefined && only !== started.run && only !== callOf(stream)) return false;
  return position >= (from ?? 0) && (to === undefined || position < to);
}

function brokenRun(ended: Exclude<Ended, { end: 'whole' }>): RunReplay {
  const { stream, position } = ended.end === 'stray' ? ended.row : ended.of;
  const run_id = ended.end === 'stray' ? null : (ended.of.started?.run ?? null);
  return runReplay(
    { run_id, call_id: callOf(stream), position },
    { finding: 'INPUT_TAMPERED', code: ended.end, at: position },
  );
}

type Counts = { -readonly [K in keyof Omit<ReplaySummary, 'log_digest' | 'unanchored'>]: number };

function count(counts: Counts, { finding }: RunReplay): void {
  switch (finding) {
    case 'INPUT_TAMPERED':
      counts.tampered++;
      return;
    case 'INPUT_MISSING':
      counts.missing_input++;
      return;
    case 'GATE_NOT_SHIPPED':
      counts.gate_not_shipped++;
      return;
    case 'MATCH':
      counts.matched++;
      counts.replayed++;
      return;
    default:
      counts.diverged++;
      counts.replayed++;
  }
}
