import { GroundsError } from '../errors.ts';
import type { CallPlace, CallRow } from '../projections/call-row.ts';
import type { Candidate } from '../projections/find.ts';
import type { Projections } from '../projections/store.ts';
import { columns, oneLine } from './text.ts';

export interface CallAt {
  readonly row: CallRow;
  readonly place: CallPlace;
}

/**
 * The call that a reference means: an id of a call or run, its beginning, or `file:line:message` of an import.
 * @throws GroundsError `calls/not-found` and `calls/several` (exit 2): `facts.calls` holds what could be meant
 */
export function findCall(projections: Projections, ref: string): CallAt {
  const found = projections.find(ref);
  if (found.kind === 'call') {
    const row = projections.call(found.call_id);
    const place = projections.place(found.call_id);
    if (row !== null && place !== null) return { row, place };
  }
  const calls = found.kind === 'several' ? found.calls : found.kind === 'none' ? found.closest : [];
  const several = found.kind === 'several';
  const lines = columns(calls.map(({ ref: typed, tool }) => [`  ${oneLine(typed, 120)}`, oneLine(tool, 64)]));
  const head = several
    ? `${JSON.stringify(ref)} can mean several calls:`
    : calls.length === 0
      ? `There is no call ${JSON.stringify(ref)}.`
      : `There is no call ${JSON.stringify(ref)}. Did you mean ${calls.length === 1 ? 'this one' : 'one of these'}?`;
  throw new GroundsError(several ? 'calls/several' : 'calls/not-found', [head, ...lines].join('\n'), {
    facts: { ref, calls },
    hint: several ? severalHint(ref, calls) : noneHint(ref),
  });
}

function severalHint(ref: string, calls: readonly Candidate[]): string {
  if (!/\d:\d+$/.test(ref)) return 'Type a few more characters.';
  return calls.some(({ call_id, ref: typed }) => call_id === typed)
    ? 'They stand in one message, which is all that the reference says: use the id of one.'
    : 'Name the file as well, or use one of these.';
}

function noneHint(ref: string): string {
  const lists = 'grounds calls lists those that there are.';
  return ref.trim().length < 4 ? `Of an id, type four characters at least; ${lists}` : lists;
}
