import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { readTranscripts } from '../../src/transcripts/index.ts';

const file = (name: string) => fileURLToPath(new URL(`../../fixtures/demo/${name}`, import.meta.url));
const story = (number: number) => given(file('conversations.jsonl'), file('checklist.yaml')).with({ number });

describe('the story of the demo', () => {
  test('is three conversations with four calls under the gate, all of which ran', () => {
    const conversations = [...readTranscripts(file('conversations.jsonl'))];
    const gated = conversations.flatMap(({ calls }, index) =>
      calls.filter((_, call) => story(index + 1).call(call).gated),
    );
    expect(conversations).toHaveLength(3);
    expect(gated.map(({ tool, result }) => [tool, result !== null])).toEqual([
      ['send_payment', true],
      ['send_payment', true],
      ['send_payment', true],
      ['pay_several', true],
    ]);
  });

  test('the rent ran on good grounds: amount typed, account looked up and approved by a yes, limits measured', () => {
    const rent = story(1).call(2).findsExecutable();
    rent.finds({
      intent: { act: { reads: 'send' }, when: 'unmarked', tool: 'act_words' },
      slots: {
        '/amount': { reason: 'located', reads: '850', segment: 1 },
        '/from_account': { reason: 'located', reads: '300-41-7788' },
        '/to_account': { reason: 'approved', source: 'pre_set_data', reads: '110-22-3344' },
        known_payee: { reason: 'met', source: 'measured_data' },
        daily_limit: 'met',
      },
      reductions: ['unmarked_timing'],
    });
  });

  test('the plumber’s account number was invented', () => {
    story(2)
      .call(1)
      .finds({
        kind: 'unknown',
        unknown: ['/to_account', 'known_payee'],
        slots: { '/amount': { reads: '120' }, '/to_account': { reason: 'not_said', route: 'ask_user' } },
      });
  });

  test('the deposit goes past the daily limit, though every value was said', () => {
    story(3)
      .call(2)
      .finds({
        kind: 'unmet',
        unknown: [],
        unmet: [{ slot: 'daily_limit', reason: 'condition_false', declared_by: 'system' }],
      });
  });

  test('gardener and cleaner got each other’s money', () => {
    story(3)
      .call(3)
      .finds({
        kind: 'unknown',
        slots: { '/payments/0/amount': 'mixed_group', '/payments/1/to': 'mixed_group' },
      });
  });
});
