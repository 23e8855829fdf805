import { describe, expect, test } from 'vitest';
import { streamOf } from '../../src/events/index.ts';
import { randomId } from '../../src/events/random-id.ts';
import { createExecutor } from '../../src/executor/index.ts';
import { explain, renderWhy } from '../../src/explain/index.ts';
import { Explanation } from '../../src/explain/schema.ts';
import type { Around } from '../../src/preflight/around.ts';
import { ask } from '../../src/preflight/ask.ts';
import { userIn } from '../../src/preflight/by.ts';
import { openRequest, say } from '../../src/preflight/conversation.ts';
import { type Judged, judge } from '../../src/preflight/judge.ts';
import { approve, decline } from '../../src/preflight/reply.ts';
import { keep, revokeSetting, settingsOfUser } from '../../src/preflight/settings.ts';
import { standingOf } from '../../src/runs/standing.ts';
import { foldCall } from '../explain/fold.ts';
import { replayed } from '../replay/recorded.ts';
import { ANN, SEND, sending } from './asked.ts';
import { live, typed } from './live.ts';

const TEXT = 'Transfers are final.';
const TOOL = { ...SEND, description: `[Verify] final: ${TEXT}\n[Verify] sure: Really. {each_time}` };
const FINAL = { ...SEND, description: `[Verify] final: ${TEXT}` };
const RANGE = { slot: 'final', within: 'args.amount <= 100' };

const about = () => live({ checklists: [sending()], newId: randomId });

/** A request of its own, in which ann says all that is sent. */
async function send(around: Around, amount: number, more: { user?: string; tool?: typeof SEND } = {}) {
  const { user = 'ann', tool = FINAL } = more;
  const conversation = randomId();
  const request = await openRequest(around, { conversation, from: 0 });
  await say(around, conversation, [typed(`Send ${amount} to B-2.`)]);
  const proposed = { conversation, request, call: randomId(), tool, arguments: { to: 'B-2', amount }, user };
  return { proposed, judged: await judge(around, proposed) };
}

const label = ({ verdict }: Judged) => verdict.slots?.find(({ slot }) => slot === 'final');

function executorFor({ log, clock }: Around, called: () => void) {
  const call = async () => {
    called();
    return { result: { ok: true }, failed: false };
  };
  return createExecutor({ log, name: 'test', call, clock });
}

/** Ann says yes to the label once, and keeps that yes for amounts up to 100. */
async function kept(around: Around): Promise<string> {
  const { proposed, judged } = await send(around, 50);
  const [question] = await ask(around, judged);
  await approve(around, { question: question?.id ?? '', by: ANN });
  await keep(around, {
    user: 'ann',
    name: 'final transfers',
    from: { call: proposed.call, slot: 'final' },
    consent: ANN,
    satisfies: [RANGE],
  });
  return proposed.call;
}

describe('A standing range that a user keeps', () => {
  test('satisfies the label in later requests within it, and nobody is asked', async () => {
    const around = about();
    await kept(around);
    expect(settingsOfUser(around.log, 'ann')).toMatchObject([
      { name: 'final transfers', value: TEXT, satisfies: [{ slot: 'final', within: RANGE.within }] },
    ]);
    const { proposed, judged } = await send(around, 70);
    expect(judged.verdict.kind).toBe('executable');
    expect(label(judged)).toMatchObject({ source: 'pre_set_data', reason: 'setting', rule: 'S11' });
    expect(await ask(around, judged)).toEqual([]);
    const looked = standingOf(around.log, proposed.call)?.run?.started.settings;
    expect(looked).toEqual([
      { stream: streamOf.setting(userIn(around.log, 'ann'), 'final transfers'), version: 1 },
    ]);
    let calls = 0;
    const executor = executorFor(around, () => calls++);
    expect(await executor.execute({ call: proposed.call })).toMatchObject({
      decision: 'execute',
      outcome: 'succeeded',
    });
    expect(calls).toBe(1);
    expect(replayed(around.log).summary).toMatchObject({ diverged: 0, tampered: 0 });
  });

  test('is quoted where it is explained', async () => {
    const around = about();
    await kept(around);
    const { proposed } = await send(around, 70);
    const { place, row } = foldCall(around.log, proposed.call);
    const explanation = explain(around.log, place, row);
    expect(Explanation.safeParse(explanation).error).toBeUndefined();
    expect(renderWhy(explanation, { width: 100, color: false })).toContain(
      '“args.amount <= 100” setting final transfers',
    );
  });

  test('is of nobody else’s calls, and of no other version of the tool', async () => {
    const around = about();
    await kept(around);
    expect((await send(around, 70, { user: 'bob' })).judged.verdict.kind).toBe('unknown');
    const tool = { ...SEND, description: `${FINAL.description}\nSends money abroad, too.` };
    expect((await send(around, 70, { tool })).judged.verdict.kind).toBe('unknown');
  });

  test('leaves what lies outside to be asked', async () => {
    const around = about();
    await kept(around);
    const { judged } = await send(around, 170);
    expect(label(judged)).toMatchObject({ reason: 'not_said', route: 'ask_user' });
    const [question] = await ask(around, judged);
    expect(question).toMatchObject({
      about: 'approval',
      shown: [{ slot: 'final' }, { slot: '/amount' }, { slot: '/to' }],
    });
  });

  test('that is taken back before the start stops it, and the next judgement asks', async () => {
    const around = about();
    await kept(around);
    const { proposed, judged } = await send(around, 70);
    await revokeSetting(around, { user: 'ann', name: 'final transfers', by: ANN });
    let calls = 0;
    const executor = executorFor(around, () => calls++);
    expect(await executor.execute({ run: judged.run })).toMatchObject({
      decision: 'refuse',
      refused: ['setting_changed'],
    });
    expect(calls).toBe(0);
    expect((await judge(around, proposed)).verdict.kind).toBe('unknown');
    expect(replayed(around.log).summary).toMatchObject({ diverged: 0, tampered: 0 });
  });

  test('loses to a no in the request (CASE 9)', async () => {
    const around = about();
    await kept(around);
    const { proposed, judged } = await send(around, 170);
    const [question] = await ask(around, judged);
    await decline(around, { question: question?.id ?? '', by: ANN });
    const next = await judge(around, { ...proposed, arguments: { to: 'B-2', amount: 70 } });
    expect(next.verdict.kind).toBe('unmet');
    expect(label(next)).toMatchObject({ source: 'user_answer', reason: 'declined' });
  });

  test('that waits for a value asks for the value alone', async () => {
    const around = about();
    await kept(around);
    const { proposed } = await send(around, 70);
    const judged = await judge(around, { ...proposed, arguments: { to: 'B-2', amount: 80 } });
    expect(label(judged)).toMatchObject({ reason: 'waits_for', waits_for: ['/amount'] });
    const [question, ...rest] = await ask(around, judged);
    const [value, approval] = [question, ...rest];
    expect(value?.slots.map(({ slot }) => slot)).toEqual(['/amount']);
    expect(approval?.shown.map(({ slot }) => slot)).toEqual(['/amount']);
    await approve(around, { question: approval?.id ?? '', by: ANN });
    expect((await judge(around, { ...proposed, arguments: { to: 'B-2', amount: 80 } })).verdict.kind).toBe(
      'executable',
    );
  });
});

describe('Keeping a standing range', () => {
  const keeping = async (more: { slot?: string; name?: string; within?: string; label?: string }) => {
    const around = live({
      checklists: [sending('      /note: { reader: text, setting: remark }\n')],
      newId: randomId,
    });
    const { proposed, judged } = await send(around, 50, { tool: TOOL });
    for (const { id } of await ask(around, judged)) await approve(around, { question: id, by: ANN });
    return keep(around, {
      user: 'ann',
      name: more.name ?? 'standing',
      from: { call: proposed.call, slot: more.slot ?? 'final' },
      consent: ANN,
      satisfies: [{ slot: more.label ?? 'final', within: more.within ?? 'true' }],
    });
  };

  test('takes the words that were said yes to, for the tool that asked', async () => {
    expect(await keeping({})).toMatchObject({ value: TEXT, satisfies: [{ slot: 'final', within: 'true' }] });
  });

  test.each<[string, Parameters<typeof keeping>[0], string]>([
    ['a label that nobody said yes to', { slot: 'other' }, 'settings/not-used'],
    ['a label that the tool does not have', { label: 'other' }, 'settings/no-such-label'],
    ['a label that is for each time', { label: 'sure' }, 'settings/no-such-label'],
    ['a value', { label: '/amount' }, 'settings/no-such-label'],
    ['an expression that does not compile', { within: 'args.amount <=' }, 'settings/range-invalid'],
    ['an expression over a fact', { within: 'account.limit > 1' }, 'settings/range-invalid'],
    ['a name that a slot takes its value from', { name: 'remark' }, 'settings/other-slot'],
  ])('refuses %s', async (_, more, code) => {
    await expect(keeping(more)).rejects.toMatchObject({ code });
  });

  test('refuses a yes that was taken back by a no', async () => {
    const around = about();
    const { proposed, judged } = await send(around, 50);
    const [question] = await ask(around, judged);
    await decline(around, { question: question?.id ?? '', by: ANN });
    const from = { call: proposed.call, slot: 'final' };
    await expect(
      keep(around, { user: 'ann', name: 'x', from, consent: ANN, satisfies: [RANGE] }),
    ).rejects.toMatchObject({ code: 'settings/not-used' });
  });
});
