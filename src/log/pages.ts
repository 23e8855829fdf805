import { sql } from 'kysely';
import type { Plan } from './query.ts';
import { type Row, type StoredRow, storedRow } from './row.ts';
import type { LogTables } from './schema.ts';
import { keptBy, type Param, type Prepared, type Statements } from './statements.ts';

type PageParams = {
  /** JSON arrays, so that one statement serves any number of names. */
  streams: string;
  types: string;
  stream: string;
  from: number;
  to: number;
  fromVersion: number;
  toVersion: number;
  rows: number;
};

export type ReadPages = (plan: Plan) => Generator<readonly StoredRow[], void, undefined>;

/**
 * Reads in pages, each a closed statement bounded by position: no cursor stays open while somebody writes, so no reader
 * pins the WAL, and no more than a page is ever in memory.
 */
export function pagesOn(statements: Statements<LogTables>): ReadPages {
  const statementFor = keptBy(
    (plan: Plan) => `${streamsShape(plan)} ${plan.types !== null} ${plan.backward}`,
    (plan) => preparePage(statements, plan),
  );
  return function* pages(plan) {
    if (plan.streams?.length === 0 || plan.types?.length === 0) return;
    const statement = statementFor(plan);
    let { from, to, limit } = plan;
    while (from < to && limit > 0) {
      const wanted = Math.min(plan.page, limit);
      const rows = statement.all({
        streams: JSON.stringify(plan.streams),
        types: JSON.stringify(plan.types),
        stream: plan.streams?.[0] ?? '',
        from,
        to,
        fromVersion: plan.fromVersion,
        toVersion: plan.toVersion,
        rows: wanted,
      });
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows.map(storedRow);
      if (rows.length < wanted) return;
      limit -= rows.length;
      if (plan.backward) to = last.position;
      else from = last.position + 1;
    }
  };
}

function streamsShape(plan: Plan): 'all' | 'one' | 'some' {
  if (plan.streams === null) return 'all';
  return plan.streams.length === 1 ? 'one' : 'some';
}

function preparePage(statements: Statements<LogTables>, plan: Plan): Prepared<PageParams, Row> {
  return statements.prepare((q, param: Param<PageParams>) => {
    let page = q
      .selectFrom('events')
      .select(['position', 'stream', 'version', 'type', 'bytes', 'leaf'])
      .where('position', '>=', param('from'))
      .where('position', '<', param('to'))
      .limit(param('rows'));
    if (plan.types !== null) {
      page = page.where('type', 'in', sql<string>`(select value from json_each(${param('types')}))`);
    }
    const order = plan.backward ? 'desc' : 'asc';
    const shape = streamsShape(plan);
    if (shape === 'one') {
      // Within a stream versions and positions rise together: the index gives the order.
      return page
        .where('stream', '=', param('stream'))
        .where('version', '>=', param('fromVersion'))
        .where('version', '<', param('toVersion'))
        .orderBy('version', order);
    }
    if (shape === 'some') {
      page = page.where('stream', 'in', sql<string>`(select value from json_each(${param('streams')}))`);
    }
    return page.orderBy('position', order);
  });
}
