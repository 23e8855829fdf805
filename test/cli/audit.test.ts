import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openSqliteLogSync } from '../../src/log/index.ts';
import { BANK_RULES, GROUNDED, INVENTED, jsonLines, transferRun } from './bank.ts';
import { folder, grounds } from './terminal.ts';

function bank() {
  const dir = folder();
  return {
    ...dir,
    rules: dir.file('bank.yaml', BANK_RULES),
    runs: dir.file('runs.jsonl', jsonLines(GROUNDED, INVENTED)),
    log: dir.path('audit.db'),
  };
}

async function sizeOf(file: string): Promise<number> {
  const log = openSqliteLogSync({ file, readonly: true });
  try {
    return log.sizeSync();
  } finally {
    await log.close();
  }
}

describe('audit', () => {
  test('prints what ran without grounds, one line each, then everything on one screen', async () => {
    const { rules, runs, log } = bank();
    const { exit, out, err } = await grounds(['audit', runs, '-c', rules, '--db', log]);
    expect(exit).toBe(0);
    expect(err).toBe('');
    const [first, blank, head] = out.split('\n');
    expect(first).toMatch(/^[0-9a-f]{8} {2}transfer {2}runs\.jsonl:2:3 {2}UNKNOWN \/to not_said → ask_user$/);
    expect(blank).toBe('');
    expect(head).toBe(
      '4 calls in 2 conversations: 1 on good grounds, 1 ran without grounds, 2 outside the gate (declared reversible)',
    );
    expect(out).toContain('1  value  transfer /to  not_said  asking');
    expect(out).toContain('unmarked_timing');
    expect(out).toMatch(/^what the transcripts can not tell, and what was made of it$/m);
    expect(out).toContain(`recorded in ${log}`);
    expect(out.split('\n').length).toBeLessThan(40);
  });

  test('says which roles of a transcript are not known, before what else its format can not tell', async () => {
    const { file, log } = bank();
    const messages = [{ role: 'narrator', content: 'Once upon a time' }, ...GROUNDED.messages];
    const { out } = await grounds(['audit', file('roles.jsonl', jsonLines({ messages })), '--db', log]);
    expect(out).toMatch(/was made of it\n {2}The role "?narrator"? is not known/);
  });

  test('prints one row a call as JSON, and ends with one object that counts them', async () => {
    const { rules, runs, log } = bank();
    const shown = await grounds(['audit', runs, '-c', rules, '--db', log, '--json']);
    const rows = shown.lines();
    const summary = rows.pop();
    expect(
      rows.map(({ tool, verdict, ran_without_grounds }) => [tool, verdict, ran_without_grounds]),
    ).toEqual([
      ['get_balance', null, false],
      ['transfer', 'executable', false],
      ['get_balance', null, false],
      ['transfer', 'unknown', true],
    ]);
    expect(rows[3]).toMatchObject({
      arguments: { amount: 250, to: 'acc-99' },
      origin: { file: runs, line: 2, message: 3 },
      unknown: [{ slot_id: '/to', kind: 'value', route: 'ask_user', reason: 'not_said' }],
    });
    expect(summary).toMatchObject({
      calls: 4,
      conversations: 2,
      executable: 1,
      ran_without_grounds: 1,
      not_gated: 2,
      by_tool: { transfer: { calls: 2, executable: 1, ran_without_grounds: 1 } },
      by_verdict: { executable: 1, not_gated: 2, unknown: 1 },
      gaps: [{ tool: 'transfer', slot: '/to', kind: 'value', owner: 'asking', reason: 'not_said', count: 1 }],
      reductions: { unmarked_timing: 2, slots_from_proposal: 2 },
      faults: [],
      log,
    });
  });

  test('counts the same and adds nothing when the same transcripts are audited again', async () => {
    const { rules, runs, log } = bank();
    await grounds(['audit', runs, '-c', rules, '--db', log]);
    const size = await sizeOf(log);
    const again = await grounds(['audit', runs, runs, '-c', rules, '--db', log, '--json']);
    expect(again.lines().at(-1)).toMatchObject({ calls: 4, ran_without_grounds: 1, added: 0 });
    expect(await sizeOf(log)).toBe(size);
  });

  test('takes the last argument for the log where its name says so', async () => {
    const { rules, runs, log } = bank();
    expect((await grounds(['audit', '-c', rules, runs, log])).exit).toBe(0);
    expect(existsSync(log)).toBe(true);
    const twice = await grounds(['audit', runs, log, '--db', 'other.db']);
    expect([twice.exit, twice.err]).toEqual([2, expect.stringContaining('[cli/usage]')]);
  });

  test('without a checklist says so, and what to do next', async () => {
    const { runs, log } = bank();
    const { exit, out } = await grounds(['audit', runs, '--db', log]);
    expect(exit).toBe(0);
    expect(out).toContain('4 ran without grounds');
    expect(out).toMatch(/No checklist was given[\s\S]*--checklist <file>/);
  });

  test.each([
    ['without-grounds', 1],
    ['without-grounds=0', 1],
    ['without-grounds=1', 0],
  ])('--fail-on %s exits with %i where one call ran so', async (condition, code) => {
    const { rules, runs, log } = bank();
    const { exit, err } = await grounds(['audit', runs, '-c', rules, '--db', log, '--fail-on', condition]);
    expect(exit).toBe(code);
    expect(err).toMatch(code === 0 ? /^$/ : /^grounds: 1 call ran without grounds, and --fail-on allows 0/);
  });

  test('takes no transcript for a checklist, and no checklist for a transcript', async () => {
    const { file, rules, runs, log } = bank();
    const asRules = await grounds(['audit', runs, '-c', runs, '--db', log]);
    expect([asRules.exit, asRules.err]).toEqual([2, expect.stringContaining('looks like a transcript')]);
    const asRun = await grounds(['audit', rules, '--db', log]);
    expect([asRun.exit, asRun.err]).toEqual([2, expect.stringContaining('[transcript/is-yaml]')]);
    const commented = file('commented.yaml', `# Rules of a bank.\n---\n${BANK_RULES}`);
    expect((await grounds(['audit', commented, '--db', log])).err).toContain('[transcript/is-yaml]');
    expect(existsSync(log)).toBe(false);
  });

  test('refuses a condition of --fail-on that it does not know', async () => {
    const { runs, log } = bank();
    const { exit, err } = await grounds(['audit', runs, '--db', log, '--fail-on', 'gaps']);
    expect([exit, err]).toEqual([2, expect.stringContaining('without-grounds=5')]);
    expect(existsSync(log)).toBe(false);
  });
});

describe('a faulty line', () => {
  function faulty() {
    const dir = bank();
    return {
      ...dir,
      runs: dir.file('runs.jsonl', `${jsonLines(GROUNDED)}{"messages": [\n${jsonLines(INVENTED)}`),
    };
  }

  test('ends the import with file and line; what came before stays, and going on repeats nothing', async () => {
    const { rules, runs, log, file } = faulty();
    const stopped = await grounds(['audit', runs, '-c', rules, '--db', log]);
    expect(stopped.exit).toBe(2);
    expect(stopped.out).toBe('');
    expect(stopped.err.replaceAll('\n', ' ')).toContain(`${runs}, line 2:`);
    expect(stopped.err.replaceAll('\n', ' ')).toMatch(
      /The 2 calls before it stand in .*--keep-going.*\[transcript\/not-json\]/,
    );
    file('runs.jsonl', jsonLines(GROUNDED, INVENTED));
    const on = await grounds(['audit', runs, '-c', rules, '--db', log, '--json']);
    expect(on.lines().at(-1)).toMatchObject({ calls: 4, added: 2 });
  });

  test('is skipped and listed with --keep-going, and the exit code tells', async () => {
    const { rules, runs, log, path } = faulty();
    const { exit, out } = await grounds(['audit', runs, '-c', rules, '--db', log, '--keep-going']);
    expect(exit).toBe(2);
    expect(out).toContain('4 calls in 2 conversations');
    expect(out).toMatch(/skipped: 1 faulty part\n.*line 2/);
    const json = await grounds(['audit', runs, '-c', rules, '--db', path('b.db'), '--keep-going', '--json']);
    expect(json.lines().at(-1)).toMatchObject({ calls: 4, faults: [{ code: 'transcript/not-json' }] });
  });

  test('as the very first leaves no log behind', async () => {
    const { rules, log, file } = bank();
    const cut = file('cut.json', '{"messages": [{"role": "user", "con');
    expect((await grounds(['audit', cut, '-c', rules, '--db', log])).exit).toBe(2);
    expect(existsSync(log)).toBe(false);
  });

  test('a missing file is found before the first one is read', async () => {
    const { rules, runs, log, path } = bank();
    const { exit, err } = await grounds(['audit', runs, path('missing.jsonl'), '-c', rules, '--db', log]);
    expect([exit, err]).toEqual([2, expect.stringContaining('[transcript/not-found]')]);
    expect(existsSync(log)).toBe(false);
  });
});

describe('a call whose arguments can not be kept exactly', () => {
  test('gets its run, and the import goes on', async () => {
    const { rules, log, file } = bank();
    const inexact = transferRun('send it', '{"amount": 1915883588174806058, "to": "acc-77"}');
    const runs = file('inexact.jsonl', jsonLines(inexact, GROUNDED));
    const shown = await grounds(['audit', runs, '-c', rules, '--db', log, '--json']);
    expect(shown.exit).toBe(0);
    expect(shown.lines()[1]).toMatchObject({ tool: 'transfer', arguments: null, ran_without_grounds: true });
  });
});

describe('the log', () => {
  test('of a disk that is full is unchanged by the conversation that did not fit', async () => {
    const { rules, log, file } = bank();
    const small = file('one.jsonl', jsonLines(GROUNDED));
    await grounds(['audit', small, '-c', rules, '--db', log]);
    const size = await sizeOf(log);
    const large = file(
      'large.jsonl',
      jsonLines(transferRun(`send 1 ${'x'.repeat(2_000_000)}`, { amount: 1, to: 'x' })),
    );
    const full = await grounds(['audit', large, '-c', rules, '--db', log, '--max-pages', '60']);
    expect([full.exit, full.err]).toEqual([2, expect.stringContaining('[log/full]')]);
    expect(await sizeOf(log)).toBe(size);
  });

  test.each([
    ['a folder', 'log/directory'],
    ['text', 'log/not-a-log'],
    ['in no folder', 'log/missing'],
  ])('named by what is none (%s) is refused, and left as it is', async (what, code) => {
    const { rules, runs, path, file } = bank();
    const body = 'these are notes of mine, and no log at all, though they are long enough to be one';
    const log =
      what === 'a folder' ? path('.') : what === 'text' ? file('notes.db', body) : path('none/grounds.db');
    const { exit, err, out } = await grounds(['audit', runs, '-c', rules, '--db', log]);
    expect([exit, out, err]).toEqual([2, '', expect.stringContaining(`[${code}]`)]);
    if (what === 'text') expect(readFileSync(log, 'utf8')).toBe(body);
  });
});
