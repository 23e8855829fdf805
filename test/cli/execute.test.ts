import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lineJsonSchemas } from '../../src/cli/line-schemas.ts';
import { BANK_RULES, jsonLines, transferRun } from './bank.ts';
import { folder, grounds } from './terminal.ts';

const REQUEST = {
  id: 'one',
  conversation_id: 'chat',
  conversation: [{ role: 'user', content: 'Please send 250 to acc-77' }],
  tool: 'transfer',
  arguments: { amount: 250, to: 'acc-77' },
};

async function bank(request: unknown = REQUEST) {
  const dir = folder();
  const log = dir.path('bank.db');
  const rules = dir.file('bank.yaml', BANK_RULES);
  const check = async (body: unknown): Promise<string> => {
    const { lines } = await grounds([
      'check',
      dir.file('request.json', jsonLines(body)),
      log,
      '-c',
      rules,
      '--json',
    ]);
    return String(lines()[0]?.call_id);
  };
  const call = await check(request);
  const keys = dir.path('keys');
  const world = dir.path('world');
  /** The tool: it remembers what it was asked, and ends as it is told to. */
  const tool = (script: string): string[] => [
    process.execPath,
    '-e',
    `const fs = require('fs'); const asked = fs.readFileSync(0, 'utf8'); fs.appendFileSync(${JSON.stringify(world)}, asked + ' ' + process.env.GROUNDS_IDEMPOTENCY_KEY + ' ' + process.env.GROUNDS_TOOL + '\\n'); ${script}`,
  ];
  const execute = (more: readonly string[], script: string) =>
    grounds(['execute', call, '--db', log, ...more, '--', ...tool(script)]);
  const sent = (): string[] => (existsSync(world) ? readFileSync(world, 'utf8').trimEnd().split('\n') : []);
  return { ...dir, log, rules, check, call, keys, execute, tool, sent };
}

const SUCCEEDS = `process.stdout.write('{"id":7}')`;

describe('execute', () => {
  test('gives its result a message of its own, after all that was said', async () => {
    const { messages } = transferRun('Please send 250 to acc-77', {});
    const { log, call, execute } = await bank({ ...REQUEST, conversation: messages.slice(0, 3) });
    await execute([], SUCCEEDS);
    const [why] = (await grounds(['why', call, log, '--json'])).lines();
    expect(why?.happened).toMatchObject({ where: { segment: 2, message_index: 3, message: 4 } });
  });

  test('is known again where the transcript brings its result, and the conversation goes on', async () => {
    const { log, call, check, execute, sent, file, rules } = await bank();
    await execute([], SUCCEEDS);
    const made = transferRun('Please send 250 to acc-77', { amount: 250, to: 'acc-77' }).messages;
    const [said, , , proposed] = made;
    const goesOn = [
      said,
      { ...proposed, content: 'I send it now.' },
      { role: 'tool', tool_call_id: 'b', content: '{"id":7}' },
      { role: 'user', content: 'Thanks. Now send 300 to acc-78' },
    ];
    const next = { ...REQUEST, id: 'two', conversation: goesOn, arguments: { amount: 300, to: 'acc-78' } };
    const second = await check(next);
    expect(second).not.toBe(call);
    expect(await check(next)).toBe(second);
    const [why] = (await grounds(['why', second, log, '--json'])).lines();
    expect(why?.verdict).toMatchObject({ kind: 'executable' });
    expect((await grounds(['log', log, '--type', 'SegmentAdded', '--json'])).lines()).toHaveLength(4);
    expect(sent()).toHaveLength(1);
    expect((await grounds(['replay', log])).exit).toBe(0);
    // What the log holds of it is told otherwise here.
    const other = [said, proposed, { role: 'tool', tool_call_id: 'b', content: '{"id":8}' }];
    const told = file('other.json', jsonLines({ ...REQUEST, id: 'three', conversation: other }));
    const refused = await grounds(['check', told, log, '-c', rules]);
    expect([refused.exit, refused.err]).toEqual([2, expect.stringContaining('[check/conversation-differs]')]);
  });

  test('takes the caller’s own id, and no log for the program', async () => {
    const { log, tool, call } = await bank({ ...REQUEST, id: '7' });
    const last = await grounds(['execute', call, log, '--', 'cat']);
    expect([last.exit, last.err]).toEqual([2, expect.stringContaining(`give it as --db ${log}`)]);
    const named = await grounds(['execute', '7', '--db', log, '--', ...tool(SUCCEEDS)]);
    expect([named.exit, named.err]).toEqual([0, '']);
  });

  test('runs a program as the tool, once: arguments on stdin, the key in the environment, its output as the result', async () => {
    const { log, call, execute, sent } = await bank();
    const first = await execute(['--json'], SUCCEEDS);
    expect(first.exit).toBe(0);
    const [line] = first.lines();
    expect(line).toMatchObject({
      decision: 'execute',
      call_id: call,
      tool: 'transfer',
      arguments: { amount: 250, to: 'acc-77' },
      outcome: 'succeeded',
      result: { segment: 1 },
      refused: [],
    });
    expect(sent()).toEqual([`{"amount":250,"to":"acc-77"} ${line?.start} transfer`]);
    const again = await execute([], SUCCEEDS);
    expect(again.exit).toBe(1);
    expect(again.out).toMatch(
      /^transfer {2}REFUSED {2}[0-9a-f]{8}\n {2}consumed {2}the call was started already\n/,
    );
    expect((await execute([], SUCCEEDS)).out).toContain('was recorded before in');
    expect(sent()).toHaveLength(1);
    const why = await grounds(['why', call, log]);
    expect(why.out).toContain('RAN ON GOOD GROUNDS');
    expect((await grounds(['replay', log])).exit).toBe(0);
    expect((await grounds(['calls', log, '--json'])).lines()[0]).toMatchObject({
      outcome: 'succeeded',
      ran_without_grounds: false,
    });
  });

  test('makes the same call of one conversation once, under however many ids it was checked', async () => {
    const { log, check, execute, tool, sent } = await bank();
    const other = await check({ ...REQUEST, id: 'two' });
    const dearer = await check({
      ...REQUEST,
      id: 'three',
      arguments: { amount: 250, to: 'acc-77', note: null },
    });
    const elsewhere = await check({ ...REQUEST, conversation_id: 'another chat' });
    expect((await execute([], SUCCEEDS)).exit).toBe(0);
    const after = await check({ ...REQUEST, id: 'four' });
    const executed = async (call: string) => {
      const { lines } = await grounds(['execute', call, '--db', log, '--json', '--', ...tool(SUCCEEDS)]);
      return lines()[0]?.refused;
    };
    expect(await executed(other)).toEqual(['repeated']);
    expect(await executed(after)).toEqual(['repeated']);
    expect(await executed(dearer)).not.toContain('repeated');
    expect(sent()).toHaveLength(1);
    expect(await executed(elsewhere)).toEqual([]);
    expect(sent()).toHaveLength(2);
    const replay = await grounds(['replay', log]);
    expect([replay.exit, replay.out]).toEqual([0, expect.stringContaining('5')]);
  });

  test('says what a program that fails, is not found, is killed or takes too long came to', async () => {
    const failed = await bank();
    const shown = await failed.execute([], `process.stdout.write('no money'); process.exitCode = 3;`);
    expect(shown.exit).toBe(1);
    expect(shown.out).toMatch(/^transfer {2}EXECUTED, FAILED \(tool\/exit-3\).*\n.*\n {2}result {3}no money/);

    const missing = await bank();
    const none = await grounds([
      'execute',
      missing.call,
      '--db',
      missing.log,
      '--json',
      '--',
      './no-such-program',
    ]);
    expect(none.lines()[0]).toMatchObject({ outcome: 'failed', code: 'tool/not-reached', result: null });

    const killed = await bank();
    const lost = await killed.execute([], `process.kill(process.pid, 'SIGKILL')`);
    expect(lost.exit).toBe(1);
    expect(lost.out).toContain('OUTCOME UNKNOWN (tool/killed)');
    expect(lost.out.replaceAll(/\s+/g, ' ')).toContain(
      'Nobody knows whether it had its effect, and it is not sent again.',
    );

    const slow = await bank();
    const late = await slow.execute(['--timeout', '1', '--json'], 'setTimeout(() => {}, 60000)');
    expect(late.lines()[0]).toMatchObject({ outcome: 'unknown', code: 'tool/timeout' });
  });

  test('refuses what is not executable, and calls nothing', async () => {
    const { execute, sent } = await bank({ ...REQUEST, arguments: { amount: 250, to: 'acc-99' } });
    const { exit, lines } = await execute(['--json'], SUCCEEDS);
    expect(exit).toBe(1);
    expect(lines()[0]).toMatchObject({
      decision: 'refuse',
      refused: ['not_executable'],
      outcome: 'not_executed',
    });
    expect(sent()).toEqual([]);
  });

  test('keeps a program’s bytes that are no text out of the log, and its outcome in it', async () => {
    const { log, execute } = await bank();
    expect((await execute([], 'process.stdout.write(Buffer.from([255, 254]))')).exit).toBe(0);
    const { lines } = await grounds(['log', log, '--type', 'SegmentAdded', '--json']);
    expect(JSON.stringify(lines().at(-1))).toContain('"fault":"not_json"');
  });

  test('names a run, and then means that one and no newer one', async () => {
    const { log, check, execute } = await bank({ ...REQUEST, arguments: { amount: 250, to: 'acc-99' } });
    const old = (await grounds(['calls', log, '--json'])).lines()[0]?.run_id as string;
    await check(REQUEST);
    const { lines } = await grounds(['execute', old, '--db', log, '--json', '--', 'true']);
    expect(lines()[0]).toMatchObject({ run_id: old, refused: ['not_executable', 'not_newest'] });
    expect((await execute(['--json'], SUCCEEDS)).lines()[0]?.outcome).toBe('succeeded');
    const gaps = await grounds(['gaps', log]);
    expect(gaps.out).toContain(
      '1 of 1 call that the gate stopped was executed later, on good grounds (100 %)',
    );
  });

  test('needs a command', async () => {
    const { call, log } = await bank();
    const { exit, err } = await grounds(['execute', call, '--db', log]);
    expect(exit).toBe(2);
    expect(err).toContain('[cli/usage]');
  });
});

describe('reconcile', () => {
  test('lists what nobody knows the end of, and settles it once', async () => {
    const { log, call, execute } = await bank();
    expect(await grounds(['reconcile', log])).toMatchObject({
      exit: 0,
      out: 'No start is without an end.\n',
    });
    await execute([], `process.kill(process.pid, 'SIGKILL')`);
    const listed = await grounds(['reconcile', log, '--json']);
    expect(listed.exit).toBe(1);
    const [start] = listed.lines();
    expect(start).toMatchObject({ call, tool: 'transfer', outcome: 'unknown' });
    expect((await grounds(['reconcile', log])).out).toContain('its executor does not know');
    const id = String(start?.start);
    const settle = (...more: string[]) => grounds(['reconcile', log, '--start', id, ...more]);
    expect((await settle('--outcome', 'succeeded')).exit).toBe(2);
    expect((await settle('--user', 'ann')).exit).toBe(2);
    const settled = await settle('--outcome', 'succeeded', '--user', 'ann@example.com');
    expect(settled).toMatchObject({ exit: 0, out: `${id} is settled: succeeded, reported. It stays so.\n` });
    const twice = await settle('--outcome', 'failed', '--user', 'ann');
    expect(twice.exit).toBe(2);
    expect(twice.err).toContain('[executor/closed]');
    expect((await grounds(['reconcile', log])).exit).toBe(0);
    expect((await grounds(['log', log])).out).not.toContain('ann@example.com');
  });

  test('takes a measurement, with what it found', async () => {
    const { log, execute } = await bank();
    await execute([], `process.kill(process.pid, 'SIGKILL')`);
    const [start] = (await grounds(['reconcile', log, '--json'])).lines();
    const settle = (...more: string[]) =>
      grounds([
        'reconcile',
        log,
        '--start',
        String(start?.start),
        '--outcome',
        'failed',
        '--by',
        'measured',
        ...more,
      ]);
    expect((await settle()).exit).toBe(2);
    expect((await settle('--hook', 'get_transfers', '--arguments', '{no', '--result', '[]')).exit).toBe(2);
    expect(
      await settle('--hook', 'get_transfers', '--arguments', '{"to":"acc-77"}', '--result', '[]'),
    ).toMatchObject({
      exit: 0,
    });
  });
});

describe('keys', () => {
  test('are made, listed and shown without their secret, and sign what an executor recorded', async () => {
    const { log, call, keys, execute, path } = await bank();
    const made = await grounds(['keys', 'make', 'bank.example/executor', '--keys', keys]);
    expect(made.out).toMatch(/^bank\.example\/executor\+[0-9a-f]{8}\+[A-Za-z0-9+/=]+\n$/);
    expect(statSync(join(keys, 'bank.example%2Fexecutor.skey')).mode & 0o777).toBe(0o600);
    expect((await grounds(['keys', 'show', 'bank.example/executor', '--keys', keys])).out).toBe(made.out);
    expect((await grounds(['keys', 'list', '--keys', keys, '--json'])).lines()).toMatchObject([
      { name: 'bank.example/executor', secret: true },
    ]);
    expect((await grounds(['keys', 'make', 'bank.example/executor', '--keys', keys])).exit).toBe(2);

    await execute(['--key', 'bank.example/executor', '--keys', keys], SUCCEEDS);
    const verified = await grounds(['keys', 'verify', call, log, '--keys', keys, '--json']);
    expect(verified).toMatchObject({ exit: 0 });
    expect(verified.lines()).toMatchObject([{ status: 'valid', outcome: 'succeeded' }]);
    const elsewhere = await grounds(['keys', 'verify', call, log, '--keys', path('none')]);
    expect(elsewhere.exit).toBe(1);
    expect(elsewhere.out).toContain('signed by a key that is not in the store');
  });

  test('that is not there stops a call before it is made', async () => {
    const { keys, execute, sent } = await bank();
    const { exit, err } = await execute(['--key', 'nobody', '--keys', keys], SUCCEEDS);
    expect(exit).toBe(2);
    expect(err).toContain('[keys/missing]');
    expect(sent()).toEqual([]);
  });
});

describe('incident', () => {
  test('is kept with the call, tells where each slot was confirmed from, and is shown', async () => {
    const { log, call, execute } = await bank();
    await execute([], SUCCEEDS);
    const report = (...more: string[]) =>
      grounds(['incident', call, log, '--text', 'It went to the wrong account.', ...more]);
    const reported = await report(
      '--slot',
      '/to',
      '--happened-at',
      '2026-05-01T10:00:00+02:00',
      '--user',
      'ann@example.com',
      '--json',
    );
    expect(reported.exit).toBe(0);
    expect(reported.lines()[0]).toMatchObject({
      call_id: call,
      slots: [{ slot: '/to', state: 'known', source: 'instruction', origin: 'instruction', owner: 'asking' }],
    });
    expect((await report('--slot', '/to')).out).toMatch(
      /\n {2}\/to {2}known S7 {2}instruction {2}→ asking\n$/,
    );
    const wrong = await report('--slot', '/too');
    expect(wrong.exit).toBe(2);
    expect(wrong.err).toContain('Did you mean /to?');
    expect((await report('--happened-at', 'yesterday')).exit).toBe(2);
    expect((await grounds(['show', call, log])).out).toContain(
      'incident   /to: It went to the wrong account.',
    );
    const why = await grounds(['why', call, log]);
    expect(why.out).toContain('of /to: “It went to the wrong account.”');
    expect((await grounds(['why', call, log, '--json'])).lines()[0]?.incidents).toMatchObject([
      { slots: ['/to'], happened_at: '2026-05-01T08:00:00.000Z' },
      { slots: ['/to'], happened_at: null },
    ]);
    expect((await grounds(['log', log, '--json'])).out).not.toContain('ann@example.com');
    expect((await report()).exit).toBe(0);
    const of = { tool: 'transfer', calls: 1 };
    const value = { slot: '/to', kind: 'value', owner: 'asking', origin: 'instruction' };
    const whole = { slot: '', kind: null, owner: 'undetermined', origin: null };
    const counted = await grounds(['gaps', log, '--json']);
    expect(counted.lines().at(-1)?.incidents).toEqual({
      incidents: 3,
      calls: 1,
      by_slot: [
        { ...of, ...value, incidents: 2 },
        { ...of, ...whole, incidents: 1 },
      ],
    });
    const onlyIntent = await grounds(['gaps', log, '--kind', 'intent', '--json']);
    expect(onlyIntent.lines().at(-1)?.incidents).toEqual({ incidents: 0, calls: 0, by_slot: [] });
    expect((await grounds(['gaps', log])).out).toMatch(/ 2 +1 +value +transfer +\/to +instruction +asking\n/);
    expect((await grounds(['replay', log])).exit).toBe(0);
  });
});

test('what these commands print as JSON has a published schema', () => {
  const names = lineJsonSchemas().map(([name]) => name);
  expect(names).toEqual(
    expect.arrayContaining(['execution', 'unfinished-start', 'signed-check', 'key', 'incident']),
  );
});
