import { describe, expect, test } from 'vitest';
import { parseChecklist } from '../../src/declarations/load.ts';
import { makeEvent, streamOf } from '../../src/events/index.ts';
import { randomId } from '../../src/events/random-id.ts';
import { ask } from '../../src/preflight/ask.ts';
import { abandon, openRequest, say } from '../../src/preflight/conversation.ts';
import { defer, trigger } from '../../src/preflight/deferral.ts';
import { deferredCalls } from '../../src/preflight/deferred-calls.ts';
import { judge } from '../../src/preflight/judge.ts';
import { answer } from '../../src/preflight/reply.ts';
import { NO_HOOKS, type World } from '../../src/preflight/world.ts';
import { standingOf } from '../../src/runs/standing.ts';
import { replayed } from '../replay/recorded.ts';
import { ANN, SEND, scene, sending } from './asked.ts';
import { live, result, typed } from './live.ts';

const COVERED = `facts:
  account: { measured_by: [{ tool: get_account, match: { arguments/owner: /to } }] }
`;
const CONDITION = `    conditions:
      covered: { require: args.amount <= account.available }
`;
const checklists = [sending(CONDITION, COVERED)];

function measuring(available: number): { world: World; asked: () => number } {
  let times = 0;
  return {
    asked: () => times,
    world: {
      ...NO_HOOKS,
      measure: async (_, open) =>
        open.map((request) => {
          times++;
          return {
            request,
            found: { segment: result('get_account', { owner: 'B-2' }, { available }, 'hook') },
          };
        }),
    },
  };
}

async function deferred(words: string, world: World = NO_HOOKS, more: Parameters<typeof scene>[2] = {}) {
  const found = await scene(words, { to: 'B-2', amount: 50 }, { checklists, world, ...more });
  const judged = await found.judge({ phase: 'at_instruction' });
  return { ...found, judged };
}

describe('A call for later', () => {
  test('is deferred with its timing and the place of the words, once for each verdict', async () => {
    const { around, judged, proposed } = await deferred('Send 50 to B-2 on 2026-03-01.');
    expect(judged.verdict.kind).toBe('schedulable');
    const first = await defer(around, judged);
    expect(first.timing).toBe('scheduled');
    expect(await defer(around, judged)).toEqual(first);
    const { data } = standingOf(around.log, proposed.call)?.deferred ?? {};
    expect(data).toMatchObject({
      run: judged.run,
      until: { at: { in: 'text', segment: 0, start: 18, end: 28 } },
    });
  });

  test('is not deferred while something could still be asked', async () => {
    const {
      around,
      judge: again,
      ask: asks,
    } = await scene('Send 50 on 2026-03-01.', { to: 'B-2', amount: 50 });
    const judged = await again({ phase: 'at_instruction' });
    expect(judged.verdict.kind).toBe('unknown');
    await expect(defer(around, judged)).rejects.toMatchObject({ code: 'preflight/not-schedulable' });
    const forged = { ...judged, verdict: { ...judged.verdict, kind: 'schedulable' as const } };
    await expect(defer(around, forged)).rejects.toMatchObject({
      code: 'preflight/still-open',
      facts: { slots: ['/to'] },
    });
    const [values] = await asks({ phase: 'at_instruction' });
    await answer(around, { question: values?.id ?? '', by: ANN, answers: [{ slot: '/to', text: 'B-2' }] });
    await defer(around, await again({ phase: 'at_instruction' }));
  });

  test('is not deferred from a verdict after which the user typed something', async () => {
    const { around, judged, type } = await deferred('Send 50 to B-2 on 2026-03-01.');
    await type('No, wait.');
    await expect(defer(around, judged)).rejects.toMatchObject({ code: 'preflight/judged-since' });
  });

  test('is judged anew at its trigger, with what is measured then and not with what was', async () => {
    const rich = measuring(900);
    const { around, judged, proposed } = await deferred('Send 50 to B-2 on 2026-03-01.');
    await say(around, proposed.conversation, [result('get_account', { owner: 'B-2' }, { available: 900 })]);
    await defer(around, judged);
    const stale = await trigger(around, { call: proposed.call, by: 'clock' });
    expect(stale.verdict).toMatchObject({ kind: 'unknown', phase: 'at_trigger' });
    const after = await judge({ ...around, world: rich.world }, proposed);
    expect(rich.asked()).toBe(1);
    expect(after.verdict.kind).toBe('executable');
    expect(after.verdict.intent.find(({ slot }) => slot === 'when')).toMatchObject({
      rule: 'R12',
      reason: 'carried',
    });
    expect(replayed(around.log).summary).toMatchObject({ matched: 3, diverged: 0, tampered: 0 });
  });

  test('falls short at its trigger where it would have done at the instruction', async () => {
    const poor = measuring(10);
    const { around, judged, proposed } = await deferred('Send 50 to B-2 on 2026-03-01.', poor.world);
    expect(judged.verdict.not_run).toEqual([{ slot: 'covered', reason: 'phase' }]);
    await defer(around, judged);
    expect((await trigger(around, { call: proposed.call, by: 'clock' })).verdict.kind).toBe('unmet');
  });

  test('is triggered once; a recurring one again and again, one run and one verdict a trigger', async () => {
    const rich = measuring(900);
    const once = await deferred('Send 50 to B-2 on 2026-03-01.', rich.world);
    await defer(once.around, once.judged);
    await trigger(once.around, { call: once.proposed.call, by: 'clock' });
    await expect(trigger(once.around, { call: once.proposed.call, by: 'clock' })).rejects.toMatchObject({
      code: 'preflight/already-triggered',
    });
    const often = await deferred('Send 50 to B-2 every friday.', rich.world);
    const { timing } = await defer(often.around, often.judged);
    expect(timing).toBe('recurring');
    const runs = [];
    for (let week = 0; week < 3; week++)
      runs.push(await trigger(often.around, { call: often.proposed.call, by: 'clock' }));
    expect(runs.map(({ verdict }) => verdict.kind)).toEqual(['executable', 'executable', 'executable']);
    expect(new Set(runs.map(({ run }) => run)).size).toBe(3);
    expect(rich.asked()).toBeGreaterThanOrEqual(4);
    expect(replayed(often.around.log).summary).toMatchObject({ matched: 4, diverged: 0 });
  });

  test('whose trigger was recorded and never judged, is judged by the same trigger again', async () => {
    const rich = measuring(900);
    const { around, judged, proposed } = await deferred('Send 50 to B-2 on 2026-03-01.', rich.world);
    const { event: id } = await defer(around, judged);
    const standing = standingOf(around.log, proposed.call);
    const lost = makeEvent(
      'TriggerFired',
      { deferred: id, timing: 'scheduled', by: 'clock', detail: null, segments: 1 },
      { id: randomId(), at: around.clock() },
    );
    await around.log.append({
      writes: [{ stream: streamOf.call(proposed.call), expected: standing?.version ?? 0, events: [lost] }],
    });
    expect((await trigger(around, { call: proposed.call, by: 'clock' })).verdict.kind).toBe('executable');
    expect(standingOf(around.log, proposed.call)?.deferred?.fired).toBe(1);
  });

  test('waits for no trigger unless it was deferred, and no more once it was judged anew or abandoned', async () => {
    const { around, judged, proposed, judge: again } = await deferred('Send 50 to B-2 on 2026-03-01.');
    const fire = () => trigger(around, { call: proposed.call, by: 'clock' });
    await expect(fire()).rejects.toMatchObject({ code: 'preflight/not-deferred' });
    await defer(around, judged);
    const newer = await again({ phase: 'at_instruction' });
    await expect(fire()).rejects.toMatchObject({ code: 'preflight/not-deferred' });
    await defer(around, newer);
    await abandon(around, proposed.request, 'said_so');
    await expect(fire()).rejects.toMatchObject({ code: 'preflight/abandoned' });
    await expect(ask(around, newer)).rejects.toMatchObject({ code: 'preflight/abandoned' });
  });

  test('takes the user’s own rules along, and the tool as it is declared now', async () => {
    const rich = measuring(900);
    const own = parseChecklist(
      `grounds: 1
checklist: ann/limits
declared_by: user
tools:
  send:
    conditions:
      limit: { require: args.amount <= 40 }
`,
      'own.yaml',
    );
    const { around, judged, proposed } = await deferred('Send 50 to B-2 on 2026-03-01.', rich.world, {
      checklists: [...checklists, own],
    });
    // The limit is over the arguments alone, so it is run at the instruction already.
    expect(judged.verdict.kind).toBe('unmet');
    const later = live({ log: around.log, checklists, world: rich.world, newId: randomId });
    const conversation = randomId();
    const request = await openRequest(around, { conversation, from: 0 });
    await say(around, conversation, [typed('Send 30 to B-2 on 2026-03-01.')]);
    const call = randomId();
    const small = { conversation, request, call, tool: SEND, arguments: { to: 'B-2', amount: 30 } };
    await defer(around, await judge(around, { ...small, phase: 'at_instruction' }));
    const tool = { ...SEND, description: 'It is another one now.' };
    const at = await trigger(later, { call, by: 'clock', tool });
    expect(at.input.checklists.map(({ body }) => body.checklist)).toEqual(['test/send', 'ann/limits']);
    expect(at.input.tool).toEqual(tool);
    expect(at.verdict.kind).toBe('executable');
    expect(proposed.call).not.toBe(call);
  });
});

/** The same, at another time. */
const at = <T extends object>(around: T, now: string): T => ({ ...around, clock: () => now });

const WHEN = sending(
  '',
  `zone: '+02:00'
`,
);
const timed = (detail: string, readers: string) =>
  parseChecklist(
    `grounds: 1
checklist: test/timed
declared_by: system
zone: '-05:00'
intent:
  timing:
    scheduled: { words: [at, in], detail: ${detail} }
  act_words: { send: [send] }
readers: { ${readers} }
`,
    'timed.yaml',
  );

describe('When a call is due', () => {
  test('is what its words mean: a date from its beginning in the zone, a relative one against the message', async () => {
    const found = async (words: string, said: string | null, lists = [WHEN]) => {
      const { around, proposed } = await scene('Hello.', { to: 'B-2', amount: 50 }, { checklists: lists });
      const from = await say(around, proposed.conversation, [typed(words, said)]);
      expect(from).toBeGreaterThan(0);
      return defer(around, await judge(around, { ...proposed, phase: 'at_instruction' }));
    };
    expect((await found('Send 50 to B-2 on 2027-12-24.', null)).due).toBe('2027-12-24T00:00:00+02:00');
    // In the zone of the checklist it is the 24th already.
    const tomorrow = await found('On tomorrow send 50 to B-2.', '2027-12-23T23:30:00Z');
    expect(tomorrow.due).toBe('2027-12-25T00:00:00+02:00');
    expect((await found('Send 50 to B-2 every friday.', null)).due).toBeNull();
    expect((await found('Send 50 to B-2 once it arrived.', null)).due).toBeNull();
    const clock = timed('moment', "moment: { datetime: { zone: '+01:00' } }");
    expect((await found('At 2027-12-24 15:00 send 50 to B-2.', null, [clock])).due).toBe(
      '2027-12-24T15:00:00+01:00',
    );
    const vague = timed('season', 'season: { one_of: { summer: [summer] } }');
    expect((await found('In summer send 50 to B-2.', null, [vague])).due).toBeNull();
  });

  test('no clock triggers it before, by the clock of who triggers; a host may say that something else did', async () => {
    const { around, judged, proposed } = await deferred('Send 50 to B-2 on 2027-12-24.', NO_HOOKS, {
      checklists: [WHEN],
    });
    const { due } = await defer(around, judged);
    const before = at(around, '2027-12-23T21:59:59.999Z');
    const version = standingOf(around.log, proposed.call)?.version;
    const early = trigger(before, { call: proposed.call, by: 'clock' });
    await expect(early).rejects.toMatchObject({
      code: 'preflight/not-due',
      facts: { call: proposed.call, due, now: '2027-12-23T21:59:59.999Z' },
    });
    expect(standingOf(around.log, proposed.call)?.version).toBe(version);
    const fired = await trigger(at(around, '2027-12-23T22:00:00.000Z'), { call: proposed.call, by: 'clock' });
    expect(fired.verdict.kind).toBe('executable');

    const other = await deferred('Send 50 to B-2 on 2027-12-24.', NO_HOOKS, { checklists: [WHEN] });
    await defer(other.around, other.judged);
    const said = await trigger(other.around, { call: other.proposed.call, by: 'event' });
    expect(said.verdict.kind).toBe('executable');
  });

  test('stands in the list of those that wait, until it was triggered, judged anew or abandoned', async () => {
    const { around, judged, proposed, judge: again } = await deferred('Send 50 to B-2 on 2026-03-01.');
    const list = () => [...deferredCalls(around.log)];
    expect(list()).toEqual([]);
    const { event } = await defer(around, judged);
    const waits = {
      call: proposed.call,
      tool: 'send',
      event,
      deferred_at: around.clock(),
      timing: 'scheduled',
      words: '2026-03-01',
      due: '2026-03-01T00:00:00+00:00',
      fired: 0,
    };
    expect(list()).toEqual([waits]);
    const newer = await again({ phase: 'at_instruction' });
    expect(list()).toEqual([]);
    const { event: second } = await defer(around, newer);
    expect(list()).toEqual([{ ...waits, event: second }]);
    await trigger(around, { call: proposed.call, by: 'clock' });
    expect(list()).toEqual([]);

    const often = await deferred('Send 50 to B-2 every friday.', NO_HOOKS, { log: around.log });
    await defer(often.around, often.judged);
    await trigger(often.around, { call: often.proposed.call, by: 'clock' });
    expect(list()).toMatchObject([{ timing: 'recurring', words: 'friday', due: null, fired: 1 }]);
    await abandon(often.around, often.proposed.request, 'said_so');
    expect(list()).toEqual([]);
  });
});
