import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { isCallRow } from '../../src/cli/row-schema.ts';
import type { Envelope } from '../../src/events/envelope.ts';
import { overwrite } from '../replay/tamper.ts';
import { BANK_RULES, GROUNDED, INVENTED, jsonLines } from './bank.ts';
import { folder, grounds } from './terminal.ts';

async function audited() {
  const dir = folder();
  const log = dir.path('bank.db');
  const runs = dir.file('runs.jsonl', jsonLines(GROUNDED, INVENTED));
  const shown = await grounds([
    'audit',
    runs,
    '-c',
    dir.file('bank.yaml', BANK_RULES),
    '--db',
    log,
    '--json',
  ]);
  const rows = shown.lines().slice(0, -1);
  return { ...dir, log, rows, invented: String(rows[3]?.call_id), grounded: String(rows[1]?.call_id) };
}

/** Past the guards, as somebody who has the file can do. */
function tamper(file: string, sql: string): void {
  const db = new BetterSqlite3(file);
  const guards = db
    .prepare("select name, sql from sqlite_schema where type = 'trigger' and tbl_name = 'events'")
    .all() as { name: string; sql: string }[];
  for (const { name } of guards) db.exec(`drop trigger ${name}`);
  db.exec(sql);
  for (const guard of guards) db.exec(guard.sql);
  db.close();
}

describe('calls', () => {
  test('prints the very rows that the audit printed', async () => {
    const { log, rows } = await audited();
    expect((await grounds(['calls', log, '--json'])).lines()).toEqual(rows);
    expect(rows.map(isCallRow)).toEqual([true, true, true, true]);
  });

  test('lists one call a line, and only those that are asked for', async () => {
    const { log, invented, path } = await audited();
    const { out } = await grounds(['calls', log, '--without-grounds']);
    expect(out).toMatch(
      new RegExp(`^${invented.slice(0, 8)} {2}transfer {2}unknown .*WITHOUT GROUNDS {2}runs\\.jsonl:2:3\\n$`),
    );
    expect((await grounds(['calls', log, '--verdict', 'executable', '--json'])).lines()).toHaveLength(1);
    expect((await grounds(['calls', log, '--tool', 'none of them'])).out).toBe('No calls.\n');
    expect((await grounds(['calls', log, '--limit', '2', '--json'])).lines()).toHaveLength(2);
    const of = async (file: string) =>
      (await grounds(['calls', log, '--file', file, '--json'])).lines().length;
    expect([await of(path('runs.jsonl')), await of('runs.jsonl'), await of('uns.jsonl')]).toEqual([4, 4, 0]);
  });

  test('of a log that is not there is refused', async () => {
    const { exit, err } = await grounds(['calls', folder().path('none.db')]);
    expect([exit, err]).toEqual([2, expect.stringContaining('[log/missing]')]);
    expect(err.replaceAll('\n', ' ')).toContain('grounds audit and grounds check make a log');
  });
});

describe('why', () => {
  test.each(['whole id', 'beginning', 'origin'])('explains a call by its %s, and replays it', async (by) => {
    const { log, invented } = await audited();
    const ref = by === 'origin' ? 'runs.jsonl:2:3' : by === 'beginning' ? invented.slice(0, 8) : invented;
    const { exit, out } = await grounds(['why', ref, log]);
    expect(exit).toBe(0);
    expect(out).toMatch(/^RAN WITHOUT GROUNDS/m);
    expect(out).toMatch(/^transfer .* returned /);
    expect(out).toContain('returned (nothing declares what a failure looks like)');
    expect(out).toContain('/to');
    expect(out).toContain('equal, byte for byte');
    expect(out).toContain(`grounds show ${invented} --events --db ${log}`);
  });

  test('gives the same facts as one JSON object', async () => {
    const { log, grounded } = await audited();
    const [explanation, ...more] = (await grounds(['why', grounded, log, '--json'])).lines();
    expect(more).toEqual([]);
    expect(explanation).toMatchObject({ call: { id: grounded }, replay: { finding: 'MATCH' } });
  });

  test('of no such call names the closest', async () => {
    const { log, invented } = await audited();
    const mistyped = `${invented[0] === 'f' ? 'e' : 'f'}${invented.slice(1, 8)}`;
    const { exit, out, err } = await grounds(['why', mistyped, log]);
    expect([exit, out]).toEqual([2, '']);
    expect(err).toContain('Did you mean');
    expect(err).toContain(invented);
    expect(err).toContain('[calls/not-found]');
  });

  test('of an open intent names the reason and the question, as check does', async () => {
    const { file, path } = folder();
    const request = {
      conversation: [{ role: 'user', content: '250 to acc-77.' }],
      tool: 'transfer',
      arguments: { amount: 250, to: 'acc-77' },
    };
    const rules = file('bank.yaml', BANK_RULES);
    const log = path('open.db');
    const asked = ['check', file('r.json', JSON.stringify(request)), log, '-c', rules, '--json'];
    const [line] = (await grounds(asked)).lines();
    const asks = line?.asks as { text: string }[];
    const text = String(asks[0]?.text);
    const { out } = await grounds(['why', String(line?.call_id), log]);
    expect(out).toContain('(act_not_said)');
    for (const part of text.split('\n')) expect(out.replaceAll(/\s+/g, ' ')).toContain(part);
    const [why] = (await grounds(['why', String(line?.call_id), log, '--json'])).lines();
    expect(why).toMatchObject({ verdict: { ask: text } });
  });

  test('of no such call says which log was searched, and offers nothing unlike it', async () => {
    const { log } = await audited();
    const { err } = await grounds(['why', 'zzzz', log]);
    const told = err.replaceAll(/\s+/g, ' ');
    expect(told).toContain(`There is no call "zzzz" in ${log}.`);
    expect(told).toContain(
      `grounds calls --db ${log} lists those that there are; a call of check has the call_id`,
    );
    expect(told).not.toContain('Did you mean');
  });

  test('of a run whose recorded verdict was changed says that it no longer replays', async () => {
    const { log, invented } = await audited();
    await grounds(['calls', log]);
    tamper(
      log,
      `update events set bytes = cast(replace(cast(bytes as text), '"not_said"', '"no_answer"') as blob)
       where type = 'VerdictRecorded' and stream = 'call/${invented}'`,
    );
    const json = await grounds(['why', invented, log, '--json']);
    expect([json.exit, json.lines()[0]]).toEqual([
      4,
      expect.objectContaining({ replay: expect.objectContaining({ finding: 'INPUT_TAMPERED' }) }),
    ]);
    const { exit, out } = await grounds(['why', invented, log]);
    expect([exit, out.split('\n')[1]]).toEqual([4, expect.stringMatching(/^THE RECORD WAS CHANGED: /)]);
  });

  test('of a call whose outcome was put outside the gate afterwards says that the record was changed', async () => {
    const { log, invented } = await audited();
    const file = new BetterSqlite3(log, { readonly: true });
    const { position, bytes } = file
      .prepare("select position, bytes from events where type = 'CallObserved' and stream = ?")
      .get(`call/${invented}`) as { position: number; bytes: Buffer };
    file.close();
    const event = JSON.parse(String(bytes)) as Envelope;
    overwrite(log, position, { ...event, data: { ...(event.data as object), gated: false } }, 'mended');
    const shown = await grounds(['why', invented, log, '--json']);
    expect(shown.exit).toBe(4);
    expect(shown.lines()[0]).toMatchObject({ replay: { finding: 'INPUT_TAMPERED', path: '/gated' } });
    expect((await grounds(['replay', log])).out).toMatch(/^INPUT_TAMPERED \(observed\)/);
  });

  test('prints where the call stands as a reference that can be given to it again', async () => {
    const { log, invented } = await audited();
    const from = /^ {2}from +(.+)$/m.exec((await grounds(['why', invented, log])).out)?.[1] ?? '';
    expect(from).toBe('runs.jsonl:2:3');
    const [explanation] = (await grounds(['why', from, log, '--json'])).lines();
    expect(explanation).toMatchObject({ call: { id: invented } });
  });

  test('of a reference that two calls of one message share lists their ids', async () => {
    const { file, path } = folder();
    const call = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } });
    const talk = { messages: [{ role: 'assistant', content: null, tool_calls: [call('a'), call('b')] }] };
    await grounds(['audit', file('two.jsonl', jsonLines(talk)), '--db', path('two.db')]);
    const ids = (await grounds(['calls', path('two.db'), '--json'])).lines().map(({ call_id }) => call_id);
    const { exit, err } = await grounds(['why', 'two.jsonl:1:0', path('two.db')]);
    expect([exit, ids.length]).toEqual([2, 2]);
    for (const id of ids) expect(err).toContain(id);
    expect(err).toContain('use the id of one');
  });

  test('of a reference that is too short says how long one is', async () => {
    const { log, invented } = await audited();
    const { exit, err } = await grounds(['why', invented.slice(0, 3), log]);
    expect([exit, err]).toEqual([2, expect.stringContaining('four characters at least')]);
  });
});

describe('show and log', () => {
  test('show prints the row, and with --events the events behind it', async () => {
    const { log, rows, invented } = await audited();
    expect((await grounds(['show', invented, log, '--json'])).lines()).toEqual([rows[3]]);
    expect((await grounds(['show', invented, log])).out).toMatch(/unknown +\/to not_said → ask_user/);
    const events = (await grounds(['show', invented, log, '--events', '--json'])).lines();
    const types = events.map(({ event }) => (event as { type: string }).type);
    expect([types[0], types.at(-2), types.at(-1)]).toEqual(['RunStarted', 'VerdictRecorded', 'CallObserved']);
    expect((await grounds(['show', invented, log, '--events'])).out.split('\n')).toHaveLength(
      events.length + 1,
    );
  });

  test('show --events needs only the events: neither what the run was declared by, nor that each can be read', async () => {
    const { log, invented } = await audited();
    await grounds(['calls', log]);
    tamper(
      log,
      `delete from events where type = 'ToolDeclared';
       update events set bytes = cast(replace(cast(bytes as text), '"data":{', '"data":null,"more":{') as blob)
       where type = 'RunStarted' and stream = 'call/${invented}'`,
    );
    const { exit, out } = await grounds(['show', invented, log, '--events']);
    expect(exit).toBe(0);
    expect(out).toMatch(/RunStarted +NOT READABLE/);
    expect(out).toMatch(/CallObserved +transfer: /);
  });

  test('log prints every event with its place and leaf hash, densely', async () => {
    const { log } = await audited();
    const events = (await grounds(['log', log, '--json'])).lines();
    expect(events.map(({ position }) => position)).toEqual(events.map((_, i) => i));
    expect(events[0]).toMatchObject({
      leaf: expect.stringMatching(/^[0-9a-f]{64}$/),
      event: { type: expect.any(String) },
    });
    const some = await grounds([
      'log',
      log,
      '--json',
      '--type',
      'VerdictRecorded',
      '--reverse',
      '--limit',
      '1',
    ]);
    expect(some.lines()).toEqual([
      expect.objectContaining({ event: expect.objectContaining({ type: 'VerdictRecorded' }) }),
    ]);
  });

  test('log of a type that no event has names the types', async () => {
    const { log } = await audited();
    const { exit, err } = await grounds(['log', log, '--type', 'VerdictRecord']);
    expect([exit, err]).toEqual([2, expect.stringContaining('Did you mean VerdictRecorded?')]);
    expect(err).toContain('RunStarted');
  });

  test('schema prints objects where JSON is asked for', async () => {
    expect((await grounds(['schema', '--json'])).lines()).toContainEqual({ name: 'why' });
    expect((await grounds(['schema', 'why', '--json'])).lines()).toHaveLength(1);
  });

  test('schema --write takes a folder, makes one, and refuses a file', async () => {
    const { path, file } = folder();
    expect((await grounds(['schema', '--write', path('made/here')])).exit).toBe(0);
    expect(readdirSync(path('made/here'))).toContain('why.schema.json');
    const taken = file('taken', 'text');
    for (const name of [taken, `${taken}/below`]) {
      const { exit, out, err } = await grounds(['schema', '--write', name]);
      expect([exit, out]).toEqual([2, '']);
      const told = err.replaceAll('\n', ' ');
      expect(told).toContain('is not a folder. Name a folder after --write');
      expect(told).toContain('[cli/usage]');
    }
  });

  test.each(['--help', '-h'])('a command that there is not is told so with %s, too', async (help) => {
    const { exit, err } = await grounds(['aduit', help]);
    expect([exit, err]).toEqual([2, expect.stringMatching(/nknown command 'aduit'.*audit/s)]);
    expect((await grounds(['audit', help])).exit).toBe(0);
  });

  test('log goes on past an event that is no longer JSON', async () => {
    const { log } = await audited();
    tamper(log, "update events set bytes = cast('no json' as blob) where position = 1");
    const json = await grounds(['log', log, '--json']);
    expect([json.exit, json.lines()[1]?.event]).toEqual([0, null]);
    const text = await grounds(['log', log]);
    expect([text.exit, text.out]).toEqual([0, expect.stringContaining('NOT READABLE')]);
  });
});

describe('gaps', () => {
  test('counts what was not confirmed, by whose work it is', async () => {
    const { log, invented } = await audited();
    const { out } = await grounds(['gaps', log]);
    expect(out).toMatch(/^1 gap in 1 of 2 judged calls\n/);
    expect(out).toMatch(/1 +1\/2 +value +transfer +\/to +asking/);
    const [gap, summary] = (await grounds(['gaps', log, '--json'])).lines();
    expect(gap).toMatchObject({ call_id: invented, slot: '/to', owner: 'asking' });
    expect(summary).toMatchObject({ gaps: 1, calls: 1, n: 2 });
    expect((await grounds(['gaps', log, '--owner', 'declarer', '--json'])).lines()).toEqual([
      expect.objectContaining({ gaps: 0 }),
    ]);
  });
});

describe('replay', () => {
  test('shows that every run comes out the same, and exits with 0', async () => {
    const { log } = await audited();
    const { exit, out } = await grounds(['replay', log]);
    expect(exit).toBe(0);
    expect(out).toMatch(/^2 runs replayed: 2 equal, byte for byte\n/);
    expect(out.replaceAll('\n', ' ')).toContain('nor that nothing is missing (an outcome, a whole call,');
    const [summary, ...more] = (await grounds(['replay', log, '--json'])).lines();
    expect(more).toEqual([]);
    expect(summary).toMatchObject({
      replayed: 2,
      matched: 2,
      diverged: 0,
      missing_input: 0,
      tampered: 0,
      gate_not_shipped: 0,
    });
    const all = (await grounds(['replay', log, '--json', '--all'])).lines();
    expect(all.map(({ finding }) => finding)).toEqual(['MATCH', 'MATCH', undefined]);
  });

  test('of one call replays its runs only', async () => {
    const { log, grounded, rows } = await audited();
    for (const ref of [grounded.slice(0, 8), String(rows[1]?.run_id)]) {
      const shown = await grounds(['replay', log, '--only', ref, '--json']);
      expect(shown.lines()).toEqual([expect.objectContaining({ replayed: 1, matched: 1 })]);
    }
  });

  test('of a changed byte exits with 4 and says where', async () => {
    const { log, invented } = await audited();
    tamper(
      log,
      `update events set bytes = cast(replace(cast(bytes as text), 'acc-99', 'acc-77') as blob)
       where type = 'RunStarted' and stream = 'call/${invented}'`,
    );
    const { exit, out } = await grounds(['replay', log]);
    expect(exit).toBe(4);
    expect(out).toMatch(/^INPUT_TAMPERED \(leaf\)/);
    expect(out).toMatch(/^1 of 2 runs replayed: 1 equal, byte for byte · \d findings? of tampering$/m);
    expect(out).toMatch(/does not vouch\s+that they are what was written/);
  });

  test('with --gates of what is no folder is refused, and nothing is replayed', async () => {
    const { log, path, file } = await audited();
    for (const [gates, why] of [
      [path('nowhere'), 'is not there'],
      [file('a-file', ''), 'is not a folder'],
    ] as const) {
      const { exit, out, err } = await grounds(['replay', log, '--gates', gates]);
      expect([exit, out]).toEqual([2, '']);
      expect(err.replaceAll('\n', ' ')).toMatch(new RegExp(`${why}\\. .*--gates.*\\[cli/usage\\]`));
    }
    expect((await grounds(['replay', log, '--gates', path('.')])).exit).toBe(0);
  });

  test('of a log without a run exits with 3: nothing was proven', async () => {
    const { file, path } = folder();
    const only = file('talk.jsonl', jsonLines({ messages: [{ role: 'user', content: 'hello' }] }));
    await grounds(['audit', only, '--db', path('talk.db')]);
    const { exit, out } = await grounds(['replay', path('talk.db')]);
    expect([exit, out]).toEqual([3, expect.stringContaining('proves nothing')]);
  });
});

describe('demo', () => {
  test('audits, explains and replays its own conversations, and leaves nothing behind', async () => {
    const left = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('grounds-demo-'));
    const before = left();
    const { exit, out, err } = await grounds(['demo']);
    expect([exit, err]).toEqual([0, '']);
    for (const part of [
      '$ grounds audit',
      '$ grounds why',
      'RAN ON GOOD GROUNDS',
      'RAN WITHOUT GROUNDS',
      '$ grounds replay',
    ]) {
      expect(out).toContain(part);
    }
    expect(left()).toEqual(before);
    expect(out).not.toContain(tmpdir());
    expect(out).toMatch(/npm run\s+demo\s+--\s+--keep/);
  });
});
