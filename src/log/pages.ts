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
  after: string;
  from: number;
  to: number;
  fromVersion: number;
  toVersion: number;
};

/** One page of a plan. */
interface PageOf {
  readonly plan: Plan;
  readonly rows: number;
}

export type ReadPages = (plan: Plan) => Generator<readonly StoredRow[], void, undefined>;

/**
 * Reads in pages, each a closed statement bounded by position: no cursor stays open while somebody writes, so no reader
 * pins the WAL, and no more than a page is ever in memory.
 *
 * @param size of the log now. One page is one state of the log by itself; only a second page needs to know where the log ended.
 */
export function pagesOn(statements: Statements<LogTables>, size: () => number): ReadPages {
  const statementFor = keptBy(
    ({ plan, rows }: PageOf) => `${streamsShape(plan)} ${plan.types !== null} ${plan.backward} ${rows}`,
    ({ plan, rows }) => preparePage(statements, plan, rows),
  );
  return function* pages(plan) {
    if (plan.streams?.length === 0 || plan.types?.length === 0) return;
    const streams = plan.streams === null ? '' : JSON.stringify(plan.streams);
    const types = plan.types === null ? '' : JSON.stringify(plan.types);
    let { from, to, limit } = plan;
    let first = true;
    while (from < to && limit > 0) {
      const wanted = Math.min(plan.page, limit);
      const rows = statementFor({ plan, rows: wanted }).all({
        streams,
        types,
        stream: plan.under === null ? (plan.streams?.[0] ?? '') : `${plan.under}/`,
        // What comes right after a slash.
        after: `${plan.under}0`,
        from,
        to,
        fromVersion: plan.fromVersion,
        toVersion: plan.toVersion,
      });
      const last = rows.at(-1);
      if (last === undefined) return;
      const isLast = rows.length < wanted;
      if (first && !isLast && limit > wanted && !plan.backward) to = Math.min(to, size());
      first = false;
      yield rows.map(rowOf);
      if (isLast) return;
      limit -= rows.length;
      if (plan.backward) to = last.position;
      else from = last.position + 1;
    }
  };
}

/**
 * A row as SQLite gives it: the leaf hash, then the bytes. Handing a second buffer over costs more than all the rest of reading
 * a row.
 */
interface PackedRow extends Omit<Row, 'bytes' | 'leaf'> {
  readonly packed: Buffer;
}

function rowOf({ position, stream, version, type, packed }: PackedRow): StoredRow {
  const [leaf, bytes] = [packed.subarray(0, LEAF), packed.subarray(LEAF)];
  return storedRow({ position, stream, version, type, bytes, leaf });
}

const LEAF = 32;

function streamsShape(plan: Plan): 'all' | 'one' | 'some' | 'under' {
  if (plan.under !== null) return 'under';
  if (plan.streams === null) return 'all';
  return plan.streams.length === 1 ? 'one' : 'some';
}

/** `rows` stands in the text: SQLite prepares a statement anew each time another limit is bound, which takes longer than a small read. */
function preparePage(
  statements: Statements<LogTables>,
  plan: Plan,
  rows: number,
): Prepared<PageParams, PackedRow> {
  const shape = streamsShape(plan);
  // A plus keeps SQLite from going by position where the names are what there is little of.
  const position = shape === 'under' ? sql<number>`+position` : sql<number>`position`;
  return statements.prepare((q, param: Param<PageParams>) => {
    let page = q
      .selectFrom('events')
      .select([
        'position',
        'stream',
        'version',
        'type',
        sql<Buffer>`cast(leaf || bytes as blob)`.as('packed'),
      ])
      .where(position, '>=', param('from'))
      .where(position, '<', param('to'))
      .limit(sql.lit(rows));
    if (plan.types !== null) {
      page = page.where('type', 'in', sql<string>`(select value from json_each(${param('types')}))`);
    }
    const order = plan.backward ? 'desc' : 'asc';
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
    if (shape === 'under')
      page = page.where('stream', '>=', param('stream')).where('stream', '<', param('after'));
    return page.orderBy(position, order);
  });
}
