import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { BANK_RULES, GROUNDED, jsonLines } from './bank.ts';
import { folder, grounds, type Shown } from './terminal.ts';

const MESSAGE = '{"role": "user", "content": "hi"}';

/** One short paragraph, a code, the exit code; no trace of this program's own files. */
function expectToldShortly(shown: Shown, code: string, exit: number): void {
  expect(shown.exit).toBe(exit);
  expect(shown.out).toBe('');
  expect(shown.err.replaceAll('\n', ' ').trim()).toMatch(new RegExp(`^grounds: [\\s\\S]*\\[${code}\\]$`));
  expect(shown.err).not.toMatch(/\n {4}at |\.ts:\d|\.js:\d|\n\n/);
  expect(shown.err.split('\n').length).toBeLessThanOrEqual(8);
  for (const line of shown.err.split('\n')) {
    // A long word, such as a path, stands on a line of its own.
    if (line.includes(' ')) expect(line.length).toBeLessThanOrEqual(100 + 120);
  }
}

const TRANSCRIPTS: readonly (readonly [string, () => string | Uint8Array, string])[] = [
  ['that is cut off', () => `[${MESSAGE}, {"role": "assis`, 'transcript/not-json'],
  ['of another shape', () => '{"answer": 42}', 'transcript/unknown-format'],
  ['that is a number', () => '42', 'transcript/unknown-format'],
  ['with a message that is none', () => `{"messages": [${MESSAGE}, 7]}`, 'transcript/shape'],
  [
    'with a call without a name',
    () => '{"messages": [{"role": "assistant", "tool_calls": [{"function": {}}]}]}',
    'transcript/shape',
  ],
  [
    'with a line of 50 MB',
    () => `{"messages": [{"role": "user", "content": "${'x'.repeat(50_000_000)}"}]}`,
    'transcript/line-too-long',
  ],
  [
    'that nests deep',
    () => `{"messages": [{"role": "user", "content": ${'['.repeat(5000)}${']'.repeat(5000)}}]}`,
    'transcript/too-deep',
  ],
  [
    'with half a surrogate pair',
    () => '{"messages": [{"role": "user", "content": "\\ud800"}]}',
    'transcript/lone-surrogate',
  ],
  [
    'with a key twice',
    () => '{"messages": [{"role": "user", "role": "system", "content": "hi"}]}',
    'transcript/not-exact',
  ],
  [
    'with a number that a double can not hold',
    () => '{"messages": [{"role": "user", "content": "hi", "n": 1915883588174806058}]}',
    'transcript/not-exact',
  ],
  ['that is empty', () => '', 'transcript/empty'],
  ['of blank lines', () => '\n\n  \n', 'transcript/empty'],
  ['in UTF-16', () => Buffer.from(`[${MESSAGE}]`, 'utf16le'), 'transcript/nul-bytes'],
  ['in Latin-1', () => Buffer.from('[{"role": "user", "content": "é"}]', 'latin1'), 'transcript/not-utf-8'],
];

describe('a transcript', () => {
  test.each(TRANSCRIPTS)(
    '%s is told in one short paragraph, and leaves the log as it was',
    async (_, body, code) => {
      const { file, path } = folder();
      const good = file('good.jsonl', jsonLines(GROUNDED));
      const log = path('audit.db');
      await grounds(['audit', good, '--db', log]);
      const before = rowsOf(log);
      expectToldShortly(await grounds(['audit', file('bad.json', body()), '--db', log]), code, 2);
      expect(rowsOf(log)).toEqual(before);
      rmSync(log);
      await grounds(['audit', path('bad.json'), '--db', log]);
      expect(existsSync(log)).toBe(false);
    },
  );

  test('that is a folder, or not there, is told so', async () => {
    const { path } = folder();
    mkdirSync(path('runs'));
    expectToldShortly(
      await grounds(['audit', path('runs'), '--db', path('a.db')]),
      'transcript/is-a-directory',
      2,
    );
    expectToldShortly(
      await grounds(['audit', path('none'), '--db', path('a.db')]),
      'transcript/not-found',
      2,
    );
  });

  test('whose text would move a terminal is shown escaped', async () => {
    const { file, path } = folder();
    const hostile =
      '{"messages": [{"role": "user", "content": "x", "\u001b[2Jk\u202e": 1.00000000000000000001}]}';
    const { err } = await grounds(['audit', file('h.json', hostile), '--db', path('a.db')]);
    expect(err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  test('whose name would move a terminal is shown escaped, skipped or as JSON', async () => {
    const { file, path } = folder();
    const named = file('\u001b[2J\u202e.json', 'nothing');
    const skipped = await grounds(['suggest', named, '--keep-going']);
    const told = await grounds(['audit', named, '--db', path('a.db'), '--json']);
    for (const { exit, err } of [skipped, told]) {
      expect(exit).toBe(2);
      expect(err).toContain('.json');
      expect(err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    }
  });
});

function rowsOf(file: string): unknown[] {
  const db = new BetterSqlite3(file, { readonly: true });
  try {
    return db.prepare('select position, bytes from events order by position').all();
  } finally {
    db.close();
  }
}

describe('a checklist', () => {
  test.each([
    ['that is no YAML', 'a: [', 'checklist/invalid'],
    ['with an unknown key', `${BANK_RULES}colour: red\n`, 'checklist/invalid'],
    ['that is empty', '', 'checklist/invalid'],
  ])('%s is refused before anything is written', async (_, body, code) => {
    const { file, path } = folder();
    const runs = file('good.jsonl', jsonLines(GROUNDED));
    const shown = await grounds(['audit', runs, '-c', file('c.yaml', body), '--db', path('a.db')]);
    expect([shown.exit, shown.out]).toEqual([2, '']);
    expect(shown.err).toContain(`[${code}]`);
    expect(shown.err).not.toMatch(/\n {4}at /);
    expect(existsSync(path('a.db'))).toBe(false);
  });

  test('of one name in two versions is refused', async () => {
    const { file, path } = folder();
    const runs = file('good.jsonl', jsonLines(GROUNDED));
    const two = ['-c', file('a.yaml', BANK_RULES), '-c', file('b.yaml', BANK_RULES)];
    expectToldShortly(await grounds(['audit', runs, ...two, '--db', path('a.db')]), 'cli/usage', 2);
  });
});

describe('a log', () => {
  async function logWith(change: (db: BetterSqlite3.Database) => void) {
    const dir = folder();
    const runs = dir.file('good.jsonl', jsonLines(GROUNDED));
    const log = dir.path('audit.db');
    await grounds(['audit', runs, '--db', log]);
    const db = new BetterSqlite3(log);
    change(db);
    db.close();
    return { ...dir, runs, log, before: readFileSync(log) };
  }

  test('of a newer version is refused, and not touched', async () => {
    const { runs, log, before } = await logWith((db) => {
      const guards = db.prepare(
        "select name from sqlite_schema where type = 'trigger' and tbl_name = 'meta'",
      );
      for (const name of guards.pluck().all()) db.exec(`drop trigger ${String(name)}`);
      db.prepare("update meta set value = value + 1 where key = 'format'").run();
    });
    expectToldShortly(await grounds(['audit', runs, '--db', log]), 'log/newer', 2);
    expect(readFileSync(log).equals(before)).toBe(true);
  });

  test('whose guards were taken away is refused as not whole', async () => {
    const { runs, log } = await logWith((db) => {
      const triggers = db.prepare("select name from sqlite_schema where type = 'trigger'").pluck().all();
      db.exec(`drop trigger ${String(triggers[0])}`);
    });
    expectToldShortly(await grounds(['audit', runs, '--db', log]), 'log/schema-differs', 4);
  });

  test('that may not be written is told so', async () => {
    const { runs, log, path } = await logWith(() => {});
    chmodSync(path('.'), 0o755);
    chmodSync(runs, 0o644);
    chmodSync(log, 0o444);
    const shown = await asNobody(() => grounds(['audit', runs, '--db', log]));
    expectToldShortly(shown, 'log/read-only', 2);
  });
});

/** Root may write whatever a file's mode says. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(65534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

describe('a command line', () => {
  test.each([
    [['audti'], 'Did you mean audit?'],
    [['audit'], 'Missing required argument'],
    [['audit', 'x', '--jsn'], 'Did you mean --json?'],
    [['check', 'x', '--ruleset', 'loose'], 'Allowed choices'],
    [['schema', 'nothing'], 'grounds schema lists'],
  ])('%j is told what is wrong', async (argv, hint) => {
    const shown = await grounds(argv);
    expectToldShortly(shown, 'cli/usage', 2);
    expect(shown.err).toContain(hint);
  });

  test('without a command shows the commands', async () => {
    const { exit, out, err } = await grounds([]);
    expect([exit, out]).toEqual([2, '']);
    expect(err).toContain('audit');
  });

  test.each([[['--help']], [['audit', '--help']], [['--version']]])('%j exits with 0', async (argv) => {
    const { exit, out, err } = await grounds(argv);
    expect([exit, err]).toEqual([0, '']);
    expect(out).not.toBe('');
  });

  test('with --json tells errors as one object on stderr', async () => {
    const { exit, out, err } = await grounds(['audit', 'nowhere.jsonl', '--json']);
    expect([exit, out]).toEqual([2, '']);
    expect(JSON.parse(err)).toEqual({
      error: {
        code: 'transcript/not-found',
        message: expect.any(String),
        facts: { file: 'nowhere.jsonl', line: null },
        hint: expect.any(String),
        exit: 2,
      },
    });
  });
});
