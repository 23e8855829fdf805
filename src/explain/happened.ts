import type { DataOf } from '../events/index.ts';
import type { Place } from '../events/place.ts';
import type { CallRow } from '../projections/call-row.ts';
import { type CallRecord, openOf } from './record.ts';
import type { Explanation } from './schema.ts';
import type { Shows } from './where.ts';

type Result = { readonly conversation: string; readonly segment: number } | null;

/** What became of the call: the event that says so, and where its result stands. */
export function happenedOf(record: CallRecord, row: CallRow, shows: Shows): Explanation['happened'] {
  const { end } = record;
  let segment: number | null = null;
  let code: string | null = null;
  const take = (result: Result): void => {
    // A result in another conversation is shown by that one.
    if (result !== null && result.conversation === record.started?.conversation) segment = result.segment;
  };
  switch (end?.type) {
    case 'CallObserved':
      segment = (end.event.data as DataOf<'CallObserved'>).result;
      break;
    case 'CallSucceeded':
    case 'CallReconciled':
      take((end.event.data as DataOf<'CallSucceeded'>).result);
      break;
    case 'CallFailed':
      take((end.event.data as DataOf<'CallFailed'>).result);
      code = (end.event.data as DataOf<'CallFailed'>).code;
      break;
    case 'CallOutcomeUnknown':
      code = (end.event.data as DataOf<'CallOutcomeUnknown'>).code;
      break;
    default:
  }
  const said = segment === null ? null : record.segmentAt(segment);
  const body = said === null ? undefined : openOf(said.segment.body);
  const place: Place | null =
    segment === null
      ? null
      : typeof body === 'string' && body !== ''
        ? { in: 'text', segment, start: 0, end: body.length }
        : { in: 'json', segment, of: 'result', pointer: '' };
  return {
    outcome: row.outcome,
    by: end?.type ?? null,
    observed: end?.type === 'CallObserved',
    code,
    first_line: typeof body === 'string' ? firstLine(body) : null,
    where: shows(place),
  };
}

function firstLine(text: string): string {
  const line = text.split('\n').find((each) => each.trim() !== '');
  return line ?? '';
}
