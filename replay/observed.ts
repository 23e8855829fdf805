import { type AnyEvent, type DataOf, parseEvent } from '../src/events/index.ts';
import { unescapeSegment } from '../src/events/pointer.ts';
import type { StoredRow, SyncLog } from '../src/log/index.ts';
import type { RunReplay } from './report.ts';
import { callOf, runReplay } from './run.ts';

/** What the newest run of a call says that an observation of the call says again. */
interface Said {
  readonly run_id: string;
  readonly position: number;
  readonly tool: string;
  readonly gated: boolean;
  /** The run with which an import began the call: its observation was written in the same commit. */
  readonly begins: boolean;
}

/**
 * Compares each observation of a call with its run: the tool is the same one; and whether the gate stands before the call is
 * said twice where the observation is of that run. Another import may find the call outside the gate by other rules: it
 * makes no run, so its observation says its own origin, and comes after the first one.
 */
export function observations(log: SyncLog): (row: StoredRow, event: AnyEvent) => RunReplay | null {
  const calls = new Map<string, Told>();

  const toldOf = (row: StoredRow): Told => {
    const known = calls.get(row.stream);
    if (known !== undefined) return known;
    const told: Told = { run: null, before: null };
    // It may have been let go: then its own rows tell it again.
    if (row.version > 0 && calls.size >= KEPT) {
      for (const page of log.readSync({ stream: row.stream, toVersion: row.version, types: TELLING }))
        for (const earlier of page) tell(told, earlier, parseEvent(earlier.event));
    }
    calls.set(row.stream, told);
    for (const oldest of calls.keys()) {
      if (calls.size <= KEPT) break;
      calls.delete(oldest);
    }
    return told;
  };
  return (row, event) => (TELLING.includes(event.type) ? tell(toldOf(row), row, event) : null);
}

const TELLING: readonly string[] = ['RunStarted', 'CallObserved'];
/** How many calls are kept at hand: an import writes a run and its observation together. */
const KEPT = 1024;

/** What a call's stream has said so far. */
interface Told {
  run: Said | null;
  before: { readonly position: number; readonly tool: string } | null;
}

/** Takes one more event, and says where it contradicts what came before. */
function tell(told: Told, row: StoredRow, event: AnyEvent): RunReplay | null {
  if (event.type === 'CallObserved') return observed(told, row, event.data);
  if (event.type !== 'RunStarted') return null;
  const run = said(row, event.data);
  const first = told.run === null;
  told.run = run;
  // A call that was observed first, outside the gate, may be judged later, by other rules.
  const earlier = first ? told.before : null;
  if (earlier === null || earlier.tool === run.tool) return null;
  return contradiction(row, run, earlier.position, '/tool', earlier.tool, run.tool);
}

function observed(told: Told, row: StoredRow, data: DataOf<'CallObserved'>): RunReplay | null {
  const { run } = told;
  const first = told.before === null;
  told.before = { position: row.position, tool: data.tool };
  if (run === null) return null;
  if (data.tool !== run.tool) return contradiction(row, run, row.position, '/tool', data.tool, run.tool);
  const ofRun = data.origin === null || (run.begins && first);
  if (!ofRun || data.gated === run.gated) return null;
  return contradiction(row, run, row.position, '/gated', data.gated, run.gated);
}

function said(row: StoredRow, data: DataOf<'RunStarted'>): Said {
  const { stream } = data.tool;
  return {
    run_id: data.run,
    position: row.position,
    // The last part of a stream is the name, whatever the rest was changed to.
    tool: unescapeSegment(stream.slice(stream.lastIndexOf('/') + 1)),
    gated: data.gated,
    begins: data.origin !== null && row.version === 0,
  };
}

function contradiction(
  { stream }: StoredRow,
  { run_id, position }: Said,
  at: number,
  path: string,
  recorded: unknown,
  recomputed: unknown,
): RunReplay {
  return runReplay(
    { run_id, call_id: callOf(stream), position },
    { finding: 'INPUT_TAMPERED', code: 'observed', at, path, recorded, recomputed },
  );
}
