import type { AnyEvent, DataOf } from '../src/events/index.ts';
import { unescapeSegment } from '../src/events/pointer.ts';
import type { StoredRow } from '../src/log/index.ts';
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
export function observations(): (row: StoredRow, event: AnyEvent) => RunReplay | null {
  const runs = new Map<string, Said>();
  const before = new Map<string, { readonly position: number; readonly tool: string }>();

  const observed = (row: StoredRow, data: DataOf<'CallObserved'>): RunReplay | null => {
    const run = runs.get(row.stream);
    const first = !before.has(row.stream);
    before.set(row.stream, { position: row.position, tool: data.tool });
    if (run === undefined) return null;
    if (data.tool !== run.tool) return contradiction(row, run, row.position, '/tool', data.tool, run.tool);
    const ofRun = data.origin === null || (run.begins && first);
    if (!ofRun || data.gated === run.gated) return null;
    return contradiction(row, run, row.position, '/gated', data.gated, run.gated);
  };
  return (row, event) => {
    if (event.type === 'CallObserved') return observed(row, event.data);
    if (event.type !== 'RunStarted') return null;
    const run = said(row, event.data);
    const first = !runs.has(row.stream);
    runs.set(row.stream, run);
    // A call that was observed first, outside the gate, may be judged later, by other rules.
    const earlier = first ? before.get(row.stream) : undefined;
    if (earlier === undefined || earlier.tool === run.tool) return null;
    return contradiction(row, run, earlier.position, '/tool', earlier.tool, run.tool);
  };
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
