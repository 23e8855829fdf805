import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openSqliteLogSync } from '../../src/log/index.ts';
import { BANK_RULES, jsonLines } from './bank.ts';
import { folder, grounds } from './terminal.ts';

const SAID = [{ role: 'user', content: 'Please send 250 to acc-77' }];
const REQUEST = { conversation: SAID, tool: 'transfer', arguments: { amount: 250, to: 'acc-77' } };

function bank() {
  const dir = folder();
  const rules = dir.file('bank.yaml', BANK_RULES);
  const log = dir.path('check.db');
  const check = (body: string, ...more: string[]) =>
    grounds(['check', dir.file('request.json', body), log, '-c', rules, ...more]);
  return { ...dir, rules, log, check };
}

async function typesIn(file: string): Promise<string[]> {
  const log = openSqliteLogSync({ file, readonly: true });
  const types: string[] = [];
  for (const page of log.readSync({})) for (const { event } of page) types.push(event.type);
  await log.close();
  return types;
}

describe('check', () => {
  test('records conversation, declarations, lookups and verdict in one commit, and exits with 0 where it is executable', async () => {
    const { check, log } = bank();
    const { exit, out } = await check(JSON.stringify(REQUEST));
    expect(exit).toBe(0);
    expect(out).toMatch(
      /^transfer {2}EXECUTABLE {2}[0-9a-f]{8}\n {2}2 slots confirmed · reductions: .* · recorded in/,
    );
    const types = await typesIn(log);
    expect(types.slice(0, 4)).toEqual(['ToolDeclared', 'ChecklistDeclared', 'SegmentAdded', 'RunStarted']);
    expect(types.slice(-2)).toEqual(['VerdictRecorded', 'CallOpened']);
    expect(types).not.toContain('CallObserved');
  });

  test('says what the conversation could not tell, each note once, as audit does', async () => {
    const { check } = bank();
    const said = [...SAID, { role: 'narrator', content: 'A storm is coming.' }];
    const lines = jsonLines({ ...REQUEST, id: 'a', conversation: said }, { ...REQUEST, id: 'b' });
    const { out } = await check(lines);
    expect(out.match(/^what the requests can not tell, and what was made of it$/gm)).toHaveLength(1);
    expect(out).toMatch(/\n {2}The role .*narrator/);
    expect(out.replaceAll('\n', ' ')).toContain('taken as typed');
    const [first, second] = (await check(lines, '--json')).lines();
    expect(first?.notes).toContainEqual(expect.stringContaining('narrator'));
    expect(second?.notes).toContainEqual(expect.stringContaining('taken as typed'));
    const segments = [{ author: 'user', body: 'Send 250 to acc-77', typed: true }];
    expect((await check(JSON.stringify({ ...REQUEST, conversation: { segments } }))).out).not.toContain(
      'can not tell',
    );
  });

  test('names all that a request lacks', async () => {
    const { check } = bank();
    const { exit, err } = await check('{"tool": "transfer"}');
    expect(exit).toBe(2);
    expect(err.replaceAll('\n', ' ')).toContain('"/conversation" is missing; "/arguments" is missing.');
  });

  test('counts conditions apart from slots', async () => {
    const { file, log } = bank();
    const limit = '    conditions: { limit: { require: args.amount <= 300 } }\n';
    const rules = file('limit.yaml', `${BANK_RULES}${limit}`);
    const judge = async (amount: number) => {
      const said = [{ role: 'user', content: `Please send ${amount} to acc-77` }];
      const request = { conversation: said, tool: 'transfer', arguments: { amount, to: 'acc-77' } };
      return grounds(['check', file('r.json', JSON.stringify(request)), log, '-c', rules]);
    };
    expect((await judge(250)).out).toContain('  2 slots confirmed · 1 condition met · reductions');
    const over = await judge(400);
    expect(over.out).toMatch(/unmet {2}limit/);
    // What was not met has no owner and no kind.
    expect((await grounds(['gaps', log])).out).toContain('checked and not met');
    for (const of of [
      ['--owner', 'asking'],
      ['--kind', 'condition'],
    ])
      expect((await grounds(['gaps', log, ...of])).out).not.toContain('checked and not met');
    expect(over.out).toContain('  2 slots confirmed · reductions');
  });

  test('exits with 1 where a value stands nowhere, and says who can fill it', async () => {
    const { check } = bank();
    const { exit, out } = await check(
      JSON.stringify({ ...REQUEST, arguments: { amount: 250, to: 'acc-99' } }),
    );
    expect(exit).toBe(1);
    expect(out).toContain('UNKNOWN');
    expect(out).toMatch(/unknown {2}\/to {2}not_said {2}value → ask_user/);
  });

  test('says what could be asked, that nobody was, and how to go on, which then does', async () => {
    const { check, log } = bank();
    const named = {
      ...REQUEST,
      id: 'c-1',
      conversation_id: 'chat',
      arguments: { amount: 250, to: 'acc-99' },
    };
    const text = (await check(JSON.stringify(named))).out;
    expect(text).toMatch(/to ask {2}slots +“Which value should to have\?”/);
    expect(text.replaceAll(/\s+/g, ' ')).toContain('check asks nobody. Bring what the user says');
    const before = await typesIn(log);
    const [line] = (await check(JSON.stringify(named), '--json')).lines();
    expect(line?.asks).toEqual([
      { about: 'slots', text: 'Which value should to have?', slots: ['/to'], shown: [] },
      {
        about: 'approval',
        text: expect.any(String),
        slots: ['/to'],
        shown: [{ slot: '/to', value: 'acc-99' }],
      },
    ]);
    expect(await typesIn(log)).toEqual(before);
    const answered = { ...named, answers: [{ slot: '/to', value: 'acc-99' }] };
    const [after] = (await check(JSON.stringify(answered), '--json')).lines();
    expect(after).toMatchObject({ call_id: line?.call_id, verdict: 'executable', asks: [] });
    const live = await grounds(['answer', String(line?.call_id), log, '--slot', '/to=acc-99']);
    expect([live.exit, live.err]).toEqual([2, expect.stringContaining('No question waits')]);
  });

  test.each([
    [
      'an answer to a slot that is not there',
      { answers: [{ slot: '/amont', value: 30 }] },
      'no-such-slot',
      '/amount',
    ],
    [
      'an answer to a slot without its slash',
      { answers: [{ slot: 'amount', value: 30 }] },
      'no-such-slot',
      '/amount',
    ],
    [
      'a setting that nothing uses',
      { settings: [{ name: 'landlrd', value: 'acc-77' }] },
      'no-such-setting',
      'landlord',
    ],
  ])('refuses %s, says what may be meant, and records nothing', async (_, more, code, meant) => {
    const { file, log } = bank();
    const rules = BANK_RULES.replace('/to: { reader: text }', '/to: { reader: text, setting: landlord }');
    const request = file('r.json', JSON.stringify({ ...REQUEST, ...more }));
    const { exit, err } = await grounds(['check', request, log, '-c', file('s.yaml', rules)]);
    expect([exit, err]).toEqual([2, expect.stringContaining(`[check/${code}]`)]);
    expect(err.replaceAll('\n', ' ')).toContain(`Did you mean "${meant}"?`);
    expect((await typesIn(log)).filter((type) => type === 'RunStarted')).toEqual([]);
  });

  test('takes an answer to what the schema knows and the proposal leaves out, and a setting of another tool', async () => {
    const { file, log } = bank();
    const rules = `${BANK_RULES.replace('slots_from_proposal: true', 'schema: { type: object, properties: { amount: { type: number }, to: { type: string }, memo: { type: string } } }')}  pay:
    slots: { /from: { reader: text, setting: payer } }
`;
    const answers = [{ slot: '/memo', none: true }];
    const settings = [{ name: 'payer', value: 'acc-1' }];
    const request = file('r.json', JSON.stringify({ ...REQUEST, answers, settings }));
    const { exit, err } = await grounds(['check', request, log, '-c', file('s.yaml', rules)]);
    expect([exit, err]).toEqual([0, '']);
  });

  test('refuses an answer to what was meant, and says before that it takes the user’s words', async () => {
    const { check } = bank();
    const unclear = { ...REQUEST, conversation: [{ role: 'user', content: '250 to acc-77.' }] };
    const { out } = await check(JSON.stringify(unclear));
    expect(out).toMatch(/to ask {2}intent/);
    expect(out.replaceAll(/\s+/g, ' ')).toContain('read from their own words, never from "answers"');
    expect(out).not.toContain('by slot');
    const answered = { ...unclear, answers: [{ slot: 'intent', value: 'send it' }] };
    const { exit, err } = await check(JSON.stringify(answered));
    expect([exit, err]).toEqual([2, expect.stringContaining('[check/intent-answer]')]);
    expect(err.replaceAll('\n', ' ')).toContain('at the end of "conversation"');
  });

  test('says that no checklist was given, once, as audit does', async () => {
    const { file, log } = bank();
    const lines = file('r.jsonl', jsonLines({ ...REQUEST, id: 'a' }, { ...REQUEST, id: 'b' }));
    const { exit, out } = await grounds(['check', lines, log]);
    expect(exit).toBe(1);
    const told = out.replaceAll(/\s+/g, ' ');
    expect(told.match(/No checklist was given/g)).toHaveLength(1);
    expect(told).toContain('check again with --checklist <file>');
    const [line] = (await grounds(['check', lines, log, '--json'])).lines();
    expect(line?.notes).toContainEqual(expect.stringContaining('No checklist was given'));
  });

  test('says that no checklist declares a tool, and which may be meant', async () => {
    const { check } = bank();
    const { out } = await check(JSON.stringify({ ...REQUEST, tool: 'tranfser' }));
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      'No checklist declares the tool tranfser, nor which words ask for it; did you mean transfer?',
    );
    expect((await check(JSON.stringify(REQUEST))).out).not.toContain('No checklist');
  });

  test('says that the user typed nothing, where no segment is marked so', async () => {
    const { check } = bank();
    const segments = [{ author: 'user', body: 'Please send 250 to acc-77' }];
    const { out } = await check(JSON.stringify({ ...REQUEST, conversation: { segments } }));
    expect(out.replaceAll(/\s+/g, ' ')).toContain('Nothing in this conversation was typed by the user');
    expect(out).toContain('"typed": true');
  });

  test('of a call that is declared reversible judges nothing, and why, calls and gaps say the same', async () => {
    const { check, log } = bank();
    const looked = { ...REQUEST, tool: 'get_balance', arguments: { account: 'main' } };
    const { exit, out } = await check(JSON.stringify(looked));
    expect(exit).toBe(0);
    expect(out).toMatch(
      /^get_balance {2}OUTSIDE THE GATE {2}[0-9a-f]{8}\n {2}declared reversible, so nothing was judged · recorded in .*\n/,
    );
    const [line] = (await check(JSON.stringify(looked), '--json')).lines();
    expect(line).toMatchObject({ gated: false, verdict: null, unknown: [], unknown_count: null, asks: [] });
    expect((await grounds(['calls', log])).out).toContain('outside the gate');
    const told = (await grounds(['why', String(line?.call_id), log])).out;
    expect(told).toContain('OUTSIDE THE GATE: this call is declared reversible, so nothing was checked');
    expect(told).not.toMatch(/UNKNOWN|UNDETERMINED|undetermined|^ {2}(act|tool|verdict|gap) /m);
    expect((await grounds(['gaps', log, '--json'])).lines()).toMatchObject([{ n: 0, gaps: 0 }]);
    expect((await grounds(['replay', log])).exit).toBe(0);
  });

  test('says that it keeps nothing for later', async () => {
    const { file, log } = bank();
    const later = BANK_RULES.replace(
      'act_words:',
      'timing: { scheduled: { words: [on], detail: date } }\n  act_words:',
    );
    const said = [{ role: 'user', content: 'Please send 250 to acc-77 on 2030-01-05' }];
    const request = { ...REQUEST, id: 'l', conversation: said, phase: 'at_instruction' };
    const run = (body: unknown) =>
      grounds(['check', file('r.json', JSON.stringify(body)), log, '-c', file('later.yaml', later)]);
    const { exit, out } = await run(request);
    expect([exit, out.replaceAll(/\s+/g, ' ')]).toEqual([
      1,
      expect.stringContaining('check keeps nothing for later'),
    ]);
    const { phase: _, ...fired } = { ...request, trigger: 'scheduled' };
    expect((await run(fired)).exit).toBe(0);
  });

  test('prints the row of the call with the whole verdict as JSON', async () => {
    const { check } = bank();
    const shown = await check(JSON.stringify({ ...REQUEST, id: 'c-1' }), '--json');
    expect(shown.lines()).toEqual([
      expect.objectContaining({
        id: 'c-1',
        tool: 'transfer',
        verdict: 'executable',
        unknown_count: 0,
        outcome: 'not_executed',
        ran_without_grounds: false,
        added: true,
        record: expect.objectContaining({ kind: 'executable', rests_on: expect.anything() }),
      }),
    ]);
  });

  test('finds a call by the name that its caller gave it, where one conversation alone has it', async () => {
    const { check, log } = bank();
    const named = { ...REQUEST, id: 'rent-march' };
    const [line] = (await check(JSON.stringify(named), '--json')).lines();
    expect((await grounds(['show', 'rent-march', log, '--json'])).lines()).toMatchObject([
      { call_id: line?.call_id },
    ]);
    await check(JSON.stringify({ ...named, conversation_id: 'another' }));
    const { exit, err } = await grounds(['why', 'rent-march', log]);
    expect([exit, err]).toEqual([2, expect.stringContaining('[calls/several]')]);
    expect(err).toContain(String(line?.call_id));
    expect(err.replaceAll('\n', ' ')).toContain('in several conversations');
  });

  test('adds nothing when the same request comes again', async () => {
    const { check, log } = bank();
    await check(JSON.stringify(REQUEST));
    const before = await typesIn(log);
    const again = await check(JSON.stringify(REQUEST), '--json');
    expect(again.lines()[0]).toMatchObject({ verdict: 'executable', added: false });
    expect(await typesIn(log)).toEqual(before);
  });

  test('takes another proposal under the same id for a new run of the same call, which supersedes', async () => {
    const { check, log } = bank();
    const named = { ...REQUEST, id: 'c-1', conversation_id: 'chat 7' };
    const first = (
      await check(JSON.stringify({ ...named, arguments: { amount: 999, to: 'acc-77' } }), '--json')
    ).lines()[0];
    const more = [...SAID, { role: 'assistant', content: 'To acc-77?' }];
    const second = (await check(JSON.stringify({ ...named, conversation: more }), '--json')).lines()[0];
    expect(second?.call_id).toBe(first?.call_id);
    expect(second?.run_id).not.toBe(first?.run_id);
    expect((await typesIn(log)).filter((type) => type === 'SegmentAdded')).toHaveLength(2);
  });

  test('refuses a conversation that is told otherwise than it was', async () => {
    const { check, log } = bank();
    const named = { ...REQUEST, conversation_id: 'chat 7' };
    await check(JSON.stringify(named));
    const before = await typesIn(log);
    const other = { ...named, conversation: [{ role: 'user', content: 'Please send 999 to acc-66' }] };
    const { exit, err } = await check(JSON.stringify(other));
    expect([exit, err]).toEqual([2, expect.stringContaining('[check/conversation-differs]')]);
    expect(await typesIn(log)).toEqual(before);
  });

  test('answers each line of stdin, in any split of its bytes', async () => {
    const { rules, log } = bank();
    const text = jsonLines(
      { ...REQUEST, id: 'ä' },
      { ...REQUEST, id: 'b', arguments: { amount: 1, to: 'acc-77' } },
    );
    const bytes = Buffer.from(text);
    const stdin = [...bytes].map((byte) => Buffer.from([byte]).toString('latin1'));
    const shown = await grounds(['check', '-', log, '-c', rules, '--json'], { stdin, latin1: true });
    expect(shown.exit).toBe(1);
    expect(shown.lines().map(({ id, verdict }) => [id, verdict])).toEqual([
      ['ä', 'executable'],
      ['b', 'unknown'],
    ]);
  });

  test('reads one request that is written over several lines', async () => {
    const { check } = bank();
    expect((await check(JSON.stringify(REQUEST, null, 2))).exit).toBe(0);
  });

  test('takes what a hook found as a segment that observes, and what nobody typed for no instruction', async () => {
    const { check } = bank();
    const said = { author: 'user', body: 'Please send 250 to acc-77' };
    const untyped = await check(JSON.stringify({ ...REQUEST, conversation: { segments: [said] } }), '--json');
    expect(untyped.lines()[0]).toMatchObject({ verdict: 'intent_undetermined' });
    const typed = await check(
      JSON.stringify({ ...REQUEST, conversation: { segments: [{ ...said, typed: true }] } }),
      '--json',
    );
    expect(typed.lines()[0]).toMatchObject({ verdict: 'executable' });
  });

  test('takes checklists and a tool definition from the request, and settings as attested by the caller', async () => {
    const { path } = bank();
    const dir = folder();
    const request = {
      conversation: [{ role: 'user', content: 'Please send 250' }],
      tool: {
        name: 'transfer',
        input_schema: {
          type: 'object',
          properties: { amount: { type: 'number' }, to: { type: 'string' } },
          required: ['amount', 'to'],
        },
      },
      arguments: { amount: 250, to: 'acc-77' },
      checklists: [
        {
          grounds: 1,
          checklist: 'bank/policy',
          declared_by: 'system',
          intent: { unmarked_timing: 'immediate', act_words: { transfer: ['send'] } },
          tools: {
            transfer: {
              slots: { '/amount': { reader: 'decimal' }, '/to': { reader: 'text', setting: 'landlord' } },
            },
          },
        },
      ],
      settings: [{ name: 'landlord', value: 'acc-77' }],
    };
    const shown = await grounds([
      'check',
      dir.file('r.json', JSON.stringify(request)),
      path('c.db'),
      '--json',
    ]);
    expect(shown.lines()[0]).toMatchObject({ verdict: 'executable', unknown_count: 0 });
  });

  test('gives a request whose arguments can not be kept exactly its verdict', async () => {
    const { check } = bank();
    const text = JSON.stringify(REQUEST).replace('"amount":250', '"amount":250.00000000000000001');
    const shown = await check(text, '--json');
    expect(shown.exit).toBe(1);
    expect(shown.lines()[0]).toMatchObject({
      arguments: null,
      verdict: expect.stringMatching(/definition_repair|unknown/),
    });
  });

  test.each([
    [
      'a measurement that names no tool',
      { conversation: { segments: [{ author: 'h', body: 1, observes: { arguments: {} } }] } },
      '"/conversation/segments/0/observes/tool" is missing',
    ],
    ['a message without a role', { conversation: [{ content: 'hi' }] }, '"/conversation/0/role" is missing'],
    [
      'an answer in words',
      { answers: [{ slot: '/to', text: 'acc-77' }] },
      '"/answers/0/value" is missing; "/answers/0" is not as it should be: Unrecognized key: "text"',
    ],
    [
      'a number for a tool',
      { tool: 3 },
      'expected string, received number; or: Invalid input: expected object',
    ],
  ])('says of a request with %s which place is wrong, as deep as it goes', async (_, more, told) => {
    const { check } = bank();
    const { exit, err } = await check(JSON.stringify({ ...REQUEST, ...more }));
    expect([exit, err.replaceAll('\n', ' ')]).toEqual([2, expect.stringContaining(told)]);
  });

  test('of text that is no JSON says how a request is written', async () => {
    const { check } = bank();
    const { exit, err } = await check('{bad');
    expect([exit, err]).toEqual([2, expect.stringContaining('[transcript/not-json]')]);
    expect(err.replaceAll('\n', ' ')).toContain('A request is one JSON object, or one object a line.');
    expect(err).not.toContain('by the recorder');
  });

  test('names the argument that the schema has no place for', async () => {
    const { file, log } = bank();
    const rules = BANK_RULES.replace(
      'slots_from_proposal: true',
      'schema: { type: object, additionalProperties: false, properties: { amount: { type: number }, to: { type: string } } }',
    );
    const judge = (args: unknown) =>
      grounds([
        'check',
        file('r.json', JSON.stringify({ ...REQUEST, arguments: args })),
        log,
        '-c',
        file('s.yaml', rules),
      ]);
    expect((await judge({ amount: 250, to: 'acc-77', foo: 1 })).out).toMatch(
      /unmet .* payload_invalid +the schema has no place for \/foo/,
    );
  });

  test.each([
    ['no conversation', { tool: 'transfer', arguments: {} }, '"/conversation"'],
    ['a key that it does not know', { ...REQUEST, argments: {} }, 'argments'],
    ['an argument list', { ...REQUEST, arguments: [1] }, '"/arguments"'],
    ['a time without a zone', { ...REQUEST, now: '2026-01-01T00:00:00' }, '"/now"'],
  ])('refuses a request with %s, naming file, line and place', async (_, request, place) => {
    const { check, log } = bank();
    const { exit, err } = await check(JSON.stringify(request));
    expect(exit).toBe(2);
    expect(err.replaceAll('\n', ' ')).toMatch(/request\.json, line 1: .*\[check\/shape\]/);
    expect(err).toContain(place);
    expect(existsSync(log)).toBe(false);
  });
});
