import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openSqliteLog, type Param, type SqliteLog } from '../../src/log/index.ts';
import { commit, event } from './conformance.ts';
import { freshFiles } from './folder.ts';

const fresh = freshFiles();

interface Tables {
  side_counts: { stream: string; events: number };
  side_checkpoint: { name: string; position: number };
}

const DDL = [
  'CREATE TABLE side_counts (stream TEXT PRIMARY KEY, events INTEGER NOT NULL) STRICT',
  'CREATE TABLE side_checkpoint (name TEXT PRIMARY KEY, position INTEGER NOT NULL) STRICT',
  'CREATE INDEX side_counts_events ON side_counts (events)',
];

function counting(log: SqliteLog, ddl: readonly string[] = DDL) {
  const side = log.sideTables<Tables>(ddl);
  const count = side.prepare((q, param: Param<{ stream: string }>) =>
    q
      .insertInto('side_counts')
      .values({ stream: param('stream'), events: 1 })
      .onConflict((on) =>
        on.column('stream').doUpdateSet((eb) => ({ events: eb('side_counts.events', '+', 1) })),
      ),
  );
  const mark = side.prepare((q, param: Param<{ position: number }>) =>
    q.replaceInto('side_checkpoint').values({ name: 'counts', position: param('position') }),
  );
  const marked = side.prepare((q) => q.selectFrom('side_checkpoint').select('position'));
  const counts = side.prepare((q) => q.selectFrom('side_counts').selectAll().orderBy('stream'));
  const catchUp = (fail = false): void =>
    side.inTransaction(() => {
      let position = marked.get({})?.position ?? 0;
      for (const page of log.readSync({ from: position })) {
        for (const row of page) count.run({ stream: row.stream });
        position += page.length;
      }
      if (fail) throw new Error('a crash');
      mark.run({ position });
    });
  return { side, catchUp, counts: () => counts.all({}), marked: () => marked.get({})?.position };
}

async function withLog(use: (log: SqliteLog, file: string) => Promise<void>): Promise<void> {
  const file = fresh();
  const log = await openSqliteLog({ file, create: true });
  try {
    await use(log, file);
  } finally {
    await log.close();
  }
}

describe('side tables', () => {
  it('move rows and checkpoint together, or not at all', () =>
    withLog(async (log) => {
      const view = counting(log);
      await log.append({ writes: [...commit('a', 'none', 2).writes, ...commit('b', 'none').writes] });
      view.catchUp();
      await log.append(commit('a', 2));
      expect(() => view.catchUp(true)).toThrow('a crash');
      expect([view.counts(), view.marked()]).toEqual([
        [
          { stream: 'a', events: 2 },
          { stream: 'b', events: 1 },
        ],
        3,
      ]);
      view.catchUp();
      expect([view.counts()[0], view.marked()]).toEqual([{ stream: 'a', events: 3 }, 4]);
    }));

  it('are kept as they are over opening, and leave the schema of the log in order', () =>
    withLog(async (log, file) => {
      const view = counting(log);
      expect(view.side.fresh).toBe(true);
      await log.append(commit('a', 'none'));
      view.catchUp();
      await log.close();
      for (const readonly of [false, true]) {
        const again = await openSqliteLog({ file, readonly });
        const kept = counting(again);
        expect([kept.side.fresh, kept.marked()]).toEqual([false, 1]);
        await again.close();
      }
    }));

  it('are all made anew where one is declared otherwise', () =>
    withLog(async (log) => {
      await log.append(commit('a', 'none'));
      counting(log).catchUp();
      const changed = counting(
        log,
        DDL.map((sql) => sql.replace('events INTEGER', 'events  INTEGER')),
      );
      expect([changed.side.fresh, changed.counts(), changed.marked()]).toEqual([true, [], undefined]);
      changed.catchUp();
      expect(changed.counts()).toEqual([{ stream: 'a', events: 1 }]);
    }));

  it.each([
    ['CREATE TABLE counts (x)'],
    ['DROP TABLE events'],
    ['CREATE TRIGGER side_t AFTER INSERT ON side_x BEGIN SELECT 1; END'],
  ])('refuse %s', (sql) =>
    withLog(async (log) => {
      expect(() => log.sideTables([sql])).toThrow(expect.objectContaining({ code: 'log/bad-side-table' }));
    }),
  );

  it('refuse a transaction in a transaction, an append inside one, and one that waits', () =>
    withLog(async (log) => {
      const { side } = counting(log);
      const nested = expect.objectContaining({ code: 'log/nested-transaction' });
      expect(() => side.inTransaction(() => side.inTransaction(() => 1))).toThrow(nested);
      expect(() => side.inTransaction(() => log.appendSync([commit('a', 'any')]))).toThrow(nested);
      expect(() => side.inTransaction(async () => 1)).toThrow(
        expect.objectContaining({ code: 'log/async-transaction' }),
      );
      expect(await log.append(commit('a', 'none'))).toEqual({ first: 0, next: 1 });
    }));

  it('compile one query to one statement', () =>
    withLog(async (log) => {
      const { side } = counting(log);
      const one = side.prepare((q, param: Param<{ least: number; stream: string }>) =>
        q
          .selectFrom('side_counts')
          .select('stream')
          .where('events', '>=', param('least'))
          .where('stream', '=', param('stream')),
      );
      expect(one.sql).toBe('select "stream" from "side_counts" where "events" >= ? and "stream" = ?');
      expect(one.all({ stream: 'a', least: 1 })).toEqual([]);
    }));
});

describe('compacting', () => {
  it('leaves nothing of deleted side rows in the file or beside it, and every event as it was', () =>
    withLog(async (log, file) => {
      const side = log.sideTables<{ side_secret: { text: string } }>([
        'CREATE TABLE side_secret (text TEXT) STRICT',
      ]);
      const put = side.prepare((q, param: Param<{ text: string }>) =>
        q.insertInto('side_secret').values({ text: param('text') }),
      );
      await log.append({
        writes: [{ stream: 'a', expected: 'none', events: [event('T', 'kept-for-good')] }],
      });
      for (let n = 0; n < 50; n++) put.run({ text: `secret-of-somebody-${n}` });
      side.prepare((q) => q.deleteFrom('side_secret')).run({});
      log.compact();
      const bytes = Buffer.concat([readFileSync(file), readFileSync(`${file}-wal`)]);
      expect(bytes.includes('kept-for-good')).toBe(true);
      expect(bytes.includes('secret-of-somebody')).toBe(false);
      expect(await log.append(commit('a', 1))).toEqual({ first: 1, next: 2 });
    }));
});
