import { describe, test } from 'vitest';
import { approval, given, user } from '../../src/testing/index.ts';
import { checklistFile } from '../cases/files.ts';

describe('payments that were approved together', () => {
  // Two names before two amounts: the words alone do not say whose is whose.
  const said = given([user('Pay AC-A and AC-B 100 and 50.')], checklistFile('bank')).with({
    entries: [
      approval({
        '/payments/0/to': 'AC-A',
        '/payments/0/amount': 100,
        '/payments/1/to': 'AC-B',
        '/payments/1/amount': 50,
      }),
    ],
  });

  test('are a whole as they were shown', () => {
    said
      .propose('pay_many', {
        payments: [
          { to: 'AC-A', amount: 100 },
          { to: 'AC-B', amount: 50 },
        ],
      })
      .findsExecutable();
  });

  test('are none once two amounts are swapped, though the same slots were shown', () => {
    said
      .propose('pay_many', {
        payments: [
          { to: 'AC-A', amount: 50 },
          { to: 'AC-B', amount: 100 },
        ],
      })
      .finds({ kind: 'unknown', slots: { '/payments/0/amount': 'mixed_group' } });
  });
});
