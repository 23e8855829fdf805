import { describe, expect, test } from 'vitest';
import { soundnessOf } from '../../src/declarations/soundness.ts';
import { CORPUS_IDS, loadCorpusChecklist, soundness } from './corpora.ts';
import { isClearNo, type Label } from './labels.ts';
import { holdsToken, leavesOf, wordsIn } from './occurs.ts';
import { swapsOf } from './swaps.ts';
import { VARIANT_IDS, variantOf } from './variants.ts';

const root = new URL('../..', import.meta.url).pathname;

describe.each(CORPUS_IDS)('the readings of the %s checklist', (id) => {
  const { checklist } = loadCorpusChecklist(id, root);
  const slotsOf = (variant: (typeof VARIANT_IDS)[number]) =>
    Object.values(variantOf(checklist, variant).tools).flatMap(({ slots }) => Object.entries(slots));

  test.each(VARIANT_IDS)('%s is sound', (variant) => {
    expect(soundnessOf(variantOf(checklist, variant), soundness)).toEqual([]);
  });

  test('the base is the checklist itself', () => {
    expect(variantOf(checklist, 'base')).toEqual(checklist);
  });

  test('payment the user’s: no way to pay is left to membership, all else is as it was', () => {
    const changed = slotsOf('payment').filter(
      ([, slot], index) => slot.select !== slotsOf('base')[index]?.[1].select,
    );
    expect(changed.length).toBeGreaterThan(2);
    expect(changed.every(([pattern]) => pattern.includes('payment'))).toBe(true);
    expect(
      slotsOf('payment').filter(([p, { select }]) => p.includes('payment') && select === 'member'),
    ).toEqual([]);
  });

  test('no conditions: none is left, and what they computed is ungated with a reason', () => {
    const { tools } = variantOf(checklist, 'no_conditions');
    expect(Object.values(tools).flatMap(({ conditions }) => Object.keys(conditions))).toEqual([]);
    const computed = Object.entries(checklist.tools).flatMap(([tool, { slots }]) =>
      Object.keys(slots).flatMap((p) => (slots[p]?.fixed_by === undefined ? [] : [[tool, p] as const])),
    );
    expect(computed.length).toBeGreaterThan(0);
    for (const [tool, pattern] of computed) expect(tools[tool]?.ungated[pattern]).toMatch(/computed/i);
  });

  test('without member: no choice is left to membership', () => {
    expect(slotsOf('base').some(([, { select }]) => select === 'member')).toBe(true);
    expect(slotsOf('no_member').some(([, { select }]) => select === 'member')).toBe(false);
  });
});

describe('the search for tokens', () => {
  test.each([
    ['pay with card_12 now', 'card_12', true],
    ['pay with card_123', 'card_12', false],
    ['xcard_12', 'card_12', false],
    ['#W12, please', '#W12', true],
    ['order#W123', '#W12', false],
    ['card_123 and card_12', 'card_12', true],
    ['it is 250.', '250', true],
    ['anything', '', true],
    ['José', 'Jos', false],
  ])('in %j, %j: %s', (text, token, found) => {
    expect(holdsToken(text, token)).toBe(found);
  });

  test('the words of a body are its keys, strings and numbers', () => {
    expect(wordsIn({ ways: { card_1: { ok: true } }, sums: [1, 'a'] }).split('\n')).toEqual([
      'ways',
      'card_1',
      'ok',
      'true',
      'sums',
      '1',
      'a',
    ]);
  });

  test('empty arrays and objects are leaves', () => {
    expect(leavesOf({ a: [], b: [{ 'c/d': '' }] })).toEqual([
      { pointer: '/a', value: [] },
      { pointer: '/b/0/c~1d', value: '' },
    ]);
  });
});

describe('swaps', () => {
  const legs = (...pairs: [string, string][]) => pairs.map(([flight, date]) => ({ flight, date }));
  test('each column is exchanged between two elements that differ in it and in something else', () => {
    const swaps = swapsOf({ legs: legs(['A', '1'], ['B', '2']), note: 'x' });
    expect(swaps.map(({ column }) => column)).toEqual(['flight', 'date']);
    expect(swaps[0]?.args).toEqual({ legs: legs(['B', '1'], ['A', '2']), note: 'x' });
  });
  test('elements that differ in one column only would merely change places', () => {
    expect(swapsOf({ legs: legs(['A', '1'], ['B', '1']) })).toEqual([]);
  });
  test('parallel arrays exchange what stands at two indices', () => {
    const swaps = swapsOf({ item_ids: ['a', 'b', 'b'], new_item_ids: ['x', 'y', 'y'] });
    expect(swaps.map(({ args }) => args)).toEqual([
      { item_ids: ['a', 'b', 'b'], new_item_ids: ['y', 'x', 'y'] },
      { item_ids: ['a', 'b', 'b'], new_item_ids: ['y', 'y', 'x'] },
    ]);
  });
});

describe('a clear no', () => {
  const label: Label = {
    line: 1,
    message: 2,
    asked: true,
    policy: 'allowed',
    rule: '',
    payload: 'right',
    unsettled: [],
    should_run: false,
    why: '',
  };
  test.each([
    ['nothing against it', {}, false],
    ['forbidden', { policy: 'forbidden', rule: 'no refunds' }, true],
    ['only the reason is open', { policy: 'forbidden', rule: 'insurance, reason not covered' }, false],
    ['a wrong payload', { payload: 'wrong' }, true],
    ['an unmeasured payload', { payload: 'unmeasured' }, false],
    ['not asked', { asked: false }, true],
    ['invented', { unsettled: [{ pointer: '/a', value: 1, why: 'invented' }] }, true],
    ['chosen by the agent', { unsettled: [{ pointer: '/a', value: 1, why: 'agent_chose' }] }, false],
    ['should run', { asked: false, should_run: true }, false],
  ] as const)('%s', (_, more, clear) => {
    expect(isClearNo({ ...label, ...more })).toBe(clear);
  });
});
