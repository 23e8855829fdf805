import { sql } from 'kysely';
import type { GapKind, GapOwner } from '../events/vocabulary.ts';
import { keptBy, type Param } from '../log/index.ts';
import type { GapRow } from './call-row.ts';
import type { UnmetRow } from './gaps.ts';
import { type IncidentSummary, incidentsOn } from './incidents.ts';
import { type ExecutionRate, executionRate, type QuestionRate, questionRate } from './summary.ts';
import type { Side } from './tables.ts';

export interface GapsQuery {
  readonly call_id?: string;
  readonly tool?: string;
  /** A pattern, as the rows have it. */
  readonly slot?: string;
  readonly kind?: GapKind;
  readonly owner?: GapOwner;
}

/** Blanks, and the calls that have at least one of them. */
export interface GapCount {
  readonly gaps: number;
  readonly calls: number;
}

/** Every count stands beside its `n`: the judged calls that could have had such a gap. */
export interface GapSummary extends GapCount {
  readonly n: number;
  /** The most frequent first. */
  readonly by_slot: readonly (Pick<GapRow, 'tool' | 'slot' | 'kind' | 'owner'> & GapCount & { n: number })[];
  readonly by_owner: readonly ({ readonly owner: GapOwner } & GapCount)[];
  readonly by_kind: readonly ({ readonly kind: GapKind } & GapCount)[];
  /** By the UTC day of the run. Days without a gap are there too. */
  readonly by_day: readonly ({ readonly day: string; readonly n: number } & GapCount)[];
  /** Of `tool` and `call_id` only. */
  readonly execution: ExecutionRate;
  /** Of `tool` and `call_id` only. */
  readonly questions: QuestionRate;
  /**
   * Requirements that were not met, apart: nothing is missing there. They have no kind and no owner, so a query by these has none.
   */
  readonly unmet: readonly (Omit<UnmetRow, 'call_id'> & { readonly count: number; readonly calls: number })[];
  /** What people said was wrong of calls that ran, apart: nothing was missing there. */
  readonly incidents: IncidentSummary;
}

const FILTERS = ['call_id', 'tool', 'slot', 'kind', 'owner'] as const;
type Filter = Record<(typeof FILTERS)[number], string>;
type Group = 'slot' | 'owner' | 'kind' | 'day' | 'none';

export interface Gaps {
  list(query?: GapsQuery): Iterable<GapRow>;
  summary(query?: GapsQuery): GapSummary;
}

export function gapsOn(side: Side): Gaps {
  const pageFor = keptBy(shapeOf, (query) => preparePage(side, query));
  const judgedFor = keptBy(shapeOf, (query) => prepareJudged(side, query));
  const unmetFor = keptBy(shapeOf, (query) => prepareUnmet(side, query));
  const incidents = incidentsOn(side);
  const groupFor = keptBy(
    (of: { by: Group; query: GapsQuery }) => `${of.by} ${shapeOf(of.query)}`,
    ({ by, query }) => prepareGroup(side, by, query),
  );
  const valuesOf = (query: GapsQuery): Filter => ({
    call_id: query.call_id ?? '',
    tool: query.tool ?? '',
    slot: query.slot ?? '',
    kind: query.kind ?? '',
    owner: query.owner ?? '',
  });
  const grouped = <R>(by: Group, query: GapsQuery): R[] =>
    groupFor({ by, query }).all(valuesOf(query)) as R[];

  return {
    *list(query = {}) {
      const page = pageFor(query);
      let at = { call: -1, seq: -1 };
      for (;;) {
        const rows = page.all({ ...valuesOf(query), ...at, rows: PAGE });
        for (const { call, seq, ...gap } of rows) yield gap as GapRow;
        const last = rows.at(-1);
        if (last === undefined || rows.length < PAGE) return;
        at = { call: last.call, seq: last.seq };
      }
    },
    summary(query = {}) {
      const judged = judgedFor(query).all(valuesOf(query));
      const nOfTool = new Map<string, number>();
      const nOfDay = new Map<string, number>();
      let n = 0;
      let stopped = 0;
      let resumed = 0;
      let asked = 0;
      let started = 0;
      for (const row of judged) {
        n += row.n;
        stopped += row.stopped;
        resumed += row.resumed;
        asked += row.asked;
        started += row.started;
        nOfTool.set(row.tool, (nOfTool.get(row.tool) ?? 0) + row.n);
        nOfDay.set(row.day as string, (nOfDay.get(row.day as string) ?? 0) + row.n);
      }
      const days = new Map(
        grouped<{ day: string } & GapCount>('day', query).map((count) => [count.day, count]),
      );
      const bySlot = grouped<Omit<GapSummary['by_slot'][number], 'n'>>('slot', query);
      return {
        n,
        ...(grouped<GapCount>('none', query)[0] as GapCount),
        by_slot: bySlot.map((count) => ({ ...count, n: nOfTool.get(count.tool) ?? 0 })),
        by_owner: grouped('owner', query),
        by_kind: grouped('kind', query),
        by_day: [...nOfDay].map(([day, ofDay]) => ({ day, n: ofDay, ...NONE, ...days.get(day) })),
        execution: executionRate(stopped, resumed),
        questions: questionRate(asked, started),
        unmet:
          query.kind === undefined && query.owner === undefined ? unmetFor(query).all(valuesOf(query)) : [],
        incidents: incidents(query),
      } as GapSummary;
    },
  };
}

function shapeOf(query: GapsQuery): string {
  return FILTERS.filter((filter) => query[filter] !== undefined).join(' ');
}

const NONE: GapCount = { gaps: 0, calls: 0 };
const PAGE = 256;
const calls = sql<number>`count(distinct call)`.as('calls');

function preparePage(side: Side, query: GapsQuery) {
  return side.prepare((q, param: Param<Filter & { call: number; seq: number; rows: number }>) => {
    let page = q
      .selectFrom('side_gaps as g')
      .innerJoin('side_calls as c', 'c.position', 'g.call')
      .select(['g.call', 'g.seq', 'c.call_id', 'g.tool', 'g.slot', 'g.kind', 'g.owner', 'g.reason'])
      .select(['g.route', 'g.declared_by'])
      .where(sql<boolean>`(g.call, g.seq) > (${param('call')}, ${param('seq')})`)
      .orderBy('g.call')
      .orderBy('g.seq')
      .limit(sql<number>`${param('rows')}`);
    if (query.call_id !== undefined) page = page.where('c.call_id', '=', param('call_id'));
    for (const name of COLUMNS) {
      if (query[name] !== undefined) page = page.where(`g.${name}`, '=', param(name));
    }
    return page;
  });
}

const COLUMNS = ['tool', 'slot', 'kind', 'owner'] as const;

function prepareGroup(side: Side, by: Group, query: GapsQuery) {
  return side.prepare((q, param: Param<Filter>) => {
    let rows = q.selectFrom('side_gaps').select([sql<number>`count(*)`.as('gaps'), calls]);
    if (query.call_id !== undefined) {
      const own = q.selectFrom('side_calls').select('position').where('call_id', '=', param('call_id'));
      rows = rows.where('call', 'in', own);
    }
    for (const name of COLUMNS) if (query[name] !== undefined) rows = rows.where(name, '=', param(name));
    if (by === 'none') return rows;
    if (by === 'slot') {
      return rows
        .select(['tool', 'slot', 'kind', 'owner'])
        .groupBy(['tool', 'slot', 'kind', 'owner'])
        .orderBy('gaps', 'desc')
        .orderBy('tool')
        .orderBy('slot')
        .orderBy('kind')
        .orderBy('owner');
    }
    if (by === 'day') return rows.select(by).groupBy(by).orderBy(by);
    return rows.select(by).groupBy(by).orderBy('gaps', 'desc').orderBy(by);
  });
}

function prepareJudged(side: Side, query: GapsQuery) {
  return side.prepare((q, param: Param<Filter>) => {
    let rows = q
      .selectFrom('side_calls')
      .select(['tool', 'day', sql<number>`count(*)`.as('n')])
      .select([sql<number>`sum(stopped)`.as('stopped'), sql<number>`sum(resumed)`.as('resumed')])
      .select([sql<number>`sum(asked)`.as('asked'), sql<number>`sum(started)`.as('started')])
      .where('verdict', 'is not', null)
      .groupBy(['day', 'tool'])
      .orderBy('day')
      .orderBy('tool');
    if (query.tool !== undefined) rows = rows.where('tool', '=', param('tool'));
    if (query.call_id !== undefined) rows = rows.where('call_id', '=', param('call_id'));
    return rows;
  });
}

function prepareUnmet(side: Side, query: GapsQuery) {
  return side.prepare((q, param: Param<Filter>) => {
    let rows = q
      .selectFrom('side_unmet')
      .select(['tool', 'slot', 'reason', 'declared_by', sql<number>`count(*)`.as('count'), calls])
      .groupBy(['tool', 'slot', 'reason', 'declared_by'])
      .orderBy('count', 'desc')
      .orderBy('tool')
      .orderBy('slot')
      .orderBy('reason')
      .orderBy('declared_by');
    if (query.call_id !== undefined) {
      const own = q.selectFrom('side_calls').select('position').where('call_id', '=', param('call_id'));
      rows = rows.where('call', 'in', own);
    }
    for (const name of ['tool', 'slot'] as const) {
      if (query[name] !== undefined) rows = rows.where(name, '=', param(name));
    }
    return rows;
  });
}
