import { expect, test } from 'vitest';
import { ASKED, byHand, FIVE, refusalOf, typed } from './by-hand.ts';

test('what one user was refused, another may propose for themselves: it is a call of their own', async () => {
  const on = await byHand();
  const { segments, ...request } = ASKED;
  const ann = await on.call('transfer', FIVE, { ...request, user: 'ann', segments: [typed('Hello.')] });
  expect(refusalOf(ann)).toMatchObject({ verdict: 'intent_undetermined' });
  const bob = await on.call('transfer', FIVE, { ...request, user: 'bob', segments });
  expect(refusalOf(bob)).toBeUndefined();
  expect(on.calls()).toHaveLength(1);
  const starts = on.events().filter(({ type }) => type === 'RunStarted');
  expect(new Set(starts.map(({ stream }) => stream)).size).toBe(2);
  await on.close();
});

test('a user who is named later goes on with what was refused before', async () => {
  const on = await byHand();
  const { segments, ...request } = ASKED;
  await on.call('transfer', FIVE, { ...request, segments: [typed('Hello.')] });
  const named = await on.call('transfer', FIVE, { ...request, user: 'ann', segments });
  expect(refusalOf(named)).toBeUndefined();
  const unnamed = await on.call('transfer', FIVE, request);
  expect(refusalOf(unnamed)).toMatchObject({ refused: ['repeated'] });
  const starts = on.events().filter(({ type }) => type === 'RunStarted');
  expect(new Set(starts.map(({ stream }) => stream)).size).toBe(2);
  await on.close();
});
