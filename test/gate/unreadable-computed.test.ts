import { test } from 'vitest';
import { given, user } from '../../src/testing/index.ts';

test('A computed value waits for arguments that can not be read, whatever its condition still lacks', () => {
  given([user('Refund order W1.')], {
    grounds: 1,
    checklist: 'test/refunds',
    declared_by: 'system',
    intent: { unmarked_timing: 'immediate', act_words: { refund: ['refund'] } },
    facts: { order: { measured_by: [{ tool: 'get_order', match: { 'result/id': 'typed' } }] } },
    tools: {
      refund: {
        schema: { type: 'object', required: ['amount'], properties: { amount: { type: 'number' } } },
        slots: { '/amount': { reader: 'money', fixed_by: 'total' } },
        conditions: { total: { require: 'args.amount == order.total' } },
      },
    },
  })
    .propose({ tool: 'refund', text: '{"amount":' })
    .finds({
      kind: 'definition_repair',
      slots: { '/amount': { reason: 'waits_for', waits_for: ['/'], route: 'definition_repair' } },
    });
});
