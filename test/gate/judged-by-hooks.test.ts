import { describe, expect, test } from 'vitest';
import type { ChecklistFile } from '../../src/declarations/checklist.ts';
import type { Verdict } from '../../src/events/verdict.ts';
import {
  type GivenEntry,
  given,
  match,
  type Surroundings,
  timing,
  tool,
  trigger,
  user,
} from '../../src/testing/index.ts';

const CHECKLIST: ChecklistFile = {
  grounds: 1,
  checklist: 'bank/policy',
  declared_by: 'system',
  facts: { account: { measured_by: [{ tool: 'get_account', match: { 'result/id': '/from' } }] } },
  intent: { timing: { scheduled: { words: ['tomorrow'], detail: 'date' } }, act_words: { send: ['send'] } },
  tools: {
    send: {
      schema: { type: 'object', required: ['from'], properties: { from: { type: 'string' } } },
      conditions: { open: { require: 'account.open' } },
    },
  },
};
const SAID = [user('send it from A-1'), tool('get_account', { id: 'A-1' }, { id: 'A-1', open: true })];

function verdictOf(
  entries: readonly GivenEntry[],
  surroundings: Surroundings = {},
  checklist = CHECKLIST,
): Verdict {
  return given(SAID, checklist)
    .with({ entries, ...surroundings })
    .propose('send', { from: 'A-1' })
    .verdict();
}

describe('Timing that a hook judges', () => {
  test.each([
    ['immediate', 'executable', 'V11'],
    [null, 'intent_undetermined', 'V3'],
    ['failed', 'intent_undetermined', 'V2'],
    // The time of what runs later is looked for in the user's words, whoever judged that it runs later.
    ['scheduled', 'intent_undetermined', 'V3'],
  ] as const)('%s gives a verdict that is %s (%s)', (judged, kind, rule) => {
    expect(verdictOf([timing(judged)])).toMatchObject({ kind, rule });
  });

  test('is a reduction that the verdict lists', () => {
    expect(verdictOf([timing('immediate')]).reductions).toContainEqual({
      declared_by: 'system',
      kind: 'judged_intent',
      slot: 'when',
    });
  });

  test('counts by its newest word, and not where a trigger carries the timing', () => {
    expect(verdictOf([timing(null), timing('immediate')]).kind).toBe('executable');
    expect(verdictOf([timing(null), trigger('scheduled')]).kind).toBe('executable');
  });
});

test('A match hook that fails is a defect and spends no question (V5)', () => {
  const { act_words: _, ...intent } = CHECKLIST.intent ?? {};
  const at = { in: 'text', segment: 0, start: 0, end: 4 } as const;
  const hook: Surroundings['hook'] = ({ subject }) =>
    'slot' in subject && subject.slot === 'act' ? { said: 'claim', claims: [{ at }], also: 1 } : undefined;
  const kinds = (['failed', false, true] as const).map((approved) => {
    const { kind, rule, next_attempt } = verdictOf(
      [timing('immediate'), match(approved)],
      { hook },
      { ...CHECKLIST, intent },
    );
    return [kind, rule, next_attempt];
  });
  expect(kinds).toEqual([
    ['tool_undetermined', 'V5', null],
    ['tool_undetermined', 'V6', 1],
    ['executable', 'V11', null],
  ]);
});

test('At a trigger, what was measured before it fired is not carried (R12)', () => {
  expect(verdictOf([trigger('scheduled', 1)]).kind).toBe('executable');
  expect(verdictOf([trigger('scheduled', 2)])).toMatchObject({ kind: 'unknown' });
});

test('A fact keyed by a slot for which nothing is proposed goes by what the words mean (R8b)', () => {
  const checklist: ChecklistFile = {
    ...CHECKLIST,
    facts: { order: { measured_by: [{ tool: 'get_order', match: { 'result/number': '/number' } }] } },
    tools: {
      send: {
        schema: { type: 'object', required: ['number'], properties: { number: { type: 'integer' } } },
        slots: { '/number': { reader: 'integer' } },
        conditions: { open: { require: 'order.open' } },
      },
    },
  };
  const place = {
    in: 'text',
    segment: 0,
    start: 'send order '.length,
    end: 'send order 1,200'.length,
  } as const;
  const found = given(
    [user('send order 1,200'), tool('get_order', { number: 1200 }, { number: 1200, open: true })],
    checklist,
  )
    .with({
      entries: [timing('immediate')],
      hook: ({ subject }) =>
        'slot' in subject && subject.slot === '/number'
          ? { said: 'claim', claims: [{ at: place }], also: 1 }
          : undefined,
    })
    .consider('send');
  expect(found.verdict().kind).toBe('executable');
  expect(found.arguments()).toEqual({ number: 1200 });
});
