import type { GapRow } from '../../projections/call-row.ts';
import type { GapSummary } from '../../projections/gap-list.ts';
import { askedLine, executionLine } from '../execution-text.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../json-text.ts';
import { caughtUp, reading } from '../open-log.ts';
import { columns, oneLine, plural } from '../text.ts';
import { whichLog } from '../which-log.ts';

export interface GapsOptions {
  readonly json?: boolean;
  readonly db?: string;
  readonly tool?: string;
  readonly slot?: string;
  readonly kind?: GapRow['kind'];
  readonly owner?: GapRow['owner'];
}

/** Where to put the work: what was not confirmed, by tool and slot, by whose work it is, and over time. */
export async function gaps(io: Io, last: string | undefined, options: GapsOptions): Promise<void> {
  await reading(whichLog(last, options.db), (log) => {
    const { tool, slot, kind, owner } = options;
    const query = {
      ...(tool === undefined ? {} : { tool }),
      ...(slot === undefined ? {} : { slot }),
      ...(kind === undefined ? {} : { kind }),
      ...(owner === undefined ? {} : { owner }),
    };
    const projections = caughtUp(io, log);
    if (options.json === true) {
      for (const gap of projections.gaps(query)) {
        if (io.closed()) return;
        io.out(`${jsonText(gap)}\n`);
      }
      io.out(`${jsonText(projections.gapSummary(query))}\n`);
    } else io.out(screen(projections.gapSummary(query)));
  });
}

const TOP = 20;
const DAYS = 14;

function screen(summary: GapSummary): string {
  const head = `${plural(summary.gaps, 'gap')} in ${summary.calls} of ${plural(summary.n, 'judged call')}`;
  const slots = summary.by_slot
    .slice(0, TOP)
    .map((row) => [
      String(row.gaps),
      `${row.calls}/${row.n}`,
      row.kind,
      oneLine(row.tool, 40),
      oneLine(row.slot, 60),
      words(row.owner),
    ]);
  const owners = summary.by_owner.map(({ owner, gaps: count, calls }) => [
    String(count),
    String(calls),
    words(owner),
  ]);
  const kinds = summary.by_kind.map(({ kind, gaps: count, calls }) => [String(count), String(calls), kind]);
  const unmet = summary.unmet
    .slice(0, TOP)
    .map((row) => [
      String(row.count),
      String(row.calls),
      oneLine(row.tool, 40),
      oneLine(row.slot, 60),
      row.reason,
      `declared by the ${row.declared_by}`,
    ]);
  const wrong = summary.incidents.by_slot
    .slice(0, TOP)
    .map((row) => [
      String(row.incidents),
      String(row.calls),
      row.kind ?? '–',
      oneLine(row.tool, 40),
      row.slot === '' ? '(the call as a whole)' : oneLine(row.slot, 60),
      row.origin ?? '–',
      words(row.owner),
    ]);
  const days = summary.by_day
    .slice(-DAYS)
    .map(({ day, n, gaps: count }) => [day, String(count), `in ${plural(n, 'call')}`]);
  const parts = [
    head,
    [executionLine(summary.execution), askedLine(summary.questions)].filter((line) => line !== '').join('\n'),
    section('whose work', [['gaps', 'calls', ''], ...owners], [0, 1]),
    section('kinds', [['gaps', 'calls', ''], ...kinds], [0, 1]),
    section('slots', [['gaps', 'calls', '', '', '', ''], ...slots], [0, 1], summary.by_slot.length - TOP),
    section(
      'checked and not met, which is no gap',
      [['times', 'calls', '', '', '', ''], ...unmet],
      [0, 1],
      summary.unmet.length - TOP,
    ),
    section(
      'said to be wrong afterwards: where it was confirmed from, and whose work that is',
      [['times', 'calls', '', '', '', '', ''], ...wrong],
      [0, 1],
      summary.incidents.by_slot.length - TOP,
    ),
    summary.by_day.length > 1 ? section('by day of the run', [['', 'gaps', ''], ...days], [1]) : '',
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function section(
  title: string,
  rows: readonly (readonly string[])[],
  right: readonly number[],
  more = 0,
): string {
  if (rows.length < 2) return '';
  const lines = columns(rows, right).map((line) => `  ${line}`);
  return [title, ...lines, ...(more > 0 ? [`  and ${more} more (--json has all)`] : [])].join('\n');
}

function words(owner: GapRow['owner']): string {
  return owner.replaceAll('_', ' ');
}
