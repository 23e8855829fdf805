import { describe, expect, test } from 'vitest';
import { given, tool, trigger, user } from '../../src/testing/index.ts';
import { checklistFile } from '../cases/files.ts';

const ARGS = { amount: 300, from_account: 'AC-1', to_account: 'AC-9' };
const balance = tool('get_balance', { account: 'AC-1' }, { account: 'AC-1', available: 900 });
const saying = (text: string) =>
  given([user(text), balance], checklistFile('bank')).with({ now: '2026-03-01T10:00:00Z' });

describe('the phase', () => {
  test('of what is to happen tomorrow is the instruction, even where the caller says that it is the trigger', () => {
    saying('Transfer 300 from AC-1 to AC-9 tomorrow.')
      .propose('transfer_funds', ARGS, { phase: 'at_trigger' })
      .finds({ kind: 'schedulable', phase: 'at_instruction', not_run: ['covered'], unknown_count: 0 });
  });

  test('is the trigger once it has fired', () => {
    saying('Transfer 300 from AC-1 to AC-9 tomorrow.')
      .with({ entries: [trigger('scheduled')] })
      .propose('transfer_funds', ARGS)
      .findsExecutable();
  });

  test('of what is to happen now stays what was asked for', () => {
    const now = saying('Transfer 300 from AC-1 to AC-9.');
    now.propose('transfer_funds', ARGS, { phase: 'at_trigger' }).findsExecutable();
    const early = now.propose('transfer_funds', ARGS, { phase: 'at_instruction' });
    early.finds({ kind: 'schedulable' });
    expect(() => early.arguments()).toThrow();
  });
});
