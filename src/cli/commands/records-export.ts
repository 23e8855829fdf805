import { recordsFrom } from '../../compat/index.ts';
import { GroundsError } from '../../errors.ts';
import { findCall } from '../find-call.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../json-text.ts';
import { caughtUp, reading } from '../open-log.ts';
import { whichLog } from '../which-log.ts';

export interface RecordsExportOptions {
  readonly json?: boolean;
  readonly db?: string;
}

/**
 * Prints calls as records of the reference skeleton, one JSON object a line, in the order of the log: one call, or all that
 * have a record.
 *
 * @throws GroundsError `record/none` where the one call has none
 */
export async function exportCommand(
  io: Io,
  ref: string | undefined,
  options: RecordsExportOptions,
): Promise<void> {
  await reading(whichLog(undefined, options.db), (log) => {
    const projections = caughtUp(io, log);
    const recordOf = recordsFrom(log);
    if (ref !== undefined) {
      const { row, place } = findCall(projections, ref, log);
      const record = recordOf(place);
      if (record === null) throw noRecord(row.call_id);
      io.out(`${jsonText(record)}\n`);
      return;
    }
    for (const { call_id } of projections.calls()) {
      if (io.closed()) return;
      const place = projections.place(call_id);
      const record = place === null ? null : recordOf(place);
      if (record !== null) io.out(`${jsonText(record)}\n`);
    }
  });
}

function noRecord(call_id: string): GroundsError {
  return new GroundsError('record/none', `The call ${call_id} has no record: no gate judged it.`, {
    facts: { call_id },
    hint: 'A call that is declared reversible stands outside the gate. grounds calls lists the others.',
  });
}
