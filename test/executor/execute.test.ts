import { afterEach, describe, expect, it } from 'vitest';
import { digestOf } from '../../src/events/digest.ts';
import { type DataOf, makeEvent, streamOf } from '../../src/events/index.ts';
import { randomId } from '../../src/events/random-id.ts';
import {
  createExecutor,
  type ExecutorOptions,
  NotReached,
  reconcile,
  reconcileBy,
  unfinishedStarts,
} from '../../src/executor/index.ts';
import { encodeEnvelope, openMemoryLog, type SyncLog } from '../../src/log/index.ts';
import { projectionsOf } from '../../src/projections/index.ts';
import { newestDeclared } from '../../src/runs/newest-declared.ts';
import { agent, user } from '../../src/testing/index.ts';
import {
  dataOf,
  declareChecklist,
  declareTool,
  judge,
  judgement,
  later,
  NOW,
  put,
  SOMEBODY,
  say,
  segmentsOf,
  TOOL,
  typesOf,
} from './bank.ts';

const TOOL_DIGEST = digestOf(TOOL);
const logs: SyncLog[] = [];
afterEach(async () => {
  for (const log of logs.splice(0)) await log.close();
});

function memory(): SyncLog {
  const log = openMemoryLog();
  logs.push(log);
  return log;
}

/** An executor over a world that only remembers what it was asked for. */
function bank(log: SyncLog, more: Partial<ExecutorOptions> = {}) {
  const world: { args: unknown; key: string }[] = [];
  const executor = createExecutor({
    log,
    name: 'bank-executor/1',
    clock: () => later(60),
    call: (_tool, args, { idempotencyKey }) => {
      world.push({ args, key: idempotencyKey });
      return { result: { ok: true }, failed: false };
    },
    ...more,
  });
  return { executor, world };
}

/** Counts commits, and lets a test stand between two of them. */
function counting(log: SyncLog, before: (commits: number) => void = () => {}) {
  const commits: number[] = [];
  const counted: SyncLog = {
    ...log,
    async append(commit) {
      before(commits.length);
      commits.push(commit.writes.reduce((sum, { events }) => sum + events.length, 0));
      return log.append(commit);
    },
    appendSync(all) {
      commits.push(...all.map(() => 0));
      return log.appendSync(all);
    },
  };
  return { counted, commits };
}

describe('a call', () => {
  it('is made once from an executable verdict, with the arguments that were confirmed', async () => {
    const log = memory();
    const { call, run, conversation } = judge(log);
    const { executor, world } = bank(log);
    const execution = await executor.execute({ run });
    expect(execution).toMatchObject({
      decision: 'execute',
      call,
      run,
      outcome: 'succeeded',
      arguments: { amount: 250, to: 'acc-77' },
      result: { conversation, segment: 1 },
    });
    expect(typesOf(log, call)).toEqual([
      'RunStarted',
      'VerdictRecorded',
      'ExecutionDecided',
      'CallStarted',
      'CallSucceeded',
    ]);
    if (execution.decision !== 'execute') throw new Error('refused');
    expect(world).toEqual([{ args: { amount: 250, to: 'acc-77' }, key: execution.start }]);
    expect(segmentsOf(log, conversation)[1]).toEqual({
      at: later(60),
      author: 'tool',
      typed: false,
      origin: null,
      body: { plain: { ok: true } },
      observes: {
        tool: 'transfer',
        arguments: { plain: { amount: 250, to: 'acc-77' } },
        failed: false,
        fault: null,
      },
    });
    const projections = projectionsOf(log);
    projections.catchUp();
    expect(projections.call(call)).toMatchObject({ outcome: 'succeeded', ran_without_grounds: false });
  });

  it('is three durable commits: the run, the decision with the start, the outcome', async () => {
    const log = memory();
    const { counted, commits } = counting(log);
    const { call } = judge(counted);
    await bank(counted).executor.execute({ call });
    expect(commits).toHaveLength(3);
    expect(commits.slice(1)).toEqual([2, 2]);
  });

  it('is not made where the log takes no start', async () => {
    const log = memory();
    const { run } = judge(log);
    const full: SyncLog = { ...log, append: async () => Promise.reject(new Error('no room')) };
    const { executor, world } = bank(full);
    await expect(executor.execute({ run })).rejects.toThrow('no room');
    expect(world).toEqual([]);
  });

  it('is made with the recorded slots, whatever the caller does to them (case 6)', async () => {
    const log = memory();
    const { run, conversation } = judge(log);
    const { executor } = bank(log, {
      call: (_tool, args) => {
        (args as { amount: number }).amount = 50;
        return { result: args, failed: false };
      },
    });
    expect(await executor.execute({ run })).toMatchObject({ arguments: { amount: 250 } });
    expect(segmentsOf(log, conversation)[1]?.observes?.arguments).toEqual({
      plain: { amount: 250, to: 'acc-77' },
    });
  });

  it('that has no run is no call', async () => {
    const log = memory();
    const { executor } = bank(log);
    await expect(executor.execute({ run: randomId() })).rejects.toMatchObject({
      code: 'executor/no-such-run',
    });
    await expect(executor.execute({ call: randomId() })).rejects.toMatchObject({
      code: 'executor/no-such-run',
    });
  });

  it('is found by its run however long ago that stood in the log, and by no other call’s', async () => {
    const log = memory();
    const { run, call } = judge(log);
    const other = judge(log);
    const segment = agent('…');
    const events = Array.from({ length: 4200 }, () =>
      makeEvent('SegmentAdded', { segment, source: null }, { id: randomId(), at: NOW }),
    );
    const stream = streamOf.conversation(randomId());
    log.appendSync([{ writes: [{ stream, expected: 'none', events }] }]);
    const { executor, world } = bank(log);
    expect(await executor.execute({ run })).toMatchObject({ call, outcome: 'succeeded' });
    await expect(executor.execute({ run, call: other.call })).rejects.toMatchObject({
      code: 'executor/no-such-run',
    });
    await expect(executor.execute({ run: other.call })).rejects.toMatchObject({
      code: 'executor/no-such-run',
    });
    expect(world).toHaveLength(1);
  });

  it('that failed says so, and is not logged as a success (case 16)', async () => {
    const log = memory();
    const { run, call, conversation } = judge(log);
    const { executor } = bank(log, {
      call: () => ({ result: 'Error: no such account', failed: true, code: 'tool/no-account' }),
    });
    expect(await executor.execute({ run })).toMatchObject({ outcome: 'failed', code: 'tool/no-account' });
    expect(typesOf(log, call).at(-1)).toBe('CallFailed');
    expect(segmentsOf(log, conversation)[1]?.observes?.failed).toBe(true);
  });

  it('that was never reached failed; it can be judged and started again', async () => {
    const log = memory();
    const first = judge(log);
    const unreachable = bank(log, {
      call: () => {
        throw new NotReached('Connection refused.');
      },
    });
    expect(await unreachable.executor.execute(first)).toMatchObject({
      outcome: 'failed',
      code: 'tool/not-reached',
      result: null,
    });
    const { executor, world } = bank(log);
    expect(await executor.execute({ call: first.call })).toMatchObject({ refused: ['consumed'] });
    judge(log, first);
    expect(await executor.execute({ call: first.call })).toMatchObject({ outcome: 'succeeded' });
    expect(world).toHaveLength(1);
  });

  it('that threw may have had its effect: nobody knows, and nothing is sent again (case 14)', async () => {
    const log = memory();
    const judged = judge(log);
    let calls = 0;
    const { executor } = bank(log, {
      call: () => {
        calls++;
        throw new Error('socket hang up');
      },
    });
    expect(await executor.execute(judged)).toMatchObject({ outcome: 'unknown', code: 'tool/threw' });
    judge(log, judged);
    expect(await executor.execute({ call: judged.call })).toMatchObject({ refused: ['consumed'] });
    expect(calls).toBe(1);
    expect([...executor.unfinished()]).toMatchObject([{ call: judged.call, outcome: 'unknown' }]);
  });

  it('that takes too long is given up, aborted, and unknown', async () => {
    const log = memory();
    const judged = judge(log);
    let aborted = false;
    const { executor } = bank(log, {
      timeout: 20,
      call: (_tool, _args, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted = true;
            reject(new NotReached('too late to say so'));
          });
        }),
    });
    expect(await executor.execute(judged)).toMatchObject({ outcome: 'unknown', code: 'tool/timeout' });
    expect(aborted).toBe(true);
  });

  it('whose answer is none is unknown', async () => {
    for (const answer of [undefined, null, 'done', { result: 1 }, { result: 1, failed: 'no' }]) {
      const log = memory();
      const judged = judge(log);
      const { executor } = bank(log, { call: () => answer as never });
      expect(await executor.execute(judged)).toMatchObject({ outcome: 'unknown', code: 'tool/bad-answer' });
    }
  });

  it('given up before it began is not made; given up later it is unknown', async () => {
    const log = memory();
    const judged = judge(log);
    const { executor, world } = bank(log);
    await expect(executor.execute(judged, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(world).toEqual([]);
    const controller = new AbortController();
    const hangs = bank(log, {
      call: () => {
        controller.abort();
        return new Promise(() => {});
      },
    });
    expect(await hangs.executor.execute(judged, { signal: controller.signal })).toMatchObject({
      outcome: 'unknown',
      code: 'tool/aborted',
    });
  });

  it('has its outcome recorded though others write to the conversation and the call meanwhile', async () => {
    const log = memory();
    const judged = judge(log);
    const { executor } = bank(log, {
      call: () => {
        for (let n = 0; n < 5; n++) say(log, judged.conversation, user(`and ${n}`));
        put(log, streamOf.call(judged.call), 'IncidentReported', {
          run: judged.run,
          slots: [],
          text: { plain: 'Stop!' },
          by: null,
          happened_at: null,
        });
        return { result: 'sent', failed: false };
      },
    });
    expect(await executor.execute(judged)).toMatchObject({
      outcome: 'succeeded',
      result: { segment: 6 },
    });
  });
});

describe('a result', () => {
  const deep = (levels: number): unknown => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level++) value = [value];
    return value;
  };
  const circular: Record<string, unknown> = { name: 'ring' };
  circular.self = circular;
  const RESULTS: readonly [string, unknown, unknown, string | null][] = [
    ['JSON as text is stored as the value it denotes', '{"id":7}', { id: 7 }, null],
    ['prose is stored as it is', 'Sent.', 'Sent.', null],
    ['a value is stored as it is', [1, null, 'a'], [1, null, 'a'], null],
    ['half a surrogate pair is marked', 'a\ud800b', 'a\ufffdb', 'lone_surrogate'],
    ['half a surrogate pair inside is marked', { a: '\udc00' }, { a: '\ufffd' }, 'lone_surrogate'],
    ['a doubled key measures nothing', '{"a":1,"a":2}', '{"a":1,"a":2}', 'duplicate_key'],
    ['a date is no JSON', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }, 'not_json'],
    ['nothing at all', undefined, null, 'not_json'],
    ['a ring', circular, null, 'not_json'],
    ['a big integer', { n: 10n }, null, 'not_json'],
    ['not a number', Number.NaN, null, 'not_json'],
    ['too deep', deep(270), null, 'too_deep'],
    ['far too deep', deep(100_000), null, 'not_json'],
  ];
  it.each(RESULTS)('that is %s: the outcome is recorded in any case', async (_, result, body, fault) => {
    const log = memory();
    const judged = judge(log);
    const { executor } = bank(log, { call: () => ({ result: result as never, failed: false }) });
    expect(await executor.execute(judged)).toMatchObject({ outcome: 'succeeded' });
    const [, segment] = segmentsOf(log, judged.conversation);
    expect(segment?.body).toEqual({ plain: body });
    expect(segment?.observes?.fault).toBe(fault);
    expect([...unfinishedStarts(log)]).toEqual([]);
  });

  it('that the log does not take is left out, and the outcome is not', async () => {
    const log = memory();
    const judged = judge(log);
    const small: SyncLog = {
      ...log,
      append: async (commit) => {
        if (JSON.stringify(commit).length > 10_000) throw new Error('too big');
        return log.append(commit);
      },
    };
    const { executor } = bank(small, { call: () => ({ result: 'x'.repeat(20_000), failed: false }) });
    expect(await executor.execute(judged)).toMatchObject({ outcome: 'succeeded' });
    expect(segmentsOf(log, judged.conversation)[1]).toMatchObject({
      body: { plain: null },
      observes: { fault: 'not_json' },
    });
  });

  it('of a log that is full is in the error, and the start stays unfinished', async () => {
    const log = memory();
    const judged = judge(log);
    let appends = 0;
    const full: SyncLog = {
      ...log,
      append: async (commit) => {
        if (++appends > 1) throw new Error('no room');
        return log.append(commit);
      },
    };
    const { executor } = bank(full, { call: () => ({ result: { booking: 'X1' }, failed: false }) });
    await expect(executor.execute(judged)).rejects.toMatchObject({
      code: 'executor/outcome-not-recorded',
      facts: { outcome: 'succeeded', result: { booking: 'X1' }, call: judged.call },
    });
    expect([...unfinishedStarts(log)]).toMatchObject([{ call: judged.call, outcome: 'open' }]);
  });
});

describe('a refusal', () => {
  const setting = streamOf.setting('5d1f0b52-0000-4000-8000-000000000001', 'limit');
  const settle = (log: SyncLog) =>
    put(log, setting, 'SettingStored', {
      value: { plain: 5 },
      none: false,
      consent: SOMEBODY,
      satisfies: [],
    });
  const request = randomId();
  type Happens = (log: SyncLog, judged: ReturnType<typeof judge>) => void;
  const REFUSALS: readonly [string, string[], Happens][] = [
    [
      'something was typed since (case 41)',
      ['typed_since'],
      (log, { conversation }) => say(log, conversation, user('Stop, not that one.')),
    ],
    [
      'an answer came since',
      ['answered_since'],
      (log, { call }) =>
        put(log, streamOf.call(call), 'AnswerReceived', {
          question: randomId(),
          by: SOMEBODY,
          answers: [{ slot: '/amount', value: { plain: 50 }, none: false, candidate: null }],
          declined: false,
        }),
    ],
    [
      'something else was approved since (case 5)',
      ['answered_since'],
      (log, { call, request: of, verdict }) =>
        put(log, streamOf.call(call), 'ApprovalGranted', {
          question: null,
          request: of,
          tool: verdict.rests_on.tool,
          group: null,
          shown: [{ slot: '/to', value: { plain: 'changed-value' } }],
          text: null,
          by: SOMEBODY,
        }),
    ],
    [
      'an approval was revoked since (case 9)',
      ['revoked_since'],
      (log, { call }) =>
        put(log, streamOf.call(call), 'ApprovalRevoked', {
          approval: randomId(),
          by: SOMEBODY,
          because: 'said_no',
        }),
    ],
    [
      'the tool’s description changed (case 22)',
      ['tool_redeclared'],
      (log) => declareTool(log, { ...TOOL, description: 'Sends money. Also to strangers.' }),
    ],
    ['a checklist has a newer version', ['checklist_redeclared'], (log) => declareChecklist(log, 'legal')],
    [
      'the setting was revoked (case 42)',
      ['setting_changed'],
      (log) => put(log, setting, 'SettingRevoked', { by: SOMEBODY }),
    ],
    [
      'the request was abandoned',
      ['request_abandoned'],
      (log, { request: of }) =>
        put(log, streamOf.request(of), 'RequestAbandoned', { by: null, because: 'said_so' }),
    ],
    ['the call was judged again', ['not_newest'], (log, judged) => judge(log, judged)],
    [
      'several things happened: every reason is recorded',
      ['tool_redeclared', 'typed_since'],
      (log, { conversation }) => {
        say(log, conversation, user('wait'));
        declareTool(log, { ...TOOL, description: null });
      },
    ],
  ];
  it.each(REFUSALS)('is recorded where %s', async (_, refused, happens) => {
    const log = memory();
    settle(log);
    const judged = judge(log, { request, settings: [{ stream: setting, version: 1 }] });
    happens(log, judged);
    const { executor, world } = bank(log);
    const execution = await executor.execute({ run: judged.run });
    expect(execution).toMatchObject({ decision: 'refuse', refused, run: judged.run, recorded: true });
    expect(world).toEqual([]);
    expect(dataOf(log, streamOf.call(judged.call), 'ExecutionDecided')).toMatchObject([
      {
        run: judged.run,
        verdict: execution.verdict,
        decision: 'refuse',
        refused,
        executor: 'bank-executor/1',
      },
    ]);
    const size = log.sizeSync();
    for (let n = 0; n < 3; n++) {
      expect(await executor.execute({ run: judged.run })).toMatchObject({
        refused,
        recorded: false,
        decided: execution.decided,
      });
    }
    expect(log.sizeSync()).toBe(size);
    await bank(log, { name: 'another/1' }).executor.execute({ run: judged.run });
    expect(log.sizeSync()).toBe(size + 1);
  });

  it('meets a verdict that is not executable, a schedule, and one that is too old or of the future', async () => {
    const log = memory();
    const { executor, world } = bank(log);
    const open = judge(log, { said: [user('Please send 250')] });
    expect(await executor.execute(open)).toMatchObject({ refused: ['not_executable'] });
    const early = judge(log, { phase: 'at_instruction' });
    expect(await executor.execute(early)).toMatchObject({ refused: ['not_at_trigger'] });
    const old = judge(log, { at: later(-541) });
    expect(await executor.execute(old)).toMatchObject({ refused: ['too_old'] });
    const ahead = judge(log, { at: later(121) });
    expect(await executor.execute(ahead)).toMatchObject({ refused: ['too_old'] });
    expect(await bank(log, { maxAge: 1000 }).executor.execute(judge(log, { at: NOW }))).toMatchObject({
      refused: ['too_old'],
    });
    expect(world).toEqual([]);
  });

  it('comes of a policy of the executor’s own, also where that throws or says something else', async () => {
    for (const accepts of [() => false, () => 'yes' as never, () => Promise.reject(new Error('down'))]) {
      const log = memory();
      const { executor, world } = bank(log, { accepts });
      expect(await executor.execute(judge(log))).toMatchObject({ refused: ['executor_declined'] });
      expect(world).toEqual([]);
    }
    const log = memory();
    const asked: unknown[] = [];
    const { executor, world } = bank(log, {
      accepts: (about) => {
        asked.push(about.arguments);
        (about.arguments as { amount: number }).amount = 1;
        return true;
      },
    });
    await executor.execute(judge(log));
    expect(asked).toHaveLength(1);
    expect(world).toMatchObject([{ args: { amount: 250, to: 'acc-77' } }]);
  });

  it('comes of a policy that does not answer in time, and what it says later changes nothing', async () => {
    const log = memory();
    const heard: { late: boolean }[] = [];
    const { executor, world } = bank(log, {
      deadline: 20,
      accepts: async ({ signal }) => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        heard.push({ late: signal.aborted });
        return true;
      },
    });
    const judged = judge(log);
    expect(await executor.execute(judged)).toMatchObject({ refused: ['executor_declined'] });
    const blocked = bank(log, {
      deadline: 20,
      accepts: () => {
        for (const until = performance.now() + 60; performance.now() < until; );
        return true;
      },
    });
    expect(await blocked.executor.execute(judged)).toMatchObject({ refused: ['executor_declined'] });
    await expect.poll(() => heard).toEqual([{ late: true }]);
    expect([world, blocked.world]).toEqual([[], []]);
  });

  it('comes of a verdict that grew too old while the policy made up its mind', async () => {
    const log = memory();
    let now = later(1);
    const { executor, world } = bank(log, {
      clock: () => now,
      accepts: () => {
        now = later(3_600);
        return true;
      },
    });
    expect(await executor.execute(judge(log))).toMatchObject({ refused: ['too_old'] });
    expect(world).toEqual([]);
  });

  it('is not made of what the agent or the tool said since', async () => {
    const log = memory();
    const judged = judge(log);
    say(log, judged.conversation, agent('I am about to send it.'));
    expect(await bank(log).executor.execute(judged)).toMatchObject({
      decision: 'execute',
      result: { segment: 2 },
    });
  });

  it('of the second start stands until a recurring trigger has fired and the call was judged again', async () => {
    const log = memory();
    const judged = judge(log);
    const { executor, world } = bank(log);
    await executor.execute(judged);
    judge(log, judged);
    expect(await executor.execute({ call: judged.call })).toMatchObject({ refused: ['consumed'] });
    const fire = (timing: 'scheduled' | 'recurring') =>
      put(log, streamOf.call(judged.call), 'TriggerFired', {
        deferred: randomId(),
        timing,
        by: 'clock',
        detail: null,
        segments: 1,
      });
    fire('scheduled');
    judge(log, judged);
    expect(await executor.execute({ call: judged.call })).toMatchObject({ refused: ['consumed'] });
    fire('recurring');
    expect(await executor.execute({ call: judged.call })).toMatchObject({ refused: ['consumed'] });
    judge(log, judged);
    expect(await executor.execute({ call: judged.call })).toMatchObject({ outcome: 'succeeded' });
    expect(world).toHaveLength(2);
  });
});

describe('what was approved, prepared or sealed', () => {
  it('is what runs: a changed value, or another tool, is another verdict (case 5)', async () => {
    const log = memory();
    const { executor, world } = bank(log);
    const said = [user('Please send money to acc-77')];
    const shown = [
      { slot: '/amount', value: { plain: 250 } },
      { slot: '/to', value: { plain: 'acc-77' } },
    ];
    const approved = (tool: string) => [{ kind: 'approval', tool, shown, declined: false } as const];
    const changed = judge(log, {
      said,
      entries: approved(TOOL_DIGEST),
      arguments: { amount: 999, to: 'acc-77' },
    });
    expect(await executor.execute(changed)).toMatchObject({ refused: ['not_executable'] });
    const other = judge(log, { said, entries: approved(`sha256:${'9'.repeat(64)}`) });
    expect(await executor.execute(other)).toMatchObject({ refused: ['not_executable'] });
    expect(world).toEqual([]);
  });

  it('is prepared once: no default of the schema comes in between judging and sending (cases 7 and 8)', async () => {
    const log = memory();
    const { executor, world } = bank(log);
    const tool = {
      ...TOOL,
      input_schema: {
        type: 'object',
        required: ['amount', 'to'],
        properties: {
          amount: { type: 'number' },
          to: { type: 'string' },
          destructive: { type: 'boolean', default: true },
        },
      },
    };
    expect(await executor.execute(judge(log, { tool }))).toMatchObject({ decision: 'execute' });
    expect(world).toMatchObject([{ args: { amount: 250, to: 'acc-77' } }]);
    expect(Object.keys(world[0]?.args as object)).toEqual(['amount', 'to']);
  });

  const SEALED = {
    sealed: { alg: 'sc1', c: '0'.repeat(64), t: '0'.repeat(64), k: 'k1', type: 'json' },
  } as const;
  it.each([
    [
      'the proposal',
      'RunStarted',
      (data: DataOf<'RunStarted'>) => ({
        ...data,
        proposal: { received: null, prepared: SEALED },
      }),
    ],
    [
      'what the user said',
      'SegmentAdded',
      (data: DataOf<'SegmentAdded'>) => ({
        ...data,
        segment: { ...data.segment, body: SEALED },
      }),
    ],
  ] as const)('can’t be sent where %s is sealed', async (_, type, seal) => {
    const log = memory();
    const { commit, judged } = judgement(log);
    log.appendSync([
      {
        writes: commit.writes.map((write) => ({
          ...write,
          events: write.events.map((event) =>
            event.type === type ? { ...event, data: seal(event.data as never) } : event,
          ),
        })),
      },
    ]);
    const { executor, world } = bank(log);
    expect(await executor.execute(judged)).toMatchObject({ refused: ['arguments_sealed'] });
    expect(world).toEqual([]);
  });

  it.each([
    ['VerdictRecorded', '"also":1', '"also":7'],
    ['RunStarted', '"amount":250', '"amount":999'],
    ['SegmentAdded', 'send 250', 'send 999'],
    ['ToolDeclared', 'Sends money', 'Keeps money'],
    ['ChecklistDeclared', 'bank/policy', 'bank/poison'],
  ])('is not executed where the bytes of its %s were changed', async (type, from, to) => {
    const log = memory();
    const judged = judge(log);
    const changed: SyncLog = {
      ...log,
      *readSync(query) {
        for (const page of log.readSync(query))
          yield page.map((row) => {
            if (row.type !== type) return row;
            const bytes = Buffer.from(Buffer.from(row.bytes).toString('utf8').replace(from, to));
            const { position, stream, version, leaf } = row;
            return { position, stream, version, type, leaf, bytes, event: JSON.parse(bytes.toString()) };
          });
      },
    };
    const { executor, world } = bank(changed);
    await expect(executor.execute(judged)).rejects.toMatchObject({ code: 'executor/damaged', exit: 4 });
    expect(world).toEqual([]);
  });

  it('that the executor’s caller changed is as the log has it for the next call', async () => {
    const log = memory();
    const seen: unknown[] = [];
    const executor = createExecutor({
      log,
      name: 'careless/1',
      clock: () => NOW,
      call: (tool) => {
        seen.push(structuredClone(tool));
        Object.assign(tool, { name: 'wipe' });
        return { result: 'done', failed: false };
      },
    });
    for (let times = 0; times < 2; times++)
      expect(await executor.execute(judge(log))).toMatchObject({ outcome: 'succeeded', tool: 'transfer' });
    expect(seen).toEqual([TOOL, TOOL]);
  });

  it('is not executed on a declaration that was read before unchecked, by whoever judged', async () => {
    const log = memory();
    const judged = judge(log);
    const stream = streamOf.tool(TOOL.server, TOOL.name);
    let changes = false;
    const changed: SyncLog = {
      ...log,
      *readSync(query) {
        for (const page of log.readSync(query))
          yield page.map((row) => {
            if (!changes || row.stream !== stream || row.version !== 1) return row;
            const event = { ...row.event, data: { digest: digestOf(TOOL), tool: TOOL } };
            const { position, version, type, leaf } = row;
            return {
              position,
              stream,
              version,
              type,
              leaf,
              bytes: Buffer.from(encodeEnvelope(event)),
              event,
            };
          });
      },
    };
    const { executor, world } = bank(changed);
    expect(await executor.execute(judge(changed))).toMatchObject({ outcome: 'succeeded' });
    declareTool(log, { ...TOOL, description: 'Sends all of it.' });
    changes = true;
    expect(newestDeclared(changed, stream).digest).toBe(digestOf(TOOL));
    await expect(executor.execute(judged)).rejects.toMatchObject({ code: 'executor/damaged', exit: 4 });
    expect(world).toHaveLength(1);
  });

  it.each(['abandoned', 'opens another call'])(
    'is not executed where the bytes of its request were changed: %s',
    async (what) => {
      const log = memory();
      const judged = judge(log);
      const stream = streamOf.request(judged.request);
      put(log, stream, 'CallOpened', { call: judged.call });
      if (what === 'abandoned') put(log, stream, 'RequestAbandoned', { by: null, because: 'said_so' });
      else put(log, stream, 'CallOpened', { call: randomId() });
      const changed: SyncLog = {
        ...log,
        *readSync(query) {
          for (const page of log.readSync(query))
            yield page.map((row) => {
              if (row.stream !== stream || row.version !== 1) return row;
              const event = { ...row.event, type: 'CallOpened', data: { call: judged.call } };
              const { position, version, leaf } = row;
              return {
                position,
                stream,
                version,
                type: 'CallOpened',
                leaf,
                bytes: Buffer.from(encodeEnvelope(event)),
                event,
              };
            });
        },
      };
      const { executor, world } = bank(changed);
      await expect(executor.execute(judged)).rejects.toMatchObject({ code: 'executor/damaged', exit: 4 });
      expect(world).toEqual([]);
    },
  );
});

describe('a race', () => {
  it('of many for one verdict is won by one; all others find it consumed', async () => {
    const log = memory();
    const judged = judge(log);
    const { executor, world } = bank(log);
    const all = await Promise.all(Array.from({ length: 32 }, () => executor.execute(judged)));
    expect(all.filter(({ decision }) => decision === 'execute')).toHaveLength(1);
    expect(world).toHaveLength(1);
    expect(typesOf(log, judged.call).filter((type) => type === 'CallStarted')).toHaveLength(1);
  });

  it('with what is typed between reading and writing is lost to it', async () => {
    const log = memory();
    const judged = judge(log);
    const { counted } = counting(log, (commits) => {
      if (commits === 0) say(log, judged.conversation, user('No, stop.'));
    });
    const { executor, world } = bank(counted);
    expect(await executor.execute(judged)).toMatchObject({ refused: ['typed_since'] });
    expect(world).toEqual([]);
  });
});

describe('an unfinished start', () => {
  const crashed = async (log: SyncLog) => {
    const judged = judge(log);
    let appends = 0;
    const dies: SyncLog = {
      ...log,
      append: async (commit) => (++appends > 1 ? new Promise(() => {}) : log.append(commit)),
    };
    void bank(dies).executor.execute(judged);
    await new Promise((done) => setTimeout(done, 5));
    const [start] = [...unfinishedStarts(log)].filter(({ call }) => call === judged.call);
    if (start === undefined) throw new Error('no start');
    return { judged, start };
  };

  it('is reported after a crash (case 15), and settled by a person once and for all', async () => {
    const log = memory();
    const { judged, start } = await crashed(log);
    expect(start).toMatchObject({ call: judged.call, run: judged.run, tool: 'transfer', outcome: 'open' });
    const { executor } = bank(log);
    const report = { start: start.start, by: 'reported', responder: SOMEBODY } as const;
    await executor.reconcile({ ...report, outcome: 'failed' });
    expect([...executor.unfinished()]).toEqual([]);
    await expect(executor.reconcile({ ...report, outcome: 'succeeded' })).rejects.toMatchObject({
      code: 'executor/closed',
    });
    judge(log, judged);
    expect(await executor.execute({ call: judged.call })).toMatchObject({ outcome: 'succeeded' });
  });

  it('is settled by a measurement, which becomes a piece of the conversation', async () => {
    const log = memory();
    const { judged, start } = await crashed(log);
    const recorder = { log, clock: () => later(90), newId: randomId, key: null };
    await reconcile(recorder, {
      start: start.start,
      outcome: 'succeeded',
      by: 'measured',
      responder: null,
      result: { tool: 'get_transfers', arguments: { to: 'acc-77' }, result: '[{"amount":250}]' },
    });
    expect(segmentsOf(log, judged.conversation)[1]).toMatchObject({
      author: 'hook',
      body: { plain: [{ amount: 250 }] },
      observes: { tool: 'get_transfers' },
    });
    expect(typesOf(log, judged.call).at(-1)).toBe('CallReconciled');
  });

  it('is measured by a hook that can tell; of the others nobody knows still', async () => {
    const log = memory();
    const known = await crashed(log);
    const unknown = await crashed(log);
    const asked: string[] = [];
    const settled = await reconcileBy(
      { log, clock: () => later(90), newId: randomId, key: null },
      async (start) => {
        asked.push(start.start);
        if (start.start !== known.start.start) return null;
        return {
          outcome: 'failed',
          result: { tool: 'get_transfers', arguments: { to: 'acc-77' }, result: [] },
        };
      },
    );
    expect(asked.sort()).toEqual([known.start.start, unknown.start.start].sort());
    expect(settled).toEqual([known.start.start]);
    expect([...unfinishedStarts(log)].map(({ start }) => start)).toEqual([unknown.start.start]);
  });

  it('is nobody’s to settle without saying who, or by nothing measured; one that there isn’t can’t be', async () => {
    const log = memory();
    const { start } = await crashed(log);
    const { executor } = bank(log);
    const of = { start: start.start, outcome: 'succeeded', responder: null } as const;
    await expect(executor.reconcile({ ...of, by: 'reported' })).rejects.toMatchObject({
      code: 'executor/nobody',
    });
    await expect(executor.reconcile({ ...of, by: 'measured' })).rejects.toMatchObject({
      code: 'executor/not-measured',
    });
    await expect(
      executor.reconcile({ ...of, start: randomId(), by: 'reported', responder: SOMEBODY }),
    ).rejects.toMatchObject({ code: 'executor/no-such-start' });
  });

  it('that a person closes while the call is still on its way stays as it was closed', async () => {
    const log = memory();
    const judged = judge(log);
    const { executor } = bank(log, {
      call: async () => {
        const [start] = [...unfinishedStarts(log)];
        await reconcile(
          { log, clock: () => NOW, newId: randomId, key: null },
          { start: start?.start ?? '', outcome: 'failed', by: 'reported', responder: SOMEBODY },
        );
        return { result: 'sent after all', failed: false };
      },
    });
    expect(await executor.execute(judged)).toMatchObject({ outcome: 'failed', result: { segment: 1 } });
    expect(segmentsOf(log, judged.conversation)[1]?.body).toEqual({ plain: 'sent after all' });
  });
});

describe('the execution rate', () => {
  it('counts a call that was stopped and executed after the answer', async () => {
    const log = memory();
    const judged = judge(log, { said: [user('Please send 250')] });
    judge(log, { said: [user('Please send money')] });
    const { executor } = bank(log);
    const answer = {
      kind: 'answer',
      slot: '/to',
      value: { plain: 'acc-77' },
      none: false,
      candidate: null,
    } as const;
    const again = judge(log, { ...judged, entries: [answer] });
    expect(again.verdict.kind).toBe('executable');
    await executor.execute(again);
    await executor.execute(judge(log));
    const projections = projectionsOf(log);
    projections.catchUp();
    expect(projections.summary().execution).toEqual({ stopped: 2, executed: 1, rate: 0.5 });
    expect(projections.gapSummary().execution).toEqual({ stopped: 2, executed: 1, rate: 0.5 });
  });
});

describe('an executor', () => {
  it.each([
    { call: 'no function' },
    { log: undefined },
    { name: '' },
    { maxAge: Number.NaN },
    { timeout: 0 },
    { accepts: 'always' },
    { deadline: 0 },
    { deadline: 2 ** 31 },
  ])('is not made of %j', (wrong) => {
    expect(() => bank(memory(), wrong as never)).toThrow(
      expect.objectContaining({ code: 'executor/options' }),
    );
  });
});
