import { basename } from 'node:path';
import type { CallRow } from '../projections/call-row.ts';
import { oneLine } from './text.ts';

/** One call on one line, as cells: id, what, the verdict, what happened, where from. */
export function callCells(row: CallRow): string[] {
  return [
    row.call_id.slice(0, 8),
    oneLine(row.tool, 40),
    row.verdict ?? (row.gated ? 'not judged' : 'outside the gate'),
    row.outcome,
    row.ran_without_grounds ? 'WITHOUT GROUNDS' : '',
    originText(row),
  ];
}

/** `file:line:message`: what `why` and `show` take, too. */
export function originText({ origin }: CallRow): string {
  return origin === null ? '' : oneLine(`${basename(origin.file)}:${origin.line}:${origin.message}`, 80);
}
