import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openSqliteLog } from '../../src/log/index.ts';
import { mapError } from '../../src/log/map-errors.ts';
import { setPragmas } from '../../src/log/pragmas.ts';
import { APPLICATION_ID } from '../../src/log/schema.ts';
import { commit, rejection, rowsOf } from './conformance.ts';
import { freshFiles } from './folder.ts';

const fresh = freshFiles();

async function filled(): Promise<string> {
  const file = fresh();
  const log = await openSqliteLog({ file, create: true });
  await log.append(commit('a', 'none', 3));
  await log.close();
  return file;
}

function database(build: (db: BetterSqlite3.Database) => void): string {
  const file = fresh();
  const db = new BetterSqlite3(file);
  build(db);
  db.close();
  return file;
}

describe('opening a log', () => {
  it('makes one only where it is told to', async () => {
    const file = fresh();
    expect((await rejection(openSqliteLog({ file }))).code).toBe('log/missing');
    expect((await rejection(openSqliteLog({ file, create: true, readonly: true }))).code).toBe('log/missing');
    expect(existsSync(file)).toBe(false);
    const log = await openSqliteLog({ file, create: true });
    expect(await log.size()).toBe(0);
    await log.close();
  });

  it('keeps origin, import key and time of making, and never writes over a log', async () => {
    const file = fresh();
    const first = await openSqliteLog({ file, create: true });
    await first.append(commit('a', 'none'));
    await first.close();
    const again = await openSqliteLog({ file, create: true });
    expect([again.origin, again.created]).toEqual([first.origin, first.created]);
    expect(again.importKey).toEqual(first.importKey);
    expect(again.importKey).toHaveLength(32);
    expect(first.origin).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect(await again.size()).toBe(1);
    await again.close();
  });

  it('makes it in an empty file, readable by its owner only where it makes the file', async () => {
    const file = fresh();
    const made = await openSqliteLog({ file, create: true });
    await made.close();
    expect(statSync(file).mode & 0o077).toBe(0);
    const empty = fresh();
    writeFileSync(empty, '');
    expect((await rejection(openSqliteLog({ file: empty }))).code).toBe('log/not-a-log');
    const log = await openSqliteLog({ file: empty, create: true });
    expect((await log.append(commit('a', 'none'))).next).toBe(1);
    await log.close();
  });

  it('makes it where another process has opened the file, and not yet made its tables', async () => {
    const file = database((db) => db.pragma('journal_mode = WAL'));
    expect(statSync(file).size).toBeGreaterThan(0);
    expect((await rejection(openSqliteLog({ file }))).code).toBe('log/not-a-log');
    const log = await openSqliteLog({ file, create: true });
    expect((await log.append(commit('a', 'none'))).next).toBe(1);
    await log.close();
  });

  it.each([
    ['text', 'log/not-a-log'],
    ['a folder', 'log/directory'],
  ])('refuses %s', async (what, code) => {
    const file = fresh();
    if (what === 'text') writeFileSync(file, 'not a database at all, but long enough to be one '.repeat(40));
    else mkdirSync(file);
    for (const options of [{ file }, { file, create: true }, { file, readonly: true }]) {
      await expect(openSqliteLog(options)).rejects.toMatchObject({ code, exit: 2 });
    }
  });

  it('refuses a name that SQLite would read as something else', async () => {
    for (const file of ['', ':memory:', 'file:x.db']) {
      expect((await rejection(openSqliteLog({ file, create: true }))).code).toBe('log/bad-file');
    }
  });

  it('refuses a folder that is not there', async () => {
    const file = `${fresh()}/deeper/log.db`;
    expect((await rejection(openSqliteLog({ file, create: true }))).code).toBe('log/missing');
  });

  it("refuses somebody else's database, and changes not a byte of it", async () => {
    const file = database((db) => db.exec('CREATE TABLE users (name)'));
    const before = readFileSync(file);
    for (const options of [{ file }, { file, create: true }]) {
      expect((await rejection(openSqliteLog(options))).code).toBe('log/not-a-log');
    }
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('refuses a log of a newer format, and says which', async () => {
    const file = database((db) => {
      db.pragma(`application_id = ${APPLICATION_ID}`);
      db.exec("CREATE TABLE meta (key TEXT, value, more); INSERT INTO meta VALUES ('format', 2, 0)");
    });
    await expect(openSqliteLog({ file })).rejects.toMatchObject({
      code: 'log/newer',
      exit: 2,
      facts: { format: 2, known: 1 },
    });
  });

  it('reports a log whose tables are gone as changed, not as none', async () => {
    const file = database((db) => {
      db.pragma(`application_id = ${APPLICATION_ID}`);
      db.exec('CREATE TABLE x (y)');
    });
    await expect(openSqliteLog({ file })).rejects.toMatchObject({ code: 'log/schema-differs', exit: 4 });
  });

  it('reports a damaged file as damage', async () => {
    const file = await filled();
    const bytes = readFileSync(file);
    bytes.fill(0xff, 100, 1500);
    writeFileSync(file, bytes);
    await expect(openSqliteLog({ file })).rejects.toMatchObject({ code: 'log/damaged', exit: 4 });
  });

  it('opened to read only, reads and writes nothing', async () => {
    const file = await filled();
    const log = await openSqliteLog({ file, readonly: true });
    expect(await rowsOf(log)).toHaveLength(3);
    expect((await rejection(log.append(commit('a', 'any')))).code).toBe('log/read-only');
    expect(() => log.appendSync([commit('a', 'any')])).toThrow('read only');
    expect(() => log.compact()).toThrow('read only');
    await log.close();
  });

  it('sets every pragma on every open and reads it back, since a second connection starts from others', () => {
    const db = new BetterSqlite3(fresh());
    const pragmas = ['journal_mode', 'synchronous', 'secure_delete', 'recursive_triggers', 'busy_timeout'];
    setPragmas(db, { busyTimeout: 1234 });
    expect(pragmas.map((name) => db.pragma(name, { simple: true }))).toEqual(['wal', 2, 1, 1, 1234]);
    db.close();
  });

  it('refuses to go on where a pragma is not held', () => {
    const db = new BetterSqlite3(':memory:');
    expect(() => setPragmas(db, { busyTimeout: 1 })).toThrow(
      expect.objectContaining({
        code: 'log/pragma',
        facts: { pragma: 'journal_mode', wanted: 'wal', actual: 'memory' },
      }),
    );
    db.close();
    const utf16 = new BetterSqlite3(fresh());
    utf16.pragma("encoding = 'UTF-16'");
    expect(() => setPragmas(utf16, { busyTimeout: 1 })).toThrow('encoding');
    utf16.close();
  });
});

describe('foreign errors', () => {
  it.each([
    ['SQLITE_FULL', 'log/full', 2],
    ['ENOSPC', 'log/full', 2],
    ['SQLITE_READONLY_DBMOVED', 'log/read-only', 2],
    ['EACCES', 'log/read-only', 2],
    ['SQLITE_BUSY_SNAPSHOT', 'log/busy', 2],
    ['SQLITE_NOTADB', 'log/not-a-log', 2],
    ['SQLITE_CORRUPT_INDEX', 'log/damaged', 4],
    ['SQLITE_CONSTRAINT_TRIGGER', 'log/refused', 2],
    ['SQLITE_IOERR_FSYNC', 'log/io', 2],
    ['SQLITE_CANTOPEN', 'log/cannot-open', 2],
  ])('%s is %s, with a hint and the cause', (raw, code, exit) => {
    const cause = Object.assign(new Error('words of another'), { code: raw });
    expect(mapError(cause, { file: 'x' })).toMatchObject({
      code,
      exit,
      cause,
      facts: { file: 'x', cause: raw },
    });
  });

  it('that are not known stay what they are', () => {
    for (const error of [
      new TypeError('a mistake'),
      'text',
      Object.assign(new Error(), { code: 'SQLITE_NEW' }),
    ]) {
      expect(mapError(error)).toBe(error);
    }
  });
});

/** Root may write anywhere, so that permissions are tested in a process of somebody else where the tests run as root. */
describe('permissions', () => {
  it('refuse to write a log in a file or folder that may only be read', async () => {
    const { runAs } = await import('./child.ts');
    const file = await filled();
    const folder = dirname(file);
    chmodSync(file, 0o444);
    expect(await runAs('open', [file])).toMatchObject({ code: 'log/read-only', exit: 2 });
    chmodSync(file, 0o666);
    chmodSync(folder, 0o555);
    expect(await runAs('open', [file])).toMatchObject({ code: 'log/read-only', exit: 2 });
    chmodSync(folder, 0o777);
    expect(await runAs('open', [file])).toEqual({ size: 3 });
  });

  it('leave a log readable in a folder where nothing may be made', async () => {
    const { runAs } = await import('./child.ts');
    const file = await filled();
    const folder = dirname(file);
    chmodSync(file, 0o444);
    chmodSync(folder, 0o555);
    expect(await runAs('read', [file])).toEqual({ events: 3, wrote: false });
    expect(readdirSync(folder).filter((name) => name.startsWith(basename(file)))).toEqual([basename(file)]);
    chmodSync(folder, 0o777);
  });

  it('where the newest events stand beside the file, say what to copy', async () => {
    const { runAs } = await import('./child.ts');
    const written = await filled();
    const log = await openSqliteLog({ file: written });
    await log.append(commit('a', 'any', 2));
    const file = fresh();
    // As after a crash, or copied by somebody who saw two of the three files.
    for (const end of ['', '-wal']) {
      copyFileSync(`${written}${end}`, `${file}${end}`);
      chmodSync(`${file}${end}`, 0o444);
    }
    await log.close();
    chmodSync(dirname(file), 0o555);
    expect(await runAs('read', [file])).toMatchObject({
      code: 'log/read-only',
      exit: 2,
      hint: expect.stringMatching(/^Copy the file, and what stands beside it/),
    });
    chmodSync(dirname(file), 0o777);
  });
});
