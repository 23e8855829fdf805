import type { AnyEvent } from '../src/events/index.ts';
import type { RunStarted } from '../src/events/run.ts';
import type { StoredRow } from '../src/log/index.ts';
import type { RecordedRun } from './recorded.ts';

/** What a row said; `broken`: it can't be relied on, which was told already, of the row. */
export type ReadRow = AnyEvent | 'broken';

/** A run came to its end: `whole`, or why not. */
export type Ended =
  | { readonly end: 'whole'; readonly run: RecordedRun }
  | { readonly end: 'incomplete'; readonly of: Open }
  | { readonly end: 'stray'; readonly row: StoredRow };

/** A run of which not all events have come. */
export interface Open {
  readonly stream: string;
  readonly position: number;
  readonly version: number;
  /** null where its `RunStarted` can't be relied on. */
  readonly started: RunStarted | null;
  readonly walks: RecordedRun['walks'][number][];
  next: number;
  broken: boolean;
}

type Begun = Open & { readonly started: RunStarted };

export interface Assembler {
  /** Takes the next row of the log; gives the runs that it ends. */
  add(row: StoredRow, read: ReadRow): readonly Ended[];
  /** The log ends here. */
  end(): readonly Ended[];
  /** The run that this row stands in, if it goes on with one. */
  openAt(row: StoredRow): Open | null;
  /** The run of which only the start has come, if this row goes on with it behind `held` rows that were not added yet. */
  begunAt(row: StoredRow, held: number): Begun | null;
  /** The open run was dealt with otherwise: nothing more of it comes. */
  drop(): void;
}

/**
 * Puts runs together as their events come. A run is one commit, so its events stand together in the log as in its call's
 * stream: `RunStarted`, `LookupPerformed` any number of times, `VerdictRecorded`. No more than one is ever in memory.
 */
export function assembler(): Assembler {
  let open: Open | null = null;

  const close = (): Ended[] => {
    const ended = open;
    open = null;
    return ended === null || ended.broken ? [] : [{ end: 'incomplete', of: ended }];
  };
  const goesOn = (row: StoredRow, held = 0): Open | null => {
    if (open === null || row.position !== open.next + held || row.stream !== open.stream) return null;
    if (row.version !== open.version + row.position - open.position) return null;
    return row.type === 'RunStarted' ? null : open;
  };

  return {
    openAt: (row) => goesOn(row),
    begunAt(row, held) {
      const run = goesOn(row, held);
      if (run === null || run.started === null || run.next > run.position + 1) return null;
      return run as Begun;
    },
    drop: () => {
      open = null;
    },
    end: close,
    add(row, read) {
      const current = goesOn(row);
      if (current !== null) {
        current.next++;
        if (read === 'broken') {
          current.broken = true;
          if (row.type === 'VerdictRecorded') open = null;
          return [];
        }
        if (read.type === 'LookupPerformed') {
          current.walks.push({ position: row.position, walk: read.data });
          return [];
        }
        if (read.type === 'VerdictRecorded') {
          open = null;
          const { broken, started, stream, position, version, walks } = current;
          if (broken || started === null) return [];
          const verdict = { position: row.position, verdict: read.data.verdict };
          return [{ end: 'whole', run: { stream, position, version, started, walks, verdict } }];
        }
      }
      const ended = close();
      if (row.type === 'RunStarted') {
        open = {
          stream: row.stream,
          position: row.position,
          version: row.version,
          started: isOf(read, 'RunStarted') ? read.data : null,
          walks: [],
          next: row.position + 1,
          broken: read === 'broken',
        };
      } else if (isOf(read, 'LookupPerformed') || isOf(read, 'VerdictRecorded')) {
        ended.push({ end: 'stray', row });
      }
      return ended;
    },
  };
}

function isOf<T extends AnyEvent['type']>(read: ReadRow, type: T): read is Extract<AnyEvent, { type: T }> {
  return typeof read !== 'string' && read.type === type;
}
