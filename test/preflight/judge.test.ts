import { describe, expect, test } from 'vitest';
import { randomId } from '../../src/events/random-id.ts';
import { userIn } from '../../src/preflight/by.ts';
import { openRequest, say } from '../../src/preflight/conversation.ts';
import { judge } from '../../src/preflight/judge.ts';
import { NO_HOOKS, type World } from '../../src/preflight/world.ts';
import { standingOf } from '../../src/runs/standing.ts';
import { replayed } from '../replay/recorded.ts';
import { live, result, said, TRANSFER, typed } from './live.ts';

const ARGUMENTS = { from_account: 'A-1', to_account: 'B-2', amount: 50 };
const WORDS = 'Please transfer 50 from A-1 to B-2.';

/** A hook that knows the account, declared in the checklist as `get_account`. */
const balance = (available: number): World => ({
  ...NO_HOOKS,
  measure: async (_, open) =>
    open.map((request) => ({
      request,
      found:
        'fact' in request.subject && request.subject.fact === 'account' && '/from_account' in request.key
          ? {
              segment: result(
                'get_account',
                { account_id: 'A-1' },
                { account_id: 'A-1', owner_id: 'u1', balance: available, available, status: 'open' },
                'hook',
              ),
            }
          : null,
    })),
});

async function begun(world: World = NO_HOOKS, words = WORDS) {
  const around = live({ world });
  const conversation = randomId();
  const request = await openRequest(around, { conversation, from: 0 });
  await say(around, conversation, [typed(words)]);
  return {
    around,
    conversation,
    request,
    proposed: { conversation, request, tool: TRANSFER, arguments: ARGUMENTS },
  };
}

describe('A live run', () => {
  test('is one commit, and replays', async () => {
    const { around, proposed } = await begun();
    const before = await around.log.size();
    const call = randomId();
    const { verdict, run } = await judge(around, { ...proposed, call });
    expect(verdict.kind).toBe('unknown');
    expect(await around.log.size()).toBeGreaterThan(before);
    const { summary } = replayed(around.log);
    expect(standingOf(around.log, call)?.run?.id).toBe(run);
    expect(summary.matched).toBe(1);
  });

  test('takes what a hook measures as a segment, at which the fact is read', async () => {
    const { around, proposed } = await begun(balance(900));
    const call = randomId();
    const { verdict, input } = await judge(around, { ...proposed, call });
    expect([verdict.kind, verdict.unknown_count]).toEqual(['executable', 0]);
    expect(input.segments.at(-1)?.author).toBe('hook');
    expect(standingOf(around.log, call)?.run?.started.segments).toBe(input.segments.length);
    expect(replayed(around.log).summary).toMatchObject({ matched: 1, diverged: 0, tampered: 0 });
  });

  test('lists a measured shortfall as unmet', async () => {
    const { around, proposed } = await begun(balance(10));
    const { verdict } = await judge(around, { ...proposed, call: randomId() });
    expect(verdict.kind).toBe('unmet');
  });

  test('records what is new of the conversation together with the run', async () => {
    const { around, proposed } = await begun();
    await judge(around, { ...proposed, call: randomId(), segments: [said('I will do that.')] });
    expect(await around.log.version(`conversation/${proposed.conversation}`)).toBe(2);
  });

  test('needs a request that was opened', async () => {
    const around = live();
    const conversation = randomId();
    await expect(
      judge(around, {
        conversation,
        request: randomId(),
        call: randomId(),
        tool: TRANSFER,
        arguments: ARGUMENTS,
      }),
    ).rejects.toMatchObject({ code: 'preflight/no-request' });
  });

  test('never takes a call to another request: what was approved there holds there', async () => {
    const { around, proposed, conversation } = await begun();
    const call = randomId();
    await judge(around, { ...proposed, call });
    const request = await openRequest(around, { conversation });
    const size = await around.log.size();
    await expect(judge(around, { ...proposed, request, call })).rejects.toMatchObject({
      code: 'preflight/other-request',
      facts: { of: proposed.request },
    });
    expect(await around.log.size()).toBe(size);
  });

  test('is of the user it began with, whoever else goes on with it, and in whatever process', async () => {
    const { around, proposed } = await begun();
    const call = randomId();
    await judge(around, { ...proposed, call, user: 'ann' });
    const size = await around.log.size();
    const elsewhere = live({ log: around.log, newId: randomId });
    await expect(judge(elsewhere, { ...proposed, call, user: 'bob' })).rejects.toMatchObject({
      code: 'preflight/other-user',
      facts: { call },
    });
    expect(await around.log.size()).toBe(size);
    await judge(elsewhere, { ...proposed, call });
    const own = userIn(around.log, 'ann');
    expect(standingOf(around.log, call)?.run?.started.user).toBe(own);
    expect(JSON.stringify([...around.log.readSync({})])).not.toContain('ann"');
  });

  test('is judged on what the log holds, whatever was done to what an earlier one was given back', async () => {
    const { around, proposed } = await begun(NO_HOOKS, 'Hello.');
    const call = randomId();
    const first = await judge(around, { ...proposed, call });
    const [segment] = first.input.segments as unknown as { body: { plain: string } }[];
    try {
      if (segment !== undefined) segment.body.plain = WORDS;
    } catch {
      // What can't be changed is as good.
    }
    const { verdict, input } = await judge(around, { ...proposed, call });
    expect(input.segments[0]?.body).toEqual({ plain: 'Hello.' });
    expect(verdict.kind).toBe('intent_undetermined');
    expect(replayed(around.log).summary).toMatchObject({ matched: 2, diverged: 0 });
  });

  test('goes round a block only as a run that says so', async () => {
    const { around, proposed } = await begun();
    const first = await judge(around, { ...proposed, call: randomId() });
    const call = randomId();
    await judge(around, { ...proposed, call, tool: { ...TRANSFER, name: 'pay_batch' } });
    expect(standingOf(around.log, call)?.run?.started.follows).toBe(first.run);
  });
});
