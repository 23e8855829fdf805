import { sql } from 'kysely';
import type { DataOf } from '../events/index.ts';
import type { Verdict } from '../events/verdict.ts';
import type { GapKind, GapOwner, Source } from '../events/vocabulary.ts';
import { keptBy, type Param, type SyncLog } from '../log/index.ts';
import { attributionOf } from './attribution.ts';
import type { CallState, Folded } from './calls.ts';
import type { GapsQuery } from './gap-list.ts';
import { patternOf } from './gaps.ts';
import type { Side } from './tables.ts';
import { kindOfSlot } from './verdict-facts.ts';

/** One slot that somebody said was wrong in a call that ran; without a slot, the call as a whole. */
export interface IncidentRow {
  /** The pattern, as in `GapRow`; '' where nobody said what was wrong. */
  readonly slot: string;
  /** null: nobody knows. */
  readonly kind: GapKind | null;
  /** Whose work it is: of a slot that was confirmed, the keeper of its origin. */
  readonly owner: GapOwner;
  /** Where the value first came from; null where the verdict does not tell. */
  readonly origin: Source | null;
}

/** The rows of one report, read from the run that it is about: whatever came after it says nothing of it. */
export function incidentRows(log: SyncLog, { row, place }: CallState, reported: Folded): IncidentRow[] {
  const { run, slots } = reported.event.data as DataOf<'IncidentReported'>;
  if (slots.length === 0) return [{ slot: '', kind: null, owner: 'undetermined', origin: null }];
  const verdict = run === null ? null : verdictOf(log, place.stream, run, reported.version);
  return slots.map((slot) => {
    const { state, owner, origin } = attributionOf(verdict, slot);
    const intent = verdict?.intent.some((each) => each.slot === slot) === true;
    return {
      slot: intent ? slot : patternOf(slot, row.arguments),
      kind: state === null ? null : intent ? 'intent' : kindOfSlot(slot),
      owner,
      origin,
    };
  });
}

function verdictOf(log: SyncLog, stream: string, run: string, toVersion: number): Verdict | null {
  let own = false;
  for (const page of log.readSync({ stream, types: ['RunStarted', 'VerdictRecorded'], toVersion })) {
    for (const { type, event } of page) {
      if (type === 'RunStarted') own = (event.data as DataOf<'RunStarted'>).run === run;
      else if (own) return (event.data as DataOf<'VerdictRecorded'>).verdict;
    }
  }
  return null;
}

/** What was said to be wrong of calls that ran, by what it leads to. */
export interface IncidentSummary {
  /** Reports, and the calls that they are about. */
  readonly incidents: number;
  readonly calls: number;
  /** The most frequent first. */
  readonly by_slot: readonly (IncidentRow & {
    readonly tool: string;
    readonly incidents: number;
    readonly calls: number;
  })[];
}

const COLUMNS = ['tool', 'slot', 'kind', 'owner'] as const;
const COUNTS = [
  sql<number>`count(distinct position)`.as('incidents'),
  sql<number>`count(distinct call)`.as('calls'),
] as const;

/** Of any of `GapsQuery`: a report that names several slots counts once where one of them fits. */
export function incidentsOn(side: Side): (query: GapsQuery) => IncidentSummary {
  type Filter = Record<keyof GapsQuery, string>;
  const prepare = (query: GapsQuery, bySlot: boolean) =>
    side.prepare((q, param: Param<Filter>) => {
      let rows = q.selectFrom('side_incidents').select(COUNTS);
      if (query.call_id !== undefined) {
        const own = q.selectFrom('side_calls').select('position').where('call_id', '=', param('call_id'));
        rows = rows.where('call', 'in', own);
      }
      for (const name of COLUMNS) if (query[name] !== undefined) rows = rows.where(name, '=', param(name));
      if (!bySlot) return rows;
      return rows
        .select(['tool', 'slot', 'kind', 'owner', 'origin'])
        .groupBy(['tool', 'slot', 'kind', 'owner', 'origin'])
        .orderBy('incidents', 'desc')
        .orderBy('tool')
        .orderBy('slot')
        .orderBy('kind')
        .orderBy('owner')
        .orderBy('origin');
    });
  const shape = (query: GapsQuery): string =>
    ['call_id', ...COLUMNS].filter((name) => query[name as keyof GapsQuery] !== undefined).join(' ');
  const total = keptBy(shape, (query: GapsQuery) => prepare(query, false));
  const grouped = keptBy(shape, (query: GapsQuery) => prepare(query, true));
  return (query) => {
    const values = { call_id: '', tool: '', slot: '', kind: '', owner: '', ...query };
    return {
      ...(total(query).get(values) as Omit<IncidentSummary, 'by_slot'>),
      by_slot: grouped(query).all(values) as unknown as IncidentSummary['by_slot'],
    };
  };
}
