import { Validator } from '@cfworker/json-schema';
import { expect, test } from 'vitest';
import { past } from '../replay/tamper.ts';
import { BANK_RULES, GROUNDED, INVENTED, jsonLines } from './bank.ts';
import { folder, grounds, type Shown } from './terminal.ts';

type Lines = ReturnType<Shown['lines']>;

async function validator(name: string): Promise<(line: unknown) => string[]> {
  const [schema] = (await grounds(['schema', name, '--json'])).lines();
  const validate = new Validator(schema as object, '2020-12');
  return (line) => validate.validate(line).errors.map((error) => `${error.instanceLocation} ${error.error}`);
}

/** Every line as one schema says, but for the last where that has its own. */
async function faults(lines: Lines, name: string, last = name): Promise<string[]> {
  const [each, end] = [await validator(name), await validator(last)];
  return lines.flatMap((line, i) => (i === lines.length - 1 ? end : each)(line));
}

async function recorded() {
  const { file, path } = folder();
  const log = path('bank.db');
  const rules = file('bank.yaml', BANK_RULES);
  const faulty = { messages: [{ role: 'user', content: 7 }] };
  const runs = file('runs.jsonl', jsonLines(GROUNDED, INVENTED, faulty));
  const audit = await grounds(['audit', runs, '-c', rules, '--db', log, '--keep-going', '--json']);
  const request = {
    id: 'a',
    conversation: [{ role: 'user', content: 'Send 250' }],
    tool: 'transfer',
    arguments: { amount: 250, to: 'acc-9' },
  };
  const asked = file('requests.jsonl', jsonLines(request, { ...request, id: undefined }));
  const check = await grounds(['check', asked, '-c', rules, '--db', log, '--json']);
  return { log, audit, check, call: String(audit.lines()[3]?.call_id) };
}

test('what audit, check, calls, log, show, gaps, why and replay print as JSON is as the published schemas say', async () => {
  const { log, audit, check, call } = await recorded();
  const printed = async (...args: string[]): Promise<Lines> =>
    (await grounds([...args, '--db', log, '--json'])).lines();
  expect(audit.lines().at(-1)).toMatchObject({ faults: [{ code: expect.any(String) }] });
  expect(await faults(audit.lines(), 'call-row', 'audit-summary')).toEqual([]);
  expect(check.lines()).toHaveLength(2);
  expect(await faults(check.lines(), 'check-answer')).toEqual([]);
  expect(await faults(await printed('calls'), 'call-row')).toEqual([]);
  expect(await faults(await printed('log'), 'log-line')).toEqual([]);
  expect(await faults(await printed('show', call, '--events'), 'log-line')).toEqual([]);
  expect(await faults(await printed('why', call), 'why')).toEqual([]);
  const gaps = await printed('gaps');
  expect(gaps.length).toBeGreaterThan(1);
  expect(await faults(gaps, 'gap', 'gap-summary')).toEqual([]);
  const replay = await printed('replay', '--all');
  expect(replay).toHaveLength(5);
  expect(await faults(replay, 'replay-finding', 'replay-summary')).toEqual([]);
});

test('so is what log and replay print of a log that somebody changed', async () => {
  const { log } = await recorded();
  past(log, (db) => {
    db.exec(`update events set bytes = cast('no json' as blob) where position = 1;
      update events set bytes = cast(replace(cast(bytes as text), '"not_said"', '"no_answer"') as blob)
      where type = 'VerdictRecorded'`);
  });
  const lines = async (command: string): Promise<Lines> => (await grounds([command, log, '--json'])).lines();
  expect(await faults(await lines('log'), 'log-line')).toEqual([]);
  const replay = await lines('replay');
  expect(replay.length).toBeGreaterThan(2);
  expect(await faults(replay, 'replay-finding', 'replay-summary')).toEqual([]);
});

test('the schemas refuse a key that they do not name, and ask for each that they do', async () => {
  const { log } = await recorded();
  const [line] = (await grounds(['log', log, '--json'])).lines();
  const [finding, , , , summary] = (await grounds(['replay', log, '--all', '--json'])).lines();
  for (const [name, value] of [
    ['log-line', line],
    ['replay-finding', finding],
    ['replay-summary', summary],
  ] as const) {
    const errors = await validator(name);
    expect(errors(value)).toEqual([]);
    expect(errors({ ...value, more: 1 })).not.toEqual([]);
    for (const key of Object.keys(value ?? {})) {
      const without = Object.entries(value ?? {}).filter(([each]) => each !== key);
      expect([key, errors(Object.fromEntries(without))]).not.toEqual([key, []]);
    }
  }
});
