import { describe, expect, test } from 'vitest';
import { makeEvent, streamOf } from '../../src/events/index.ts';
import { randomId } from '../../src/events/random-id.ts';
import type { Around } from '../../src/preflight/around.ts';
import { ask } from '../../src/preflight/ask.ts';
import { openRequest, say } from '../../src/preflight/conversation.ts';
import { judge } from '../../src/preflight/judge.ts';
import { settingsToPropose } from '../../src/preflight/propose-settings.ts';
import { answer } from '../../src/preflight/reply.ts';
import { keep, revokeSetting, settingsOfUser } from '../../src/preflight/settings.ts';
import { standingOf } from '../../src/runs/standing.ts';
import { replayed } from '../replay/recorded.ts';
import { ANN, SEND, sending } from './asked.ts';
import { live, typed } from './live.ts';

const checklists = [sending('', '', 'reader: text, setting: landlord')];
const about = () => live({ checklists, newId: randomId });

/** A request of its own, in which ann is asked whom it is for. */
async function sent(around: Around, to: string | null, user = 'ann') {
  const conversation = randomId();
  const request = await openRequest(around, { conversation, from: 0 });
  await say(around, conversation, [typed('Send 50.')]);
  const proposed = {
    conversation,
    request,
    call: randomId(),
    tool: SEND,
    arguments: { to: to ?? 'B-2', amount: 50 },
    user,
  };
  const judged = await judge(around, proposed);
  if (to === null) return { proposed, judged, event: '' };
  const [values] = await ask(around, judged);
  const by = { user, known_by: 'form' as const };
  const { event } = await answer(around, {
    question: values?.id ?? '',
    by,
    answers: [{ slot: '/to', text: to }],
  });
  return { proposed, judged: await judge(around, proposed), event };
}

describe('A setting', () => {
  test('is kept from an answer with the user’s consent, fills its slot from then on, and is taken back', async () => {
    const around = about();
    const { proposed, event } = await sent(around, 'B-2');
    const from = { call: proposed.call, answer: event, slot: '/to' };
    expect(await keep(around, { user: 'ann', name: 'landlord', from, consent: ANN })).toMatchObject({
      value: 'B-2',
    });
    expect(settingsOfUser(around.log, 'ann')).toMatchObject([
      { name: 'landlord', value: 'B-2', known_by: 'form' },
    ]);
    const next = await sent(around, null);
    expect(next.judged.verdict.slots?.find(({ slot }) => slot === '/to')).toMatchObject({
      rule: 'S11',
      reason: 'setting',
    });
    expect((await sent(around, null, 'bob')).judged.verdict.kind).toBe('unknown');
    await revokeSetting(around, { user: 'ann', name: 'landlord', by: ANN });
    expect(settingsOfUser(around.log, 'ann')).toEqual([]);
    expect((await sent(around, null)).judged.verdict.kind).toBe('unknown');
    await expect(revokeSetting(around, { user: 'ann', name: 'landlord', by: ANN })).rejects.toMatchObject({
      code: 'settings/none',
    });
    expect(replayed(around.log).summary).toMatchObject({ diverged: 0, tampered: 0 });
  });

  test('is kept from a slot of a call that was executed, and of no other', async () => {
    const around = about();
    const { proposed, judged } = await sent(around, 'B-2');
    const from = { call: proposed.call, slot: '/to' };
    const kept = () => keep(around, { user: 'ann', name: 'landlord', from, consent: ANN });
    await expect(kept()).rejects.toMatchObject({ code: 'settings/not-used' });
    const standing = standingOf(around.log, proposed.call);
    const made = { at: around.clock() };
    const decided = randomId();
    const start = randomId();
    await around.log.append({
      writes: [
        {
          stream: streamOf.call(proposed.call),
          expected: standing?.version ?? 0,
          events: [
            makeEvent(
              'ExecutionDecided',
              {
                run: judged.run,
                verdict: standing?.run?.verdict?.event ?? '',
                decision: 'execute',
                refused: [],
                executor: 'test',
              },
              { ...made, id: decided },
            ),
            makeEvent(
              'CallStarted',
              {
                run: judged.run,
                decision: decided,
                verdict: standing?.run?.verdict?.event ?? '',
                idempotency_key: null,
              },
              { ...made, id: start },
            ),
            makeEvent('CallSucceeded', { start, result: null }, { ...made, id: randomId() }),
          ],
        },
      ],
    });
    expect(await kept()).toMatchObject({ name: 'landlord', value: 'B-2' });
  });

  test('is nobody else’s to settle, and of no other name than its slot declares', async () => {
    const around = about();
    const { proposed, event } = await sent(around, 'B-2');
    const from = { call: proposed.call, answer: event, slot: '/to' };
    const bob = { user: 'bob', known_by: 'channel' as const };
    await expect(keep(around, { user: 'ann', name: 'landlord', from, consent: bob })).rejects.toMatchObject({
      code: 'settings/not-yours',
    });
    await expect(keep(around, { user: 'bob', name: 'landlord', from, consent: bob })).rejects.toMatchObject({
      code: 'preflight/other-user',
    });
    await expect(keep(around, { user: 'ann', name: 'friend', from, consent: ANN })).rejects.toMatchObject({
      code: 'settings/other-slot',
    });
    const other = { ...from, slot: '/amount' };
    await expect(
      keep(around, { user: 'ann', name: 'usual', from: other, consent: ANN }),
    ).rejects.toMatchObject({
      code: 'settings/not-used',
    });
  });

  test('is proposed where a user gave the same value twice, until they keep it', async () => {
    const around = about();
    const { declared, log } = around;
    await sent(around, 'B-2');
    expect(settingsToPropose(log, 'ann', declared)).toEqual([]);
    const { proposed, event } = await sent(around, 'B-2');
    await sent(around, 'B-2', 'bob');
    const [proposal, ...rest] = settingsToPropose(log, 'ann', declared);
    expect(rest).toEqual([]);
    expect(proposal).toMatchObject({
      tool: 'send',
      slot: '/to',
      value: 'B-2',
      times: 2,
      setting: 'landlord',
      from: { call: proposed.call, answer: event },
    });
    expect(settingsToPropose(log, 'bob', declared)).toEqual([]);
    await keep(around, {
      user: 'ann',
      name: 'landlord',
      from: { call: proposed.call, answer: event, slot: '/to' },
      consent: ANN,
    });
    expect(settingsToPropose(log, 'ann', declared)).toEqual([]);
  });

  test('is not proposed of a value that the user gave another one after', async () => {
    const around = about();
    for (const to of ['B-2', 'B-2', 'C-3']) await sent(around, to);
    expect(settingsToPropose(around.log, 'ann', around.declared)).toEqual([]);
  });

  test('names no user in the log', async () => {
    const around = about();
    const { proposed, event } = await sent(around, 'B-2', 'ann@example.test');
    await keep(around, {
      user: 'ann@example.test',
      name: 'landlord',
      from: { call: proposed.call, answer: event, slot: '/to' },
      consent: { user: 'ann@example.test', known_by: 'channel' },
    });
    for (const page of around.log.readSync({}))
      for (const { bytes } of page) expect(Buffer.from(bytes).toString('utf8')).not.toContain('ann@');
  });
});
