import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openSqliteLog } from '../../src/log/index.ts';
import { commit, rowsOf } from './conformance.ts';
import { freshFiles } from './folder.ts';

const fresh = freshFiles();

/** A log of three events, as a stranger's connection sees it: SQLite's own defaults. */
async function attacked(attack: (db: BetterSqlite3.Database) => void): Promise<string> {
  const file = fresh();
  const log = await openSqliteLog({ file, create: true });
  await log.append(commit('a', 'none', 2));
  await log.append(commit('b', 'none', 1));
  await log.close();
  const db = new BetterSqlite3(file);
  try {
    attack(db);
  } finally {
    db.close();
  }
  return file;
}

const values = "'T', x'7b7d', zeroblob(32)";

describe('the guards in the file', () => {
  it.each([
    ['an UPDATE', "UPDATE events SET bytes = x'00' WHERE position = 1", 'append-only'],
    ['a DELETE', 'DELETE FROM events WHERE position = 2', 'append-only'],
    [
      'an INSERT OR REPLACE of a row',
      `INSERT OR REPLACE INTO events VALUES (1, 'a', 1, ${values})`,
      'end of the log',
    ],
    [
      'an INSERT OR REPLACE through a version',
      `INSERT OR REPLACE INTO events VALUES (3, 'a', 1, ${values})`,
      'end of',
    ],
    ['an INSERT that leaves a gap', `INSERT INTO events VALUES (4, 'a', 2, ${values})`, 'end of the log'],
    ['an INSERT before the end', `INSERT INTO events VALUES (-1, 'a', 2, ${values})`, 'end of the log'],
    ['an INSERT without a position', `INSERT INTO events VALUES (NULL, 'a', 2, ${values})`, 'end of the log'],
    ['a gap in a stream', `INSERT INTO events VALUES (3, 'a', 3, ${values})`, 'of its stream'],
    [
      'an INSERT OR IGNORE out of order',
      `INSERT OR IGNORE INTO events VALUES (9, 'a', 2, ${values})`,
      'end of the log',
    ],
    ['a leaf of another size', "INSERT INTO events VALUES (3, 'a', 2, 'T', x'7b7d', x'00')", 'CHECK'],
    ['another origin', "UPDATE meta SET value = 'x' WHERE key = 'origin'", 'append-only'],
    ['a log without an import key', "DELETE FROM meta WHERE key = 'import_key'", 'append-only'],
  ])('refuse %s, from a stranger with default settings too', async (_, sql, message) => {
    const file = await attacked((db) => {
      expect(() => db.exec(sql)).toThrow(message);
    });
    const log = await openSqliteLog({ file });
    expect((await rowsOf(log)).map((row) => row.position)).toEqual([0, 1, 2]);
    await log.close();
  });

  it.each([
    [
      'a dropped guard',
      'DROP TRIGGER events_no_update',
      { missing: ['events_no_update'], changed: [], foreign: [] },
    ],
    [
      'a guard made harmless',
      'DROP TRIGGER events_no_delete; CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT 1; END',
      { missing: [], changed: ['events_no_delete'], foreign: [] },
    ],
    [
      'a trigger of somebody else',
      'CREATE TRIGGER more AFTER INSERT ON events BEGIN SELECT 1; END',
      { missing: [], changed: [], foreign: ['more'] },
    ],
    ['a foreign table', 'CREATE TABLE other (x)', { missing: [], changed: [], foreign: ['other'] }],
    [
      'a trigger on a side table',
      'CREATE TABLE side_x (x); CREATE TRIGGER side_t AFTER INSERT ON side_x BEGIN SELECT 1; END',
      { missing: [], changed: [], foreign: ['side_t'] },
    ],
    [
      'a side index on the log',
      'CREATE INDEX side_i ON events (type)',
      { missing: [], changed: [], foreign: ['side_i'] },
    ],
  ])('are compared on open, so that %s is reported', async (_, sql, facts) => {
    const file = await attacked((db) => db.exec(sql));
    for (const readonly of [true, false]) {
      await expect(openSqliteLog({ file, readonly })).rejects.toMatchObject({
        code: 'log/schema-differs',
        exit: 4,
        facts: { file, ...facts },
      });
    }
  });

  it('are compared in the stored text, so that a write to the schema itself is reported', async () => {
    const file = await attacked((db) => {
      db.unsafeMode(true);
      db.pragma('writable_schema = ON');
      db.exec("UPDATE sqlite_schema SET sql = replace(sql, 'BLOB NOT NULL', 'BLOB') WHERE name = 'events'");
    });
    await expect(openSqliteLog({ file })).rejects.toMatchObject({ code: 'log/schema-differs', exit: 4 });
  });
});
