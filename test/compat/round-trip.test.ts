import { writeFileSync } from 'node:fs';
import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { replayLog } from '../../replay/index.ts';
import { importRecords, readRecords, recordsFrom, SKELETON_VERSIONS } from '../../src/compat/index.ts';
import { encode } from '../../src/events/canonical.ts';
import { streamOf } from '../../src/events/index.ts';
import type { Json } from '../../src/events/json.ts';
import { randomId } from '../../src/events/random-id.ts';
import { openSqliteLogSync, type SqliteLog } from '../../src/log/index.ts';
import { projectionsOf } from '../../src/projections/index.ts';
import { freshFiles } from '../log/folder.ts';
import { anyRecord, recordOfVersion } from './arbitrary-record.ts';
import { AT } from './bank.ts';

const fresh = freshFiles();

function imported(log: SqliteLog, file: string) {
  return [...importRecords(() => ({ log, clock: () => AT, newId: randomId }), readRecords(file))];
}

/** Every record that the log exports, in its order. */
function exported(log: SqliteLog): (Json | null)[] {
  const projections = projectionsOf(log);
  projections.catchUp();
  const recordOf = recordsFrom(log);
  return [...projections.calls()].map(({ call_id }) => {
    const place = projections.place(call_id);
    return place === null ? null : recordOf(place);
  });
}

/** The same records as files may have them. */
const FILES: Readonly<Record<string, (records: readonly Json[]) => string>> = {
  'JSON lines': (records) => records.map((record) => `${JSON.stringify(record)}\n`).join('\n'),
  'one array': (records) => JSON.stringify(records),
  'one array over several lines': (records) => `\n${JSON.stringify(records, null, 2)}\n`,
};

async function roundTrip(records: readonly Json[], text: string): Promise<void> {
  const file = fresh();
  writeFileSync(`${file}.json`, text);
  const log = openSqliteLogSync({ file, create: true });
  try {
    const first = imported(log, `${file}.json`);
    expect(first.map(({ added }) => added)).toEqual(records.map(() => true));
    const back = exported(log);
    expect(back).toEqual(records);
    // A matcher may take a key called __proto__ for none.
    expect(back.map(encode)).toEqual(records.map(encode));
    const size = log.sizeSync();
    expect(imported(log, `${file}.json`).map(({ added }) => added)).toEqual(records.map(() => false));
    expect(log.sizeSync()).toBe(size);
    const replay = replayLog(log);
    let step = replay.next();
    while (step.done !== true) step = replay.next();
    expect(step.value).toMatchObject({ replayed: 0, diverged: 0, missing_input: 0, tampered: 0 });
  } finally {
    await log.close();
  }
}

describe('what was imported is exported as equal JSON', () => {
  for (const version of SKELETON_VERSIONS) {
    test.prop([recordOfVersion(version)], { numRuns: 12 })(`a record of ${version}`, (record) =>
      roundTrip([record], JSON.stringify(record, null, 1)),
    );
  }
  for (const [name, write] of Object.entries(FILES)) {
    test.prop([fc.array(anyRecord, { minLength: 1, maxLength: 6 })], { numRuns: 8 })(
      `several, equal ones too: ${name}`,
      (some) => {
        const records = [...some, some[0] as Json];
        return roundTrip(records, write(records));
      },
    );
  }

  test('null, [], {} and absent are kept apart, and a key called __proto__ is one', async () => {
    const text = ['"fields":null', '"fields":[]', '"gate":{}', '"__proto__":{"a":null}', '"x":""']
      .map((member) => `{"schema_version":"1.5","execution_decision":"hold",${member}}\n`)
      .join('');
    await roundTrip(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Json),
      text,
    );
  });
});

test('more records than a batch holds are all there, in their order', async () => {
  const records = Array.from({ length: 600 }, (_, n) => ({
    schema_version: '1.8',
    execution_decision: 'hold',
    reason: String(n % 7),
  }));
  await roundTrip(records, FILES['JSON lines']?.(records) ?? '');
});

test('the same records in another file add nothing; only more of them do', async () => {
  const record = { schema_version: '1.4', execution_decision: 'executed', fields: [] };
  const file = fresh();
  writeFileSync(`${file}.a`, JSON.stringify([record, record]));
  writeFileSync(`${file}.b`, JSON.stringify([record, record, record]));
  const log = openSqliteLogSync({ file, create: true });
  imported(log, `${file}.a`);
  expect(imported(log, `${file}.b`).map(({ added }) => added)).toEqual([false, false, true]);
  await log.close();
});

test('what came before a faulty record stays, and the rest follows once it is repaired', async () => {
  const good = '{"schema_version":"1.4","execution_decision":"hold"}\n';
  const file = fresh();
  writeFileSync(`${file}.jsonl`, `${good}{"schema_version":"1.4"}\n${good}`);
  const log = openSqliteLogSync({ file, create: true });
  expect(() => imported(log, `${file}.jsonl`)).toThrow(expect.objectContaining({ code: 'record/shape' }));
  expect(log.sizeSync()).toBe(1);
  writeFileSync(`${file}.jsonl`, `${good}${good.replace('hold', 'failed')}${good}`);
  expect(imported(log, `${file}.jsonl`).map(({ added }) => added)).toEqual([false, true, true]);
  await log.close();
});

describe('an imported call', () => {
  const row = async (record: object) => {
    const file = fresh();
    writeFileSync(`${file}.json`, JSON.stringify(record));
    const log = openSqliteLogSync({ file, create: true });
    const [one] = imported(log, `${file}.json`);
    const projections = projectionsOf(log);
    projections.catchUp();
    const found = projections.call(one?.call_id ?? '');
    const summary = projections.summary();
    const baseline = projections.baseline('u_01:bank.transfer', { observed: true });
    expect(log.versionSync(streamOf.call(one?.call_id ?? ''))).toBe(1);
    await log.close();
    return { found, summary, baseline };
  };
  const EXECUTED = {
    schema_version: '1.8',
    action_key: 'u_01:bank.transfer',
    phase: 'at_trigger',
    fixed: { c3_provider_action_name: 'bank.transfer' },
    call_arguments: { amount: 5 },
    unknown_count: 0,
    execution_decision: 'executed',
  };

  test('has a row with what its record says, no verdict, and no part in what is counted', async () => {
    const { found, summary, baseline } = await row(EXECUTED);
    expect(found).toMatchObject({
      run_id: null,
      action_key: 'u_01:bank.transfer',
      tool: 'bank.transfer',
      arguments: { amount: 5 },
      phase: 'at_trigger',
      verdict: null,
      unknown_count: null,
      outcome: 'succeeded',
      ran_without_grounds: false,
      gated: false,
      origin: { line: 1, message: 0 },
      verdict_digest: null,
    });
    expect(summary).toMatchObject({ executable: 0, ran_without_grounds: 0, gaps: { total: 0 } });
    expect(baseline).toBeNull();
  });

  test.each([
    ['executed', 'succeeded'],
    ['failed', 'unknown'],
    ['execute', 'not_executed'],
    ['deferred', 'not_executed'],
  ])(
    'that says %s has the outcome %s: a throw does not tell that nothing happened',
    async (said, outcome) => {
      expect((await row({ ...EXECUTED, execution_decision: said })).found?.outcome).toBe(outcome);
    },
  );

  test('of which the record says next to nothing has a row all the same', async () => {
    const { found } = await row({ schema_version: '1.4', execution_decision: 'hold', fixed: null });
    expect(found).toMatchObject({ tool: '', arguments: null, phase: null, action_key: null });
  });
});
