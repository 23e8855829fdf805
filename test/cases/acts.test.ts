import { describe, expect, test } from 'vitest';
import { encode } from '../../src/events/canonical.ts';
import { agent, approval, given, setting, thirdParty, tool, trigger, user } from '../../src/testing/index.ts';
import { checklistFile, recorded } from './files.ts';

describe('acts and tools', () => {
  test('32: to clean up is not to delete: the tool is undetermined, no slot is listed, and no state names another tool', () => {
    const call = recorded('32-clean-up', 'records').call(0);
    call.finds({
      kind: 'tool_undetermined',
      slots: null,
      next_attempt: 1,
      intent: { act: { reads: 'clean up' }, tool: { reason: 'other_act_said', route: 'ask_user' } },
    });
    expect(encode(call.verdict())).not.toMatch(/delete_all|archive/);
    given([user('Could you clean up the old invoices?')], checklistFile('records'))
      .with({ attempts: { tool: 2 } })
      .propose('delete_all', {})
      .finds({ kind: 'tool_undetermined', exhausted: true, next_attempt: null });
  });

  test('33: a time that the buyer proposed is untrusted text, and a standing permission is not an answer', () => {
    const sale = recorded('33-the-sellers-case', 'meetings');
    sale.call(1).finds({ kind: 'unknown', slots: { '/time': { reason: 'not_said', route: 'ask_user' } } });
    sale
      .with({ entries: [setting('may_agree_to_times', true), setting('time', '2026-03-14T15:00:00+01:00')] })
      .call(1)
      .finds({ kind: 'unknown', slots: { '/time': 'not_said' } });
    const words = [
      user('You may agree to a time with buyer-81 yourself.'),
      thirdParty('Let us meet on 2026-03-14 15:00.', 'mail from buyer-81'),
    ];
    const args = { buyer: 'buyer-81', time: '2026-03-14T15:00:00+01:00' };
    given(words, checklistFile('meetings'))
      .propose('accept_meeting', args)
      .finds({ kind: 'unknown', unknown: ['/time'] });
    given([...words, user('2026-03-14 15:00 is fine.')], checklistFile('meetings'))
      .propose('accept_meeting', args)
      .findsExecutable();
  });

  test('34: a full class does not let the agent give up the booking that the user has', () => {
    const studio = recorded('34-full-class', 'bookings').with({ now: '2026-03-10T09:00:00Z' });
    studio.call(1).finds({ kind: 'tool_undetermined', intent: { tool: 'other_act_said' }, slots: null });
    // Booking is judged by itself: what was measured says full, and giving up another booking measured nothing new.
    studio.call(2).finds({ kind: 'unmet', unmet: [{ slot: 'free', reason: 'condition_false' }] });
  });

  test('35: a price that was never said is an intent gap, whatever else is known', () => {
    const shop = recorded('35-when-the-price-drops', 'shop');
    shop.call(0).finds({
      kind: 'intent_undetermined',
      slots: null,
      unknown_count: null,
      intent: {
        when: { reads: 'drops' },
        'when/conditional': { reason: 'timing_detail_missing', route: 'ask_user' },
      },
    });
  });

  test('35: with a price said it waits for its trigger, and does not run before', () => {
    const said = given(
      [user('Buy the kettle K-20 when the price drops under 40 dollars.')],
      checklistFile('shop'),
    );
    said.propose('buy', { item: 'K-20' }).finds({ kind: 'schedulable', phase: 'at_instruction' });
    said
      .with({ entries: [trigger('conditional')] })
      .propose('buy', { item: 'K-20' })
      .finds({ kind: 'executable', phase: 'at_trigger', intent: { when: 'carried' } });
  });

  test('36: a transfer that was blocked and comes again as a bill is judged from the start, by the rules of the bill', () => {
    const bank = recorded('36-another-tool', 'bank');
    bank.call(1).finds({ kind: 'unmet', unmet: ['limit'], slots: { covered: 'met' } });
    bank.call(2).finds({ kind: 'unmet', unmet: ['limit'], unknown: [] });
  });

  test('36: what was approved for the one tool is not approved for the other', () => {
    const asked = given(
      [user('Please transfer the rent.'), agent('I need the details.')],
      checklistFile('bank'),
    );
    const shown = { '/amount': 400, '/to_account': 'AC-9' };
    const first = asked.propose('transfer_funds', { amount: 400, from_account: 'AC-1', to_account: 'AC-9' });
    asked
      .with({ entries: [approval(shown, { tool: first.run.tool_digest })] })
      .propose('settle_bill', { amount: 400, to_account: 'AC-9' })
      .finds({ kind: 'unknown', slots: { '/amount': 'not_said', '/to_account': 'not_said' } });
    asked
      .with({ entries: [approval(shown)] })
      .propose('settle_bill', { amount: 400, to_account: 'AC-9' })
      .findsExecutable();
  });
});

describe('words and wholes', () => {
  test('37: two payments with their amounts swapped: every leaf was said, the whole was not', () => {
    const bank = recorded('37-swapped-pair', 'bank');
    bank.call(0).finds({
      kind: 'unknown',
      slots: {
        '/payments/0/amount': { reason: 'mixed_group', route: 'ask_user' },
        '/payments/0/to': 'mixed_group',
        '/payments/1/amount': 'mixed_group',
        '/payments/1/to': 'mixed_group',
      },
    });
    bank.call(1).findsExecutable();
  });

  test('38: the user said 600 and the agent proposes 500', () => {
    recorded('38-another-amount', 'bank')
      .call(1)
      .finds({
        kind: 'unknown',
        slots: { '/amount': { reason: 'differs_from_proposal', route: 'ask_user' }, covered: 'waits_for' },
      });
  });

  test('39: a balance read before a transfer is stale after it, until it is read again', () => {
    const bank = recorded('39-stale-balance', 'bank');
    bank.call(1).findsExecutable();
    bank.call(2).finds({
      kind: 'unknown',
      unknown: ['covered'],
      slots: { covered: { reason: 'waits_for', route: 'system_lookup', waits_for: ['balance'] } },
    });
    bank.call(4).finds({ kind: 'unmet', unmet: ['covered'] });
  });

  test("39: another account's transfer makes nothing stale, a failed one neither, and the write's own result measures", () => {
    const bal = { account: 'AC-1', available: 450 };
    const afterwards = (...pieces: ReturnType<typeof tool>[]) =>
      given(
        [user('Transfer 300 from AC-1 to AC-8.'), tool('get_balance', { account: 'AC-1' }, bal), ...pieces],
        checklistFile('bank'),
      ).propose('transfer_funds', { amount: 300, from_account: 'AC-1', to_account: 'AC-8' });
    afterwards(tool('transfer_funds', { from_account: 'AC-2' }, { done: true })).findsExecutable();
    afterwards(tool('transfer_funds', { from_account: 'AC-1' }, 'Error: no')).findsExecutable();
    afterwards(
      tool('transfer_funds', { from_account: 'AC-1' }, { done: true }, { failed: true }),
    ).findsExecutable();
    afterwards(
      tool('transfer_funds', { from_account: 'AC-1' }, { account: 'AC-1', available: 350 }),
    ).findsExecutable();
    afterwards(tool('transfer_funds', { from_account: 'AC-1' }, { account: 'AC-1', available: 150 })).finds({
      unmet: ['covered'],
    });
    afterwards(tool('deposit', { from_account: 'AC-1' }, { done: true })).finds({ unknown: ['covered'] });
  });

  test('40: one id for two calls: each result answers the call just before it', () => {
    const bank = recorded('40-one-id-twice', 'bank');
    const call = bank.call(2);
    call.finds({ kind: 'unmet', unmet: ['covered'] });
    expect(
      call.run.segments.flatMap((segment) => (segment.observes === null ? [] : [segment.observes.arguments])),
    ).toEqual([{ plain: { account: 'AC-1' } }, { plain: { account: 'AC-2' } }]);
  });
});
