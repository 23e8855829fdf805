import { describe, expect, test } from 'vitest';
import { randomId } from '../../src/events/random-id.ts';
import { createExecutor, NotReached } from '../../src/executor/index.ts';
import { openMemoryLog } from '../../src/log/index.ts';
import { openRequest, say } from '../../src/preflight/conversation.ts';
import { judge } from '../../src/preflight/judge.ts';
import { live, result, TRANSFER, typed } from '../preflight/live.ts';
import { replayed } from '../replay/recorded.ts';

const ACCOUNT = { account_id: 'A-1', owner_id: 'u1', balance: 900, available: 900, status: 'open' };

/** One sentence of the user's, and an agent that proposes it as often as it likes. */
async function asked(words = 'Please transfer 50 from A-1 to B-2, or 60.') {
  const log = openMemoryLog();
  const around = live({ log, newId: randomId, clock: () => '2026-03-02T11:00:00.000Z' });
  const conversation = randomId();
  const open = () => openRequest(around, { conversation, from: 0 });
  await say(around, conversation, [typed(words)]);
  const effects: unknown[] = [];
  const executorThat = (call: () => void) =>
    createExecutor({
      log,
      name: 'test/1',
      clock: around.clock,
      call: async (_, args) => {
        call();
        effects.push(args);
        return { result: 'done', failed: false };
      },
    });
  const measure = () => say(around, conversation, [result('get_account', { account_id: 'A-1' }, ACCOUNT)]);
  const judged = async (request: string, amount: number) => {
    const args = { from_account: 'A-1', to_account: 'B-2', amount };
    const { run, verdict } = await judge(around, {
      conversation,
      request,
      call: randomId(),
      tool: TRANSFER,
      arguments: args,
    });
    expect(verdict.kind).toBe('executable');
    return run;
  };
  const propose = async (request: string, amount = 50, call: () => void = () => {}) => {
    await measure();
    return executorThat(call).execute({ run: await judged(request, amount) });
  };
  return { log, open, measure, judged, propose, effects, executor: executorThat(() => {}) };
}

describe('What the user asked for once', () => {
  test('runs once in its request, under however many ids it is proposed', async () => {
    const { log, open, propose, effects } = await asked();
    const request = await open();
    expect(await propose(request)).toMatchObject({ outcome: 'succeeded' });
    expect(await propose(request)).toMatchObject({ decision: 'refuse', refused: ['repeated'] });
    expect(await propose(request)).toMatchObject({ decision: 'refuse', refused: ['repeated'] });
    expect(effects).toHaveLength(1);
    expect(replayed(log).summary).toMatchObject({ matched: 3, diverged: 0, tampered: 0 });
  });

  test('runs once where nobody knows what became of it', async () => {
    const { open, propose, effects } = await asked();
    const request = await open();
    const lost = () => {
      throw new Error('socket hang up');
    };
    expect(await propose(request, 50, lost)).toMatchObject({ outcome: 'unknown' });
    // Its start also makes the measurement of the account stale: the gate itself stops the next one.
    await expect(propose(request)).rejects.toThrow();
    expect(effects).toHaveLength(0);
  });

  test('runs where it never reached the tool, with other arguments, and in a new request', async () => {
    const { open, propose, effects } = await asked();
    const request = await open();
    const refused = () => {
      throw new NotReached('Connection refused.');
    };
    expect(await propose(request, 50, refused)).toMatchObject({ outcome: 'failed' });
    expect(await propose(request)).toMatchObject({ outcome: 'succeeded' });
    expect(await propose(request, 60)).toMatchObject({ outcome: 'succeeded' });
    expect(await propose(await open())).toMatchObject({ outcome: 'succeeded' });
    expect(effects).toHaveLength(3);
  });
});

describe('What a verdict was measured on', () => {
  test('holds for one of two calls that were judged side by side and change it', async () => {
    const { open, measure, judged, executor, effects } = await asked();
    const request = await open();
    await measure();
    const first = await judged(request, 50);
    const second = await judged(request, 60);
    expect(await executor.execute({ run: first })).toMatchObject({ outcome: 'succeeded' });
    expect(await executor.execute({ run: second })).toMatchObject({ refused: ['measured_since'] });
    expect(effects).toHaveLength(1);
  });

  test('holds no more once it is measured anew', async () => {
    const { open, measure, judged, executor } = await asked();
    await measure();
    const run = await judged(await open(), 50);
    await measure();
    expect(await executor.execute({ run })).toMatchObject({ refused: ['measured_since'] });
  });
});
