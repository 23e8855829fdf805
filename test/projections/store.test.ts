import { describe, expect, it } from 'vitest';
import { streamOf } from '../../src/events/index.ts';
import {
  type NewEvent,
  openMemoryLog,
  openSqliteLogSync,
  type SqliteLog,
  type SyncLog,
} from '../../src/log/index.ts';
import { type Projections, projectionsOf } from '../../src/projections/index.ts';
import { DDL, statementsFor, type Tables } from '../../src/projections/tables.ts';
import { freshFiles } from '../log/folder.ts';
import { blank, judged, observed, refused, start, succeeded, unknown, uuid, verdict } from './history.ts';
import { watched } from './watched-log.ts';

const fresh = freshFiles();

function put(log: SyncLog, call: string, ...events: NewEvent[]): void {
  log.appendSync([{ writes: [{ stream: streamOf.call(call), expected: 'any', events }] }]);
}

const CALLS = [0x1111aaaa, 0x2222bbbb, 0x2222bccc, 0x3333cccc].map(uuid) as [string, string, string, string];
const RUNS = [0xaaaa0001, 0xaaaa0002, 0xaaaa0003].map(uuid) as [string, string, string];
const FILE = 'chats/may.jsonl';
const asks = unknown('/items/0/id');
const unmet = { slot: 'limit', reason: 'condition_false', declared_by: 'user', requested_by: null } as const;

/** Four calls: denied, audited and wrong, carried out, observed outside of the gate. */
function fill(log: SyncLog): void {
  const tool = (name: string) => ({ stream: streamOf.tool('', name), digest: verdict().rests_on.tool });
  put(
    log,
    CALLS[0],
    ...judged(RUNS[0], blank(asks, unknown('/items/1/id'), unknown('when_open'))),
    refused(RUNS[0]),
  );
  put(
    log,
    CALLS[1],
    ...judged(
      RUNS[1],
      verdict({
        kind: 'unmet',
        slots: [asks],
        unmet: [unmet],
        reductions: [{ kind: 'member', slot: '/a', declared_by: 'system' }],
      }),
      { origin: { file: FILE, line: 3, message: 7 }, tool: tool('refund') },
      '2026-05-02T23:59:59.999Z',
    ),
    observed({ tool: 'refund' }),
  );
  put(log, CALLS[2], ...judged(RUNS[2]), start(RUNS[2], uuid(0x20)), succeeded(uuid(0x20)));
  const origin = { file: 'other.jsonl', line: 3, message: 9 };
  put(log, CALLS[3], observed({ tool: '__proto__', gated: false, origin }));
}

async function withLog(
  use: (projections: Projections, log: SqliteLog, file: string) => unknown,
): Promise<void> {
  const file = fresh();
  const log = openSqliteLogSync({ file, create: true });
  const projections = projectionsOf(log);
  fill(log);
  projections.catchUp();
  try {
    await use(projections, log, file);
  } finally {
    await log.close();
  }
}

const ids = (calls: Iterable<{ call_id: string }>): string[] => [...calls].map(({ call_id }) => call_id);

describe('calls', () => {
  it('are listed in the order of the log, denied ones too', () =>
    withLog((projections) => {
      expect([...projections.calls()].map(({ call_id, outcome }) => [call_id, outcome])).toEqual([
        [CALLS[0], 'not_executed'],
        [CALLS[1], 'succeeded'],
        [CALLS[2], 'succeeded'],
        [CALLS[3], 'succeeded'],
      ]);
    }));

  it('are listed by tool, verdict, file and grounds, from a call on, and so many', () =>
    withLog((projections) => {
      expect(ids(projections.calls({ tool: 'refund' }))).toEqual([CALLS[1]]);
      expect(ids(projections.calls({ verdict: 'executable' }))).toEqual([CALLS[2]]);
      expect(ids(projections.calls({ file: FILE }))).toEqual([CALLS[1]]);
      expect(ids(projections.calls({ without_grounds: true }))).toEqual([CALLS[1]]);
      expect(ids(projections.calls({ without_grounds: false, tool: 'transfer' }))).toEqual([
        CALLS[0],
        CALLS[2],
      ]);
      expect(ids(projections.calls({ after: CALLS[0], limit: 2 }))).toEqual([CALLS[1], CALLS[2]]);
      expect(ids(projections.calls({ limit: 0 }))).toEqual([]);
      expect(() => ids(projections.calls({ after: 'nobody' }))).toThrow(
        expect.objectContaining({ code: 'projections/no-such-call' }),
      );
    }));

  it('are listed over any number of pages while more are written', () =>
    withLog((projections, log) => {
      const more = Array.from({ length: 600 }, (_, n) => streamOf.call(uuid(0x50000 + n)));
      log.appendSync([
        { writes: more.map((stream) => ({ stream, expected: 'none', events: [observed()] })) },
      ]);
      projections.catchUp();
      const seen: string[] = [];
      for (const { call_id } of projections.calls({ tool: 'transfer' })) {
        if (seen.length === 10) put(log, uuid(0x60000), observed());
        seen.push(call_id);
      }
      expect([seen.length, new Set(seen).size]).toEqual([602, 602]);
    }));

  it('are found alone without reading the log, by one search of an index', () =>
    withLog((projections, log) => {
      const row = projections.call(CALLS[1]);
      expect([row?.call_id, projections.call('nobody'), projections.place('nobody')]).toEqual([
        CALLS[1],
        null,
        null,
      ]);
      const place = projections.place(CALLS[1]);
      expect(place?.run).toEqual({ from: 0, to: 3 });
      const read = [
        ...log.readSync({ stream: place?.stream as string, fromVersion: 0, toVersion: 3 }),
      ].flat();
      expect(read.map(({ type }) => type)).toEqual(['RunStarted', 'LookupPerformed', 'VerdictRecorded']);
      expect(read[0]?.position).toBe(place?.position);

      const side = log.sideTables<Tables>(DDL);
      const { row: one, place: where } = statementsFor(side);
      for (const statement of [one, where]) {
        const database = statement.statement.database;
        const plan = database.prepare(`EXPLAIN QUERY PLAN ${statement.sql}`).all('x') as { detail: string }[];
        expect(plan.map(({ detail }) => detail)).toEqual([
          expect.stringMatching(
            /^SEARCH side_calls USING INDEX sqlite_autoindex_side_calls_1 \(call_id=\?\)$/,
          ),
        ]);
      }
    }));
});

describe('finding a call', () => {
  const call = (n: 0 | 1 | 2 | 3) => ({ kind: 'call', call_id: CALLS[n] });
  it.each([
    ['its id', CALLS[0], call(0)],
    ['its id as a stream', `call/${CALLS[0]}`, call(0)],
    ['its run’s id', RUNS[1], call(1)],
    ['the beginning of its id', '1111', call(0)],
    ['the beginning with call_', 'call_1111aa', call(0)],
    ['the beginning as a view shortens it', '1111aaaa…', call(0)],
    ['the beginning in capitals', '3333CCCC', call(3)],
    ['the beginning of its run’s id', 'aaaa0003', call(2)],
    ['where it was imported from', `${FILE}:3:7`, call(1)],
    ['the end of that path', 'may.jsonl:3:7', call(1)],
    ['line and message', '3:9', call(3)],
  ])('by %s', (_, ref, found) =>
    withLog((projections) => {
      expect(projections.find(ref)).toEqual(found);
    }),
  );

  it('gives all that a beginning could mean', () =>
    withLog((projections) => {
      expect(projections.find('2222b')).toEqual({
        kind: 'several',
        calls: [
          { call_id: CALLS[1], ref: CALLS[1], tool: 'refund' },
          { call_id: CALLS[2], ref: CALLS[2], tool: 'transfer' },
        ],
      });
    }));

  it.each([
    ['another character', '1111abaa'],
    ['one left out', '111aaaa-00'],
    ['one too many', '11111aaaa-0'],
    ['the first one wrong', 'f111aaaa'],
    ['two swapped', '1111aaa-a'],
    ['a beginning too short to mean it', '111'],
  ])('offers the closest for a slip: %s', (_, ref) =>
    withLog((projections) => {
      const found = projections.find(ref);
      expect(found.kind).toBe('none');
      if (found.kind === 'none') {
        expect(found.closest[0]?.call_id).toBe(CALLS[0]);
        expect(found.closest.length).toBeLessThanOrEqual(3);
        expect(new Set(ids(found.closest)).size).toBe(found.closest.length);
      }
    }),
  );

  it('offers nothing that is unlike what was typed', () =>
    withLog((projections) => {
      for (const ref of ['zzzz', 'rent-march', 'ffff0000-1234'])
        expect(projections.find(ref)).toEqual({ kind: 'none', closest: [] });
    }));

  it('offers the messages nearby for a place where no call was', () =>
    withLog((projections) => {
      expect(projections.find(`${FILE}:3:8`)).toEqual({
        kind: 'none',
        closest: [
          { call_id: CALLS[1], ref: `${FILE}:3:7`, tool: 'refund' },
          { call_id: CALLS[3], ref: 'other.jsonl:3:9', tool: '__proto__' },
        ],
      });
      expect(projections.find('99:1')).toEqual({ kind: 'none', closest: [] });
    }));

  it('asks as many index ranges of a large log as of a small one', async () => {
    const log = openSqliteLogSync({ file: fresh(), create: true });
    let statements = 0;
    const counted = watched(log, {
      all: (rows) => {
        statements += 1;
        expect(rows.length).toBeLessThanOrEqual(12);
      },
    });
    const projections = projectionsOf(counted);
    const costs: number[] = [];
    for (const upTo of [20, 2000]) {
      const writes = [];
      for (let n = upTo === 20 ? 0 : 20; n < upTo; n++) {
        const call = uuid((n * 2_654_435_761) % 2 ** 32);
        writes.push({ stream: streamOf.call(call), expected: 'any' as const, events: [observed()] });
      }
      log.appendSync([{ writes }]);
      projections.catchUp();
      statements = 0;
      expect(projections.find('zzzz0000').kind).toBe('none');
      costs.push(statements);
    }
    expect(Math.max(...costs)).toBeLessThan(900);
    await log.close();
  });
});

describe('gaps and summary', () => {
  it('count blanks by tool, slot, owner, kind and day, each with its n', () =>
    withLog((projections) => {
      const gaps = [...projections.gaps()];
      expect(gaps.map(({ call_id, slot }) => [call_id, slot])).toEqual([
        [CALLS[0], '/items/*/id'],
        [CALLS[0], '/items/*/id'],
        [CALLS[0], 'when_open'],
        [CALLS[1], '/items/*/id'],
      ]);
      expect([...projections.gaps({ kind: 'condition', tool: 'transfer', owner: 'asking' })]).toEqual([
        gaps[2],
      ]);
      expect([...projections.gaps({ call_id: CALLS[1], slot: '/items/*/id' })]).toEqual([gaps[3]]);
      expect(projections.gapSummary()).toEqual({
        n: 3,
        incidents: { incidents: 0, calls: 0, by_slot: [] },
        gaps: 4,
        execution: { stopped: 1, executed: 0, rate: 0 },
        questions: { asked: 0, started: 1, per_started_call: 0 },
        calls: 2,
        by_slot: [
          { tool: 'transfer', slot: '/items/*/id', kind: 'value', owner: 'asking', gaps: 2, calls: 1, n: 2 },
          { tool: 'refund', slot: '/items/*/id', kind: 'value', owner: 'asking', gaps: 1, calls: 1, n: 1 },
          {
            tool: 'transfer',
            slot: 'when_open',
            kind: 'condition',
            owner: 'asking',
            gaps: 1,
            calls: 1,
            n: 2,
          },
        ],
        by_owner: [{ owner: 'asking', gaps: 4, calls: 2 }],
        by_kind: [
          { kind: 'value', gaps: 3, calls: 2 },
          { kind: 'condition', gaps: 1, calls: 1 },
        ],
        by_day: [
          { day: '2026-05-01', n: 2, gaps: 3, calls: 1 },
          { day: '2026-05-02', n: 1, gaps: 1, calls: 1 },
        ],
        unmet: [
          {
            tool: 'refund',
            slot: 'limit',
            reason: 'condition_false',
            declared_by: 'user',
            count: 1,
            calls: 1,
          },
        ],
      });
      expect(projections.gapSummary({ tool: 'transfer', kind: 'value' })).toMatchObject({
        n: 2,
        gaps: 2,
        calls: 1,
        unmet: [],
      });
    }));

  it('go when a newer run of the call has none', () =>
    withLog((projections, log) => {
      put(log, CALLS[0], ...judged(uuid(0xbbbb0001)));
      projections.catchUp();
      expect([...projections.gaps({ call_id: CALLS[0] })]).toEqual([]);
    }));

  it('sum up what the calls have come to', () =>
    withLog((projections) => {
      const none = { calls: 1, executable: 0, ran_without_grounds: 0 };
      expect(projections.summary()).toEqual({
        calls: 4,
        executable: 1,
        ran_without_grounds: 1,
        by_tool: Object.fromEntries([
          ['__proto__', none],
          ['refund', { ...none, ran_without_grounds: 1 }],
          ['transfer', { calls: 2, executable: 1, ran_without_grounds: 0 }],
        ]),
        by_verdict: {
          executable: 1,
          schedulable: 0,
          unknown: 1,
          unmet: 1,
          intent_undetermined: 0,
          tool_undetermined: 0,
          definition_repair: 0,
          none: 1,
        },
        gaps: {
          total: 4,
          by_kind: { value: 3, condition: 1, intent: 0 },
          by_owner: {
            asking: 4,
            integration: 0,
            declarer: 0,
            implementation: 0,
            conversation_design: 0,
            undetermined: 0,
          },
        },
        reductions: { member: 1 },
        questions: {
          asked_if_live: 3,
          per_executed_call: 1,
          live: { asked: 0, started: 1, per_started_call: 0 },
        },
        execution: { stopped: 1, executed: 0, rate: 0 },
      });
    }));

  it('of an empty log are empty, and have no ratio', async () => {
    const projections = projectionsOf(openMemoryLog());
    projections.catchUp();
    expect(projections.summary()).toMatchObject({
      calls: 0,
      questions: {
        asked_if_live: 0,
        per_executed_call: null,
        live: { asked: 0, started: 0, per_started_call: null },
      },
    });
    expect(projections.gapSummary()).toMatchObject({ n: 0, gaps: 0, calls: 0, by_day: [] });
  });
});

describe('catching up', () => {
  it('writes nothing where the log has not grown, and tells how far it is', () =>
    withLog((projections, log) => {
      expect(projections.catchUp({ progress: () => expect.unreachable('nothing to do') })).toEqual({
        done: log.sizeSync(),
        of: log.sizeSync(),
      });
      put(log, CALLS[0], observed());
      expect(projections.behind()).toEqual({ done: log.sizeSync() - 1, of: log.sizeSync() });
      const told: number[] = [];
      projections.rebuild({ batch: 5, progress: ({ done }) => told.push(done) });
      expect(told.slice(0, 2)).toEqual([5, 10]);
      expect(told.at(-1)).toBe(log.sizeSync());
    }));

  it('folds tables of another fold anew', () =>
    withLog((projections, log) => {
      const before = [...projections.calls()];
      const side = log.sideTables<Tables>(DDL);
      side.prepare((q) => q.updateTable('side_calls_checkpoint').set({ fold: 0 })).run({});
      side.prepare((q) => q.updateTable('side_calls').set({ row: '{}' })).run({});
      projections.catchUp();
      expect([...projections.calls()]).toEqual(before);
    }));

  it('of a read-only log uses its tables where they are up to date, and memory where they are not', () =>
    withLog(async (projections, log, file) => {
      const rows = [...projections.calls()];
      const upToDate = openSqliteLogSync({ file, readonly: true });
      expect([...projectionsOf(upToDate).calls()]).toEqual(rows);
      await upToDate.close();

      put(log, CALLS[0], observed());
      const behind = openSqliteLogSync({ file, readonly: true });
      const inMemory = projectionsOf(behind);
      expect(inMemory.behind()).toEqual({ done: 0, of: log.sizeSync() });
      inMemory.catchUp();
      expect(inMemory.call(CALLS[0])?.outcome).toBe('succeeded');
      inMemory.rebuild();
      expect(projections.behind().done).toBe(log.sizeSync() - 1);
      projections.catchUp();
      expect([...inMemory.calls()]).toEqual([...projections.calls()]);
      await behind.close();
    }));

  it('of a log in memory, or one that never had tables, gives the same', async () => {
    const memory = openMemoryLog();
    const file = fresh();
    const log = openSqliteLogSync({ file, create: true });
    for (const one of [memory, log]) fill(one);
    const readonly = openSqliteLogSync({ file, readonly: true });
    const views = [memory, readonly].map(projectionsOf);
    for (const view of views) view.catchUp();
    const kept = projectionsOf(log);
    kept.catchUp();
    for (const view of views) {
      expect(view.summary()).toEqual(kept.summary());
      expect(view.find('1111')).toEqual({ kind: 'call', call_id: CALLS[0] });
    }
    await readonly.close();
    await log.close();
  });
});
