import { describe, expect, test } from 'vitest';
import { agent, answer, given, user } from '../../src/testing/index.ts';
import { checklistFile, recorded } from './files.ts';

describe('invented values', () => {
  test('1: an address that nobody gave does not subscribe anyone', () => {
    recorded('01-invented-email', 'newsletter')
      .call(0)
      .finds({
        kind: 'unknown',
        unknown: ['/email'],
        slots: { '/email': { reason: 'not_said', route: 'ask_user' } },
      });
    given([user('Please subscribe me: kim@post.example')], checklistFile('newsletter'))
      .propose('subscribe', { email: 'kim@post.example' })
      .findsExecutable();
  });

  test('2: a call with invented values, beside the very question for them, has no grounds', () => {
    recorded('02-asks-and-executes', 'bank')
      .call(0)
      .finds({
        kind: 'unknown',
        intent: { act: { reads: 'Send' } },
        slots: {
          '/amount': 'not_said',
          '/from_account': 'not_said',
          '/to_account': 'not_said',
          covered: 'waits_for',
        },
      });
  });

  test('2: what the agent wrote confirms nothing, even once the user has answered another question', () => {
    given(
      [
        user('Send some money to my sister.'),
        agent('I suggest 100 from AC-1 to AC-77. Is she well?'),
        user('She is fine.'),
      ],
      checklistFile('bank'),
    )
      .propose('transfer_funds', { amount: 100, from_account: 'AC-1', to_account: 'AC-77' })
      .finds({ kind: 'unknown', slots: { '/amount': 'not_said', '/to_account': 'not_said' } });
  });

  test('3: one of two values given holds the call, and the answer to the other releases it', () => {
    const held = recorded('03-partial-fill', 'bank');
    held.call(0).finds({
      kind: 'unknown',
      slots: {
        '/amount': { reason: 'located', reads: '250' },
        '/from_account': { reason: 'located', reads: 'AC-1' },
        // AC-1 stands in the words; AC-1000 does not: an identifier has no prefix.
        '/to_account': { reason: 'not_said', route: 'ask_user' },
      },
    });
    const answered = held.with({ entries: [answer('/to_account', 'AC-1000')] }).call(0);
    answered.finds({ slots: { '/to_account': { reason: 'answered', source: 'user_answer' } } });
    expect(
      answered
        .verdict()
        .slots?.filter((slot) => slot.state === 'unknown')
        .map((slot) => slot.slot),
    ).toEqual(['covered']);
  });
});
