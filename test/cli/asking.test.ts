import { Validator } from '@cfworker/json-schema';
import { describe, expect, test } from 'vitest';
import { fitsSchema } from '../../src/cli/asked-schema.ts';
import { openSqliteLogSync } from '../../src/log/sqlite.ts';
import { ask } from '../../src/preflight/ask.ts';
import { defer } from '../../src/preflight/deferral.ts';
import { SEND, scene, sending } from '../preflight/asked.ts';
import { folder, grounds } from './terminal.ts';

/** A log in which a call waits for answers, and the words of its user. */
async function waiting(words = 'Please send it.', more: Parameters<typeof scene>[2] = {}) {
  const { path } = folder();
  const db = path('live.db');
  const log = openSqliteLogSync({ file: db, create: true });
  const { around, proposed, judge } = await scene(words, { to: 'B-2', amount: 50 }, { ...more, log });
  const questions = await ask(around, await judge());
  const again = async () => {
    const reopened = openSqliteLogSync({ file: db });
    const { judge: judgeAnew } = await import('../../src/preflight/judge.ts');
    const judged = await judgeAnew({ ...around, log: reopened }, proposed);
    await reopened.close();
    return judged;
  };
  await log.close();
  return { db, call: proposed.call, questions, again };
}

describe('grounds answer', () => {
  test('lists what waits, with how it is answered', async () => {
    const { db, call, questions } = await waiting();
    const { exit, out } = await grounds(['answer', call, db]);
    expect(exit).toBe(0);
    expect(out).toContain('Who is it for?');
    expect(out).toContain(
      `grounds answer ${questions[0]?.id.slice(0, 8)} --slot /amount=… --slot /to=… --db ${db}\n`,
    );
    expect(out).toContain(`grounds approve ${questions[1]?.id.slice(0, 8)} --decline --db ${db}\n`);
    const { lines } = await grounds(['answer', call, '--db', db, '--json']);
    expect(lines()).toEqual(JSON.parse(JSON.stringify(questions)));
    for (const line of lines()) expect(fitsSchema('question', line)).toBe(true);
  });

  test('answers by slot, in several turns, and says what is still open', async () => {
    const { db, call, again } = await waiting();
    const first = await grounds(['answer', call, db, '--slot', '/to=B-2', '--user', 'ann']);
    expect(first.out).toContain('Still open');
    const second = await grounds([
      'answer',
      call,
      db,
      '--slot',
      '/amount=$50',
      '--user',
      'ann',
      '--known-by',
      'channel',
      '--json',
    ]);
    expect(second.lines()).toMatchObject([{ call, misfits: [], open: [] }]);
    expect(fitsSchema('reply', second.lines()[0])).toBe(true);
    expect((await again()).verdict.kind).toBe('executable');
  });

  test('answers one question by the beginning of its id, and tells what does not fit', async () => {
    const { db, questions, again } = await waiting();
    const id = questions[0]?.id.slice(0, 8) ?? '';
    const { out } = await grounds(['answer', id, db, '--slot', '/amount=a lot', '--slot', '/to=B-2']);
    expect(out).toContain('/amount: what was said does not fit');
    expect((await again()).verdict.kind).toBe('unknown');
  });

  test('answers what was meant in words', async () => {
    const { db, call, questions, again } = await waiting('50 to B-2.');
    expect(questions[0]?.about).toBe('intent');
    await grounds(['answer', call, db, '--text', 'Send it.']);
    expect((await again()).verdict.kind).toBe('executable');
  });

  test('refuses what nothing asks, and what is no slot and value', async () => {
    const { db, call } = await waiting();
    const nothing = await grounds(['answer', call, db, '--slot', '/note=x']);
    expect([nothing.exit, nothing.err]).toEqual([2, expect.stringContaining('[ask/no-such-slot]')]);
    const malformed = await grounds(['answer', call, db, '--slot', 'note']);
    expect([malformed.exit, malformed.err]).toEqual([2, expect.stringContaining('[cli/usage]')]);
    const unknown = await grounds(['answer', 'zzzz', db]);
    expect(unknown.err).toContain('[calls/not-found]');
  });
});

describe('grounds approve', () => {
  test('approves what one question shows', async () => {
    const { db, call, again } = await waiting('Please send 50.');
    expect((await grounds(['approve', call, db, '--user', 'ann'])).exit).toBe(0);
    expect((await again()).verdict.kind).toBe('executable');
    const late = await grounds(['approve', call, db]);
    expect([late.exit, late.err]).toEqual([2, expect.stringContaining('[ask/which-question]')]);
  });

  test('declines it', async () => {
    const { db, questions, again } = await waiting('Please send 50.');
    await grounds(['approve', questions[1]?.id ?? '', db, '--decline']);
    expect((await again()).verdict.kind).toBe('unmet');
    const late = await grounds(['approve', questions[1]?.id ?? '', db, '--json']);
    expect(JSON.parse(late.err)).toMatchObject({ error: { code: 'ask/question-closed' } });
  });
});

describe('grounds trigger', () => {
  test('judges a deferred call anew, once', async () => {
    const { path } = folder();
    const db = path('live.db');
    const log = openSqliteLogSync({ file: db, create: true });
    const { around, proposed, judge } = await scene(
      'Send 50 to B-2 on 2026-05-02.',
      { to: 'B-2', amount: 50 },
      { log },
    );
    await defer(around, await judge({ phase: 'at_instruction' }));
    await log.close();
    const { exit, lines } = await grounds([
      'trigger',
      proposed.call,
      db,
      '--detail',
      '{"at":"2026-05-02"}',
      '--json',
    ]);
    expect(exit).toBe(0);
    expect(lines()).toMatchObject([{ call_id: proposed.call, verdict: 'executable', phase: 'at_trigger' }]);
    const again = await grounds(['trigger', proposed.call, db]);
    expect([again.exit, again.err]).toEqual([2, expect.stringContaining('[preflight/already-triggered]')]);
    expect((await grounds(['replay', db])).exit).toBe(0);
  });
});

describe('grounds trigger, without a call', () => {
  test('lists what waits with the time that is due, before which no clock triggers it', async () => {
    const { path } = folder();
    const db = path('live.db');
    const log = openSqliteLogSync({ file: db, create: true });
    const args = { to: 'B-2', amount: 50 };
    const dated = await scene('Send 50 to B-2 on 2100-12-24.', args, { log });
    expect((await grounds(['trigger', '--db', db])).out).toBe('No call waits for its trigger.\n');
    await defer(dated.around, await dated.judge({ phase: 'at_instruction' }));
    const often = await scene('Send 50 to B-2 every friday.', args, { log });
    await defer(often.around, await often.judge({ phase: 'at_instruction' }));
    await log.close();
    const { exit, out } = await grounds(['trigger', db]);
    expect(exit).toBe(0);
    const [head, first, second] = out.split('\n');
    expect(head).toBe('2 calls for later:');
    const id = dated.proposed.call.slice(0, 8);
    expect(first).toBe(`  ${id}  send  scheduled  due 2100-12-24T00:00:00+00:00  “2100-12-24”`);
    expect(second).toMatch(/ {2}send {2}recurring {2}no time +“friday”$/);
    const listed = await grounds(['trigger', '--db', db, '--json']);
    expect(listed.lines()).toMatchObject([
      { call: dated.proposed.call, due: '2100-12-24T00:00:00+00:00' },
      { call: often.proposed.call, due: null },
    ]);
    const [schema] = (await grounds(['schema', 'deferred-call', '--json'])).lines();
    const validator = new Validator(schema as object, '2020-12');
    for (const line of listed.lines()) expect(validator.validate(line).errors).toEqual([]);
    const early = await grounds(['trigger', dated.proposed.call, db]);
    expect([early.exit, early.err]).toEqual([2, expect.stringContaining('[preflight/not-due]')]);
  });
});

describe('grounds settings', () => {
  test('keeps what was answered, lists it, proposes and takes back', async () => {
    const checklists = [sending('', '', 'reader: text, setting: landlord')];
    const { db, call } = await waiting('Please send 50.', { checklists });
    await grounds(['answer', call, db, '--slot', '/to=B-2', '--user', 'ann']);
    const kept = await grounds(['settings', 'keep', 'landlord', call, '/to', db, '--user', 'ann', '--json']);
    expect(kept.lines()).toMatchObject([{ name: 'landlord', value: 'B-2', known_by: 'caller' }]);
    const { lines } = await grounds(['settings', 'list', db, '--user', 'ann', '--json']);
    expect(lines()).toMatchObject([{ kind: 'setting', name: 'landlord' }]);
    for (const line of lines()) expect(fitsSchema('setting-line', line)).toBe(true);
    expect((await grounds(['settings', 'list', db, '--user', 'bob'])).out).toBe(
      'Nothing is kept for this user.\n',
    );
    expect((await grounds(['settings', 'revoke', 'landlord', db, '--user', 'ann'])).exit).toBe(0);
    expect((await grounds(['settings', 'revoke', 'landlord', db, '--user', 'ann'])).err).toContain(
      '[settings/none]',
    );
  });

  test('keeps a yes to a label within a range, and lists it', async () => {
    const tool = { ...SEND, description: '[Verify] final: Transfers are final.' };
    const { db, call, questions } = await waiting('Please send 50 to B-2.', { tool });
    await grounds(['approve', questions[0]?.id ?? '', db, '--user', 'ann']);
    const keep = ['settings', 'keep', 'standing', call, 'final', db, '--user', 'ann', '--satisfies', 'final'];
    expect((await grounds(keep)).err).toContain('[cli/range]');
    const { lines } = await grounds([...keep, '--within', 'args.amount <= 100', '--json']);
    expect(lines()).toMatchObject([
      { name: 'standing', satisfies: [{ slot: 'final', within: 'args.amount <= 100' }] },
    ]);
    for (const line of lines()) expect(fitsSchema('setting-line', line)).toBe(true);
    expect((await grounds(['settings', 'list', db, '--user', 'ann'])).out).toContain(
      'satisfies final within args.amount <= 100',
    );
  });
});
