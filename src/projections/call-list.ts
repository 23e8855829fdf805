import { sql } from 'kysely';
import { GroundsError } from '../errors.ts';
import type { VerdictKind } from '../events/vocabulary.ts';
import { keptBy, type Param, type Prepared } from '../log/index.ts';
import type { CallRow } from './call-row.ts';
import type { Side } from './tables.ts';

export interface CallsQuery {
  readonly tool?: string;
  readonly verdict?: VerdictKind;
  readonly without_grounds?: boolean;
  /** Only calls with a start that nobody knows the end of. */
  readonly unfinished?: boolean;
  /** Of imported calls: the file as it was imported, or what its path ends in, such as its name alone. */
  readonly file?: string;
  readonly limit?: number;
  /** The id of the call that the list goes on from. */
  readonly after?: string;
}

type PageParams = {
  tool: string;
  verdict: string;
  without_grounds: number;
  file: string;
  after: number;
  rows: number;
};

const PAGE = 256;

/**
 * Lists calls in the order of the log, a page at a time: each page is a closed statement, so what is written between two
 * pages harms neither.
 */
export function callsOn(side: Side): (query?: CallsQuery) => Iterable<CallRow> {
  const positionOf = side.prepare((q, param: Param<{ call_id: string }>) =>
    q.selectFrom('side_calls').select('position').where('call_id', '=', param('call_id')),
  );
  const pageFor = keptBy(
    (query: CallsQuery) =>
      [
        ...FILTERS.filter((name) => query[name] !== undefined),
        query.file !== undefined,
        query.unfinished === true,
      ].join(' '),
    (query) => preparePage(side, query),
  );

  return function* calls(query = {}) {
    let after = -1;
    if (query.after !== undefined) {
      const found = positionOf.get({ call_id: query.after });
      if (found === undefined) throw noSuchCall(query.after);
      after = found.position;
    }
    const page = pageFor(query);
    let left = query.limit ?? Number.MAX_SAFE_INTEGER;
    while (left > 0) {
      const wanted = Math.min(PAGE, left);
      const rows = page.all({
        tool: query.tool ?? '',
        verdict: query.verdict ?? '',
        without_grounds: query.without_grounds === true ? 1 : 0,
        file: query.file ?? '',
        after,
        rows: wanted,
      });
      for (const { row } of rows) yield JSON.parse(row) as CallRow;
      const last = rows.at(-1);
      if (last === undefined || rows.length < wanted) return;
      after = last.position;
      left -= rows.length;
    }
  };
}

const FILTERS = ['tool', 'verdict', 'without_grounds'] as const;

/** Calls are printed with the name of their file alone, so that name is taken, too. */
function isFile(file: ReturnType<Param<PageParams>>) {
  return sql<boolean>`(file = ${file} or substr(file, -length(${file}) - 1) = '/' || ${file})`;
}

function preparePage(side: Side, query: CallsQuery): Prepared<PageParams, { position: number; row: string }> {
  return side.prepare((q, param: Param<PageParams>) => {
    let page = q
      .selectFrom('side_calls')
      .select(['position', 'row'])
      .where('position', '>', param('after'))
      .orderBy('position')
      .limit(sql<number>`${param('rows')}`);
    for (const name of FILTERS) if (query[name] !== undefined) page = page.where(name, '=', param(name));
    if (query.file !== undefined) page = page.where(isFile(param('file')));
    if (query.unfinished === true) page = page.where('open_starts', '>', 0);
    return page;
  });
}

function noSuchCall(call_id: string): GroundsError {
  return new GroundsError('projections/no-such-call', `There is no call '${call_id}' to go on from.`, {
    facts: { call_id },
    hint: 'Give the id of a call of this log, as the list itself prints it.',
  });
}
