import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { streamOf } from '../../src/events/index.ts';
import { type NewEvent, openSqliteLogSync, type SqliteLog } from '../../src/log/index.ts';
import { gapsOf, type Projections, projectionsOf } from '../../src/projections/index.ts';
import { DDL, type Tables } from '../../src/projections/tables.ts';
import { freshFiles } from '../log/folder.ts';
import { type BaselinesState, foldBaselines, NO_BASELINES } from './fold-baselines.ts';
import {
  blank,
  event,
  failed,
  judged,
  lost,
  observed,
  reconciled,
  refused,
  start,
  succeeded,
  unknown,
  uuid,
  verdict,
} from './history.ts';
import { watched } from './watched-log.ts';

const fresh = freshFiles();

type Fact = { readonly call: number; readonly run: number; readonly what: number };
type Action =
  | { readonly do: 'append'; readonly facts: readonly Fact[] }
  | { readonly do: 'catchUp' | 'rebuild'; readonly by: 0 | 1; readonly batch: number }
  | {
      readonly do: 'crash';
      readonly by: 0 | 1;
      readonly batch: number;
      readonly at: number;
      readonly rebuild: boolean;
    }
  | { readonly do: 'reopen'; readonly by: 0 | 1 };

const fact = fc.record({ call: fc.nat(3), run: fc.nat(2), what: fc.nat(14) });
const by = fc.constantFrom(0 as const, 1 as const);
const batch = fc.integer({ min: 1, max: 9 });
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      facts: fc.array(fact, { minLength: 1, maxLength: 6 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('catchUp' as const), by, batch }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rebuild' as const), by, batch }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('crash' as const),
      by,
      batch,
      at: fc.nat(30),
      rebuild: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const), by }) },
);

/** What can happen to a call, sensible or not: a fold takes whatever the log holds. */
function eventsOf({ call, run, what }: Fact): readonly NewEvent[] {
  const id = uuid(0x100 + call * 16 + run);
  const begun = uuid(0x900 + call * 16 + run);
  const key = { action_key: { state: 'ok' as const, key: `key-${run}` } };
  const kinds: readonly (() => readonly NewEvent[])[] = [
    () => judged(id, verdict(), key),
    () => judged(id, verdict(), { ...key, origin: { file: `f${call}`, line: run + 1, message: call } }),
    () => judged(id, blank(unknown('/items/0/id'), unknown('/items/1/id')), key, '2026-05-02T00:00:00.000Z'),
    () => judged(id, blank(unknown('/a'), unknown('c', 'no_answer', 'system_lookup')), { gated: run > 0 }),
    () =>
      judged(
        id,
        verdict({
          kind: 'unmet',
          unmet: [{ slot: 'limit', reason: 'condition_false', declared_by: 'user', requested_by: null }],
          reductions: [{ kind: 'member', slot: '/a', declared_by: 'system' }],
        }),
        { origin: { file: `f${call}`, line: run + 1, message: call } },
      ),
    () => [start(id, begun)],
    () => [start(id, begun)],
    () => [succeeded(begun)],
    () => [failed(begun)],
    () => [lost(begun)],
    () => [reconciled(begun, 'succeeded')],
    () => [observed({ gated: run > 0, outcome: run === 1 ? 'unknown' : 'succeeded' })],
    () => [refused(id)],
    () => [
      event('IncidentReported', {
        run: id,
        slots: run === 0 ? [] : ['/items/1/id', 'act'],
        text: { plain: 'That was wrong.' },
        by: null,
        happened_at: null,
      }),
    ],
    () => [
      event('CallReconciled', {
        start: begun,
        outcome: 'failed',
        by: 'reported',
        result: null,
        responder: null,
      }),
    ],
  ];
  return (kinds[what] as (typeof kinds)[number])();
}

const noise = (): NewEvent =>
  event('QuestionAsked', {
    run: null,
    about: 'intent',
    slots: [],
    text: { plain: 'When?' },
    shown: [],
    tool: null,
    notices: [],
  });

/** A process that dies at the n-th write of a side table: what its transaction had written is gone. */
function dying(log: SqliteLog, at: number): SqliteLog {
  let left = at;
  return watched(log, {
    run: () => {
      left -= 1;
      if (left < 0) throw new Error('killed');
    },
  });
}

const TABLES = ['side_calls', 'side_runs', 'side_gaps', 'side_unmet', 'side_baselines'] as const;

function dump(log: SqliteLog): unknown {
  const side = log.sideTables<Tables>(DDL);
  return [...TABLES, 'side_calls_checkpoint' as const].map((table) => {
    const rows = side.prepare((q) => q.selectFrom(table).selectAll()).all({});
    return [table, rows.map((row) => JSON.stringify(row)).sort()];
  });
}

/** The same by the pure folds alone, event by event. */
function folded(log: SqliteLog): { calls: unknown; gaps: unknown; baselines: unknown } {
  let state: BaselinesState = NO_BASELINES;
  const gaps = new Map<string, unknown>();
  for (const page of log.readSync({})) {
    for (const row of page) {
      if (!row.stream.startsWith('call/')) continue;
      state = foldBaselines(state, row);
      const call = state.calls.get(row.stream);
      if (row.type === 'RunStarted') gaps.set(row.stream, []);
      if (row.type === 'VerdictRecorded' && call !== undefined) {
        const { verdict: found } = row.event.data as { verdict: never };
        gaps.set(row.stream, call.memory.run?.gated === true ? gapsOf(call.row, found).gaps : []);
      }
    }
  }
  const inOrder = [...state.calls].sort(([, a], [, b]) => a.place.position - b.place.position);
  return {
    calls: inOrder.map(([, { row, place }]) => [row, place]),
    gaps: inOrder.flatMap(([stream]) => gaps.get(stream) ?? []),
    baselines: ['key-0', 'key-1', 'key-2'].map((key) => state.baselines.get(key) ?? null),
  };
}

function answers(projections: Projections): ReturnType<typeof folded> {
  return {
    calls: [...projections.calls()].map((row) => [row, projections.place(row.call_id)]),
    gaps: [...projections.gaps()],
    baselines: ['key-0', 'key-1', 'key-2'].map((key) => projections.baseline(key)),
  };
}

describe('law 18', () => {
  test.prop([fc.array(action, { maxLength: 14 })], { numRuns: 40 })(
    'what was kept is what is rebuilt, and what the pure folds say, however it came about',
    async (actions) => {
      const file = fresh();
      const open = (): SqliteLog => openSqliteLogSync({ file, create: true });
      const logs = [open(), open()] as [SqliteLog, SqliteLog];
      const views = logs.map(projectionsOf) as [Projections, Projections];
      for (const one of actions) {
        if (one.do === 'append') {
          const writes = one.facts.map((known) => ({
            stream: streamOf.call(uuid(0x40 + known.call)),
            expected: 'any' as const,
            events: eventsOf(known),
          }));
          const aside = { stream: streamOf.request(uuid(0xa0)), expected: 'any' as const, events: [noise()] };
          logs[0].appendSync([{ writes: [...writes, aside] }]);
        } else if (one.do === 'reopen') {
          await logs[one.by].close();
          logs[one.by] = open();
          views[one.by] = projectionsOf(logs[one.by]);
        } else if (one.do === 'crash') {
          const doomed = projectionsOf(dying(logs[one.by], one.at));
          try {
            if (one.rebuild) doomed.rebuild({ batch: one.batch });
            else doomed.catchUp({ batch: one.batch });
          } catch (error) {
            expect(error).toMatchObject({ message: 'killed' });
          }
        } else {
          const at = views[one.by][one.do]({ batch: one.batch });
          expect(at.done).toBe(logs[0].sizeSync());
        }
      }
      views[0].catchUp({ batch: 5 });
      const kept = dump(logs[0]);
      expect(answers(views[1])).toEqual(folded(logs[0]));
      views[1].rebuild();
      expect(dump(logs[0])).toEqual(kept);
      for (const log of logs) await log.close();
    },
  );

  test('the harness can go red: a row that the fold did not make is found', async () => {
    const log = openSqliteLogSync({ file: fresh(), create: true });
    const projections = projectionsOf(log);
    log.appendSync([
      { writes: [{ stream: streamOf.call(uuid(1)), expected: 'none', events: judged(uuid(2)) }] },
    ]);
    projections.catchUp();
    const kept = dump(log);
    log
      .sideTables<Tables>(DDL)
      .prepare((q) => q.updateTable('side_calls').set({ tool: 'other' }))
      .run({});
    expect(dump(log)).not.toEqual(kept);
    projections.rebuild();
    expect(dump(log)).toEqual(kept);
    await log.close();
  });
});
