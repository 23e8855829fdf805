import { describe, expect, test } from 'vitest';
import { parseChecklist } from '../../src/declarations/load.ts';
import { makeEvent, streamOf } from '../../src/events/index.ts';
import { randomId } from '../../src/events/random-id.ts';
import { ask } from '../../src/preflight/ask.ts';
import { abandon, openRequest, say } from '../../src/preflight/conversation.ts';
import { defer, trigger } from '../../src/preflight/deferral.ts';
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
    const { around, judged, proposed } = await deferred('Send 50 to B-2 on 2026-05-02.');
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
    } = await scene('Send 50 on 2026-05-02.', { to: 'B-2', amount: 50 });
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
    const { around, judged, type } = await deferred('Send 50 to B-2 on 2026-05-02.');
    await type('No, wait.');
    await expect(defer(around, judged)).rejects.toMatchObject({ code: 'preflight/judged-since' });
  });

  test('is judged anew at its trigger, with what is measured then and not with what was', async () => {
    const rich = measuring(900);
    const { around, judged, proposed } = await deferred('Send 50 to B-2 on 2026-05-02.');
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
    const { around, judged, proposed } = await deferred('Send 50 to B-2 on 2026-05-02.', poor.world);
    expect(judged.verdict.not_run).toEqual([{ slot: 'covered', reason: 'phase' }]);
    await defer(around, judged);
    expect((await trigger(around, { call: proposed.call, by: 'clock' })).verdict.kind).toBe('unmet');
  });

  test('is triggered once; a recurring one again and again, one run and one verdict a trigger', async () => {
    const rich = measuring(900);
    const once = await deferred('Send 50 to B-2 on 2026-05-02.', rich.world);
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
    const { around, judged, proposed } = await deferred('Send 50 to B-2 on 2026-05-02.', rich.world);
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
    const { around, judged, proposed, judge: again } = await deferred('Send 50 to B-2 on 2026-05-02.');
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
    const { around, judged, proposed } = await deferred('Send 50 to B-2 on 2026-05-02.', rich.world, {
      checklists: [...checklists, own],
    });
    // The limit is over the arguments alone, so it is run at the instruction already.
    expect(judged.verdict.kind).toBe('unmet');
    const later = live({ log: around.log, checklists, world: rich.world, newId: randomId });
    const conversation = randomId();
    const request = await openRequest(around, { conversation, from: 0 });
    await say(around, conversation, [typed('Send 30 to B-2 on 2026-05-02.')]);
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
