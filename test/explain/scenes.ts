import type { RecordOptions, Told } from './bank.ts';

const NOW: Told = ['system', 'You help customers of a bank. The time is 2026-03-11 09:20:00.'];

const account = {
  account_id: 'acct-1',
  status: 'open',
  available: 812,
  savings_account: 'acct-7',
  payees: [
    { iban: 'NL-4410', name: 'Mira Okafor', last_four: '4410' },
    { iban: 'NL-7731', name: 'Jan Visser', last_four: '7731' },
  ],
};
const looked: Told = { call: 'get_account', args: { account_id: 'acct-1' }, result: account };

/** What the golden files show: each scene's last call is the one that is explained. */
export const SCENES: Readonly<Record<string, { told: readonly Told[]; options?: RecordOptions }>> = {
  'good-grounds': {
    told: [
      NOW,
      ['user', 'Hello! Please send $500 from acct-1 to Mira Okafor.\nIt is for the rent.'],
      looked,
      ['assistant', 'I will transfer $500 from acct-1 to Mira Okafor (NL-4410), normal speed. Shall I?'],
      ['user', 'Yes, go ahead.'],
      {
        call: 'transfer',
        args: {
          from_account: 'acct-1',
          to_account: 'NL-4410',
          amount: 500,
          urgency: 'normal',
          reference: 'RENT-3',
        },
        result: { done: true },
      },
    ],
  },
  'without-grounds': {
    told: [
      NOW,
      ['user', 'Please send $500 from acct-1 to my landlord.'],
      looked,
      {
        call: 'transfer',
        args: { from_account: 'acct-1', to_account: '110-22-3344', amount: 500 },
        result: 'Error: no such account\nTry again later.',
      },
    ],
    options: { limits: true },
  },
  differs: {
    told: [
      NOW,
      ['user', 'Send $600 to NL-7731, urgent.'],
      {
        call: 'transfer',
        args: { from_account: 'acct-2', to_account: 'NL-7731', amount: 500, urgency: 'normal' },
        result: { done: true },
      },
    ],
  },
  'tool-undetermined': {
    told: [
      NOW,
      ['user', 'Run the payments for this week, please.'],
      {
        call: 'transfer',
        args: { from_account: 'acct-1', to_account: 'NL-4410', amount: 20 },
        result: { done: true },
      },
    ],
  },
  'outside-the-gate': { told: [NOW, ['user', 'What is on acct-1?'], looked] },
  'definition-repair': {
    told: [
      NOW,
      ['user', 'Send $500 from acct-1 to NL-4410.'],
      {
        call: 'transfer',
        args: '{"from_account":"acct-1","amount":500,"to_account":"NL-4410","amount":5000}',
        result: { done: true },
      },
    ],
  },
  'mixed-group': {
    told: [
      NOW,
      ['user', 'Pay from acct-1: 100 to P-1 and 50 to P-2.'],
      looked,
      {
        call: 'pay_batch',
        args: {
          from_account: 'acct-1',
          payments: [
            { payee_id: 'P-1', amount: 50 },
            { payee_id: 'P-2', amount: 100 },
          ],
        },
        result: { done: true },
      },
    ],
  },
  'not-executed': {
    told: [
      NOW,
      ['user', 'Wire \u001b[2J\u202e9$ to \u200bNL-4410 tomorrow or next week'],
      { call: 'transfer', args: { amount: 9 } },
    ],
  },
};
