import { GroundsError } from '../errors.ts';
import type { SqliteLog } from '../log/sqlite.ts';
import type { CallPlace, CallRow } from '../projections/call-row.ts';
import type { Candidate } from '../projections/find.ts';
import type { Projections } from '../projections/store.ts';
import { callsNamed } from './named-calls.ts';
import { printedCommand } from './printed-command.ts';
import { columns, oneLine } from './text.ts';

export interface CallAt {
  readonly row: CallRow;
  readonly place: CallPlace;
}

/** The log that was searched: its name is said where nothing was found in it. */
export type SearchedLog = Pick<SqliteLog, 'file' | 'importKey'>;

/**
 * The call that a reference means: an id of a call or run, its beginning, `file:line:message` of an import, or where none of
 * these is there, the name that the caller of `check` gave it.
 * @throws GroundsError `calls/not-found` and `calls/several` (exit 2): `facts.calls` holds what could be meant
 */
export function findCall(projections: Projections, ref: string, log: SearchedLog): CallAt {
  const found = projections.find(ref);
  if (found.kind === 'several') throw several(ref, found.calls);
  if (found.kind === 'call') return callAt(projections, found.call_id);
  const named = callsNamed(log.importKey, projections, ref);
  const [only] = named;
  if (only !== undefined && named.length === 1) return callAt(projections, only);
  if (named.length > 0) {
    throw several(
      ref,
      named.map((call_id) => ({ call_id, ref: call_id, tool: projections.call(call_id)?.tool ?? '' })),
    );
  }
  throw notFound(ref, found.closest, log.file);
}

function callAt(projections: Projections, id: string): CallAt {
  const row = projections.call(id);
  const place = projections.place(id);
  if (row === null || place === null) throw new Error(`no row of the call ${id}`);
  return { row, place };
}

function several(ref: string, calls: readonly Candidate[]): GroundsError {
  const head = `${JSON.stringify(ref)} can mean several calls:`;
  return new GroundsError('calls/several', [head, ...listed(calls)].join('\n'), {
    facts: { ref, calls },
    hint: severalHint(ref, calls),
  });
}

function severalHint(ref: string, calls: readonly Candidate[]): string {
  if (/\d:\d+$/.test(ref)) {
    return calls.some(({ call_id, ref: typed }) => call_id === typed)
      ? 'They stand in one message, which is all that the reference says: use the id of one.'
      : 'Name the file as well, or use one of these.';
  }
  const begins = calls.every(({ ref: id }) => id.startsWith(ref.trim().toLowerCase()));
  return begins
    ? 'Type a few more characters.'
    : 'Use the id of one: the caller of check gave that name in several conversations.';
}

function notFound(ref: string, closest: readonly Candidate[], log: string): GroundsError {
  const head = `There is no call ${JSON.stringify(ref)} in ${log}.`;
  const meant = closest.length === 1 ? 'Did you mean this one?' : 'Did you mean one of these?';
  const lines = closest.length === 0 ? [head] : [`${head} ${meant}`, ...listed(closest)];
  const short = ref.trim().length < 4 ? 'Of an id, type four characters at least. ' : '';
  const lists = `${printedCommand(['calls'], log)} lists those that there are`;
  return new GroundsError('calls/not-found', lines.join('\n'), {
    facts: { ref, calls: closest, log },
    hint: `${short}${lists}; a call of check has the call_id that it printed, or the "id" of its request.`,
  });
}

function listed(calls: readonly Candidate[]): string[] {
  return columns(calls.map(({ ref, tool }) => [`  ${oneLine(ref, 120)}`, oneLine(tool, 64)]));
}
