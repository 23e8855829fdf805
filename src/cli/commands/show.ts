import { incidentsOf } from '../../explain/incidents.ts';
import { eventsBehind, renderEvents, shownEvent } from '../../explain/show.ts';
import type { CallRow } from '../../projections/call-row.ts';
import { originText } from '../call-line.ts';
import { findCall } from '../find-call.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../json-text.ts';
import { caughtUp, reading } from '../open-log.ts';
import { columns, oneLine, printable } from '../text.ts';
import { whichLog } from '../which-log.ts';
import { eventLine } from './log.ts';

export interface ShowOptions {
  readonly json?: boolean;
  readonly db?: string;
  readonly events?: boolean;
  readonly all?: boolean;
}

/** One call's row; with `--events` the events behind its newest run, with `--all` those of all its runs. */
export async function show(
  io: Io,
  ref: string,
  last: string | undefined,
  options: ShowOptions,
): Promise<void> {
  await reading(whichLog(last, options.db), (log) => {
    const { row, place } = findCall(caughtUp(io, log), ref, log);
    if (options.events !== true && options.all !== true) {
      io.out(options.json === true ? `${jsonText(row)}\n` : rowText(row, incidentsOf(log, place), io.width));
      return;
    }
    const rows = eventsBehind(log, place, { all: options.all === true });
    if (options.json === true) io.out(rows.map(eventLine).join(''));
    else io.out(renderEvents(rows.map(shownEvent), { width: io.width }));
  });
}

function rowText(row: CallRow, incidents: ReturnType<typeof incidentsOf>, width: number): string {
  const fields: [string, string][] = [
    ['call', row.call_id],
    ['run', row.run_id ?? '–'],
    ['tool', row.tool],
    ['arguments', row.arguments === null ? 'not readable' : JSON.stringify(row.arguments)],
    ['verdict', row.verdict ?? (row.gated ? 'not judged' : 'outside the gate')],
    ['outcome', `${row.outcome}${row.ran_without_grounds ? ', WITHOUT GROUNDS' : ''}`],
    ...row.unknown.map(({ slot_id, reason, route }): [string, string] => [
      'unknown',
      `${slot_id} ${reason} → ${route}`,
    ]),
    ...row.unmet.map(({ slot_id, reason, declared_by }): [string, string] => [
      'unmet',
      `${slot_id} ${reason}, declared by the ${declared_by}`,
    ]),
    ...[...new Set(row.reductions.map(({ kind, slot }) => `${kind}${slot === null ? '' : ` ${slot}`}`))].map(
      (reduction): [string, string] => ['reduction', reduction],
    ),
    ...incidents.map(({ slots, text }): [string, string] => [
      'incident',
      `${slots.length === 0 ? '' : `${slots.join(', ')}: `}${text ?? 'sealed or erased'}`,
    ]),
    ['from', originText(row)],
    ['digest', row.verdict_digest ?? '–'],
  ];
  const lines = columns(
    fields
      .filter(([, value]) => value !== '')
      .map(([name, value]) => [name, oneLine(value, Math.max(width - 12, 40))]),
  );
  return `${lines.map(printable).join('\n')}\n`;
}
