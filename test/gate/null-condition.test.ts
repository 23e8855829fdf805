import { describe, test } from 'vitest';
import { answerNone, given, user } from '../../src/testing/index.ts';

const checklist = (accepts_null: boolean) => ({
  grounds: 1 as const,
  checklist: 'test/gifts',
  declared_by: 'system' as const,
  intent: { unmarked_timing: 'immediate' as const, act_words: { send: ['send'] } },
  tools: {
    send: {
      schema: {
        type: 'object',
        required: ['to'],
        properties: { to: { type: 'string' }, tip: { type: 'number' } },
      },
      slots: { '/tip': { reader: 'money' } },
      conditions: {
        small: { require: 'args.tip < 10', accepts_null },
        named: { require: '!has(args.tip) || args.tip < 10' },
      },
    },
  },
});

describe('a condition over an argument of which the user said that there is none', () => {
  const sent = (accepts_null: boolean) =>
    given([user('Send it to Ann.')], checklist(accepts_null))
      .with({ entries: [answerNone('/tip')] })
      .propose('send', { to: 'Ann', tip: 5 });

  test('is unmet where it can not be evaluated', () => {
    sent(false).finds({
      kind: 'unmet',
      unmet: [{ slot: 'small', reason: 'condition_null', declared_by: 'system' }],
      slots: {
        '/tip': 'answered_none',
        small: { reason: 'condition_null', source: 'user_answer' },
        named: 'met',
      },
    });
  });

  test('is met where its requirement takes null, and the argument is left out', () => {
    sent(true).finds({ kind: 'executable', slots: { small: 'met' } });
  });
});
