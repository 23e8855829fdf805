import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SkeletonRecord } from '../../src/compat/index.ts';
import { BANK_RULES, GROUNDED, INVENTED, jsonLines } from './bank.ts';
import { folder, grounds } from './terminal.ts';

const UNDETERMINED = {
  schema_version: '1.4',
  action_key: 'u_01:clean-up',
  phase: 'at_trigger',
  fixed: {
    c1_when_case: 'immediate',
    c2_user_action_name: 'clean up the old invoices',
    c3_provider_action_name: 'records.delete_all',
  },
  fields: null,
  advisory_notes: '',
  unknown_count: null,
  gate: { kind: 'tool_undetermined', user_message: 'Say it again.', next_tool_attempt: 1, _diag: {} },
  execution_decision: 'ask_user',
};
const EXECUTED = {
  schema_version: '1.8',
  action_key: null,
  fixed: { c3_provider_action_name: 'bank.transfer', c3_match: { approved: true, reason: null } },
  fields: [],
  execution_decision: 'executed',
  x_ours: { kept: [null, {}, []] },
};

function records(text: string = jsonLines(UNDETERMINED, EXECUTED)) {
  const dir = folder();
  const file = dir.file('records.jsonl', text);
  const log = dir.path('records.db');
  return {
    ...dir,
    file,
    log,
    add: (...more: string[]) => grounds(['records', 'import', file, log, ...more]),
  };
}

describe('records import', () => {
  test('says how many there are of which kind, and that they are no verdicts here', async () => {
    const { add } = records();
    const { exit, out } = await add();
    expect(exit).toBe(0);
    expect(out).toMatch(/^2 records in .*records\.db\n {2}versions {3}1\.4 × 1 · 1\.8 × 1\n/);
    expect(out).toContain('decisions  ask_user × 1 · executed × 1');
    expect(out).toContain('no verdicts here');
    expect((await add()).out).toMatch(/^2 records in .*, 2 of them there already\n/);
  });

  test('as JSON: one object a record, then the counts', async () => {
    const { add, file, log } = records();
    const lines = (await add('--json')).lines();
    expect(lines).toEqual([
      {
        call_id: expect.any(String),
        added: true,
        schema_version: '1.4',
        execution_decision: 'ask_user',
        action_key: 'u_01:clean-up',
        origin: { file, line: 1, message: 0 },
      },
      expect.objectContaining({ added: true, action_key: null, origin: { file, line: 2, message: 0 } }),
      {
        records: 2,
        added: 2,
        by_version: { '1.4': 1, '1.8': 1 },
        by_decision: { ask_user: 1, executed: 1 },
        log,
      },
    ]);
    const again = (await add('--json')).lines();
    expect(again.map(({ added }) => added)).toEqual([false, false, 0]);
    expect(again[0]?.call_id).toBe(lines[0]?.call_id);
  });

  test('tells the line on which each record of an array begins', async () => {
    const text = JSON.stringify([UNDETERMINED, EXECUTED], null, 2);
    const begins = text.split('\n').flatMap((line, index) => (line === '  {' ? [index + 1] : []));
    const [first, second] = (await records(text).add('--json')).lines();
    expect(first?.origin).toMatchObject({ line: begins[0], message: 0 });
    expect(second?.origin).toMatchObject({ line: begins[1], message: 1 });
  });

  const text = JSON.stringify(UNDETERMINED);
  test.each([
    ['a doubled key', text.replace('{', '{"action_key":1,'), 'record/not-exact', '"action_key"'],
    [
      'a number that no double holds',
      text.replace('null', '0.1000000000000000055'),
      'record/not-exact',
      '0.1000000000000000055',
    ],
    [
      'an integer too long',
      text.replace('null', '12345678901234567890'),
      'record/not-exact',
      '12345678901234567890',
    ],
    ['half of a surrogate pair', text.replace('Say', '\\ud800'), 'record/not-exact', 'surrogate'],
    ['another version', text.replace('1.4', '1.9'), 'record/version', '1.4, 1.5, 1.6, 1.7, 1.8'],
    ['no version', '{"execution_decision":"hold"}', 'record/shape', 'schema_version'],
    ['no object', '"1.4"', 'record/shape', 'it is no object'],
    ['an unknown decision', text.replace('ask_user"}', 'maybe"}'), 'record/shape', '/execution_decision'],
    ['fields that are none', text.replace('"fields":null', '"fields":[1]'), 'record/shape', '/fields/0'],
    ['text that is no JSON', text.slice(0, -1), 'transcript/not-json', 'JSON'],
    ['nothing', '\n\n', 'transcript/empty', 'empty'],
  ])('refuses %s, quoting it, and leaves no log behind', async (_, faulty, code, quoted) => {
    const { add, log } = records(`\n${faulty}\n`);
    const { exit, err } = await add();
    expect(exit).toBe(2);
    expect(err).toContain(`[${code}]`);
    expect(err.replaceAll('\n', ' ')).toContain(quoted);
    if (code !== 'transcript/empty') expect(err.replaceAll('\n', ' ')).toContain('line 2');
    expect(existsSync(log)).toBe(false);
  });

  test('refuses a file that is not there before it reads another', async () => {
    const { file, log } = records();
    const { exit, err } = await grounds(['records', 'import', file, 'nowhere.json', log]);
    expect([exit, err]).toEqual([2, expect.stringContaining('[transcript/not-found]')]);
    expect(existsSync(log)).toBe(false);
  });

  test('alone, records says what there is to do', async () => {
    const { exit, err } = await grounds(['records']);
    expect(exit).toBe(2);
    expect(err).toContain('import');
    expect(err).toContain('[cli/usage]');
  });
});

describe('a log with imported records', () => {
  test('lists, shows and explains them, and counts nothing of them', async () => {
    const { add, log } = records();
    await add();
    const rows = (await grounds(['calls', log, '--json'])).lines();
    expect(rows.map(({ tool, verdict, outcome }) => [tool, verdict, outcome])).toEqual([
      ['records.delete_all', null, 'not_executed'],
      ['bank.transfer', null, 'succeeded'],
    ]);
    expect((await grounds(['show', '1:0', log])).out).toContain('records.delete_all');
    expect((await grounds(['show', '1:0', log, '--events'])).out).toContain(
      'RecordImported  of another gate (1.4): ask_user',
    );
    expect((await grounds(['log', log])).out.match(/RecordImported/g)).toHaveLength(2);
    expect((await grounds(['why', '2:0', log])).out).toContain('another gate judged this call');
    expect((await grounds(['gaps', log])).out).toContain('0 gaps in 0 of 0 judged calls');
  });

  test('is replayed as if they were not there', async () => {
    const { add, log } = records();
    const dir = folder();
    const rules = dir.file('bank.yaml', BANK_RULES);
    await grounds(['audit', dir.file('runs.jsonl', jsonLines(GROUNDED)), log, '-c', rules]);
    await add();
    const { exit, lines } = await grounds(['replay', log, '--json']);
    expect(exit).toBe(0);
    expect(lines().at(-1)).toMatchObject({
      replayed: 1,
      matched: 1,
      diverged: 0,
      unanchored: { kinds: { RecordImported: 2 } },
    });
  });

  test('alone is nothing replayed', async () => {
    const { add, log } = records();
    await add();
    expect((await grounds(['replay', log])).exit).toBe(3);
  });
});

describe('records export', () => {
  test('gives imported records as they came, in the order of the log', async () => {
    const { add, log } = records();
    await add();
    const { exit, lines } = await grounds(['records', 'export', '--db', log]);
    expect([exit, lines()]).toEqual([0, [UNDETERMINED, EXECUTED]]);
    expect((await grounds(['records', 'export', '2:0', '--db', log, '--json'])).lines()).toEqual([EXECUTED]);
  });

  test('renders Grounds’ own newest runs beside them, with values read from the log', async () => {
    const { add, log } = records();
    await add();
    const dir = folder();
    const rules = dir.file('bank.yaml', BANK_RULES);
    await grounds(['audit', dir.file('runs.jsonl', jsonLines(GROUNDED, INVENTED)), log, '-c', rules]);
    const lines = (await grounds(['records', 'export', '--db', log])).lines();
    for (const line of lines) SkeletonRecord.parse(line);
    expect(
      lines.map(({ schema_version, execution_decision }) => [schema_version, execution_decision]),
    ).toEqual([
      ['1.4', 'ask_user'],
      ['1.8', 'executed'],
      ['1.8', 'execute'],
      ['1.8', 'ask_user'],
    ]);
    expect(lines[2]).toMatchObject({
      fixed: { c1_when_case: 'immediate', c2_user_action_name: 'send', c3_provider_action_name: 'transfer' },
      fields: [
        { name: 'amount', value: 250, source: 'instruction' },
        { name: 'to', value: 'acc-77', source: 'instruction' },
      ],
      call_arguments: { amount: 250, to: 'acc-77' },
      grounds: { verdict: 'executable', reductions: expect.any(Array) },
    });
    expect(lines[3]?.fields).toContainEqual(
      expect.objectContaining({ name: 'to', status: 'unknown', note: 'not_said' }),
    );
    expect(JSON.stringify(lines[3])).not.toContain('acc-99');
    const rows = (await grounds(['calls', log, '--verdict', 'executable', '--json'])).lines();
    expect(lines[2]?.grounds).toMatchObject({ verdict_digest: rows[0]?.verdict_digest });
  });

  test('of what Grounds rendered, another log takes all', async () => {
    const dir = folder();
    const rules = dir.file('bank.yaml', BANK_RULES);
    const log = dir.path('a.db');
    await grounds(['audit', dir.file('runs.jsonl', jsonLines(GROUNDED, INVENTED)), log, '-c', rules]);
    const { out } = await grounds(['records', 'export', '--db', log]);
    const other = dir.path('b.db');
    await grounds(['records', 'import', dir.file('rendered.jsonl', out), other]);
    const back = await grounds(['records', 'export', '--db', other]);
    expect(back.lines()).toEqual(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
  });

  test('refuses a call that no gate judged', async () => {
    const dir = folder();
    const rules = dir.file('bank.yaml', BANK_RULES);
    const log = dir.path('a.db');
    await grounds(['audit', dir.file('runs.jsonl', jsonLines(GROUNDED)), log, '-c', rules]);
    const rows = (await grounds(['calls', log, '--json', '--tool', 'get_balance'])).lines();
    const { exit, err } = await grounds(['records', 'export', String(rows[0]?.call_id), '--db', log]);
    expect([exit, err]).toEqual([2, expect.stringContaining('[record/none]')]);
  });

  test('is told by its published schema', async () => {
    const { lines } = await grounds(['schema', 'skeleton-record', '--json']);
    expect(lines()[0]).toMatchObject({ required: ['schema_version', 'execution_decision'] });
    expect((await grounds(['schema'])).out).toContain('event-record-imported');
  });
});
