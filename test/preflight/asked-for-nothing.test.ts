import { expect, test } from 'vitest';
import { explain, renderWhy } from '../../src/explain/index.ts';
import { foldCall } from '../explain/fold.ts';
import { replayed } from '../replay/recorded.ts';
import { HOOKS, hooked, transferred } from './hooked.ts';

async function why(measure: NonNullable<typeof HOOKS.measure>) {
  const preflight = hooked({ measure });
  const { call, verdict } = await transferred(preflight);
  const { place, row } = foldCall(preflight.log, call);
  const told = renderWhy(explain(preflight.log, place, row), { width: 200, color: false });
  expect(replayed(preflight.log).summary).toMatchObject({ diverged: 0, matched: 1 });
  return { told, verdict };
}

test('A measuring hook that was asked and had nothing is told apart from one that nobody called, in the same verdict', async () => {
  const asked = await why({ get_account: () => undefined });
  expect(asked.told).toContain('get_account was asked and said nothing of account');
  const { get_account: _, ...others } = HOOKS.measure ?? {};
  const never = await why(others);
  expect(never.told).toContain('get_account was not called');
  expect(asked.verdict).toEqual(never.verdict);
});
