import { describe, expect, test } from 'vitest';
import { isGroundsError } from '../../src/errors.ts';
import type { LookupRequest } from '../../src/events/lookup.ts';
import {
  agent,
  approval,
  baseline,
  given,
  notice,
  pasted,
  setting,
  settingNone,
  system,
  thirdParty,
  tool,
  toolName,
  user,
} from '../../src/testing/index.ts';
import { readTranscripts } from '../../src/transcripts/index.ts';
import { checklistFile, conversationFile } from '../cases/files.ts';

const BANK = checklistFile('bank');
const SAID = user('Transfer 300 from AC-1 to AC-9.');
const BALANCE = tool('get_balance', { account: 'AC-1' }, { account: 'AC-1', available: 900 });
const ARGS = { amount: 300, from_account: 'AC-1', to_account: 'AC-9' };

function thrownBy(action: () => unknown): Error {
  try {
    action();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

describe('what is found', () => {
  test.each([
    ['slot', 'Did you mean slots?'],
    ['nextattempt', 'Did you mean next_attempt?'],
    ['colour', 'It has gated, kind,'],
  ])('is not asked under a key that no expectation has: %s', (key, hint) => {
    const call = given([SAID, BALANCE], BANK).propose('transfer_funds', ARGS);
    const error = thrownBy(() => call.finds({ [key]: {} } as never));
    expect(isGroundsError(error) && [error.code, error.hint]).toEqual([
      'testing/no-such-key',
      expect.stringContaining(hint),
    ]);
  });

  test('may be said in a chain, each part compared by itself', () => {
    const call = given([SAID, BALANCE], BANK).propose('transfer_funds', ARGS);
    call
      .finds({
        kind: 'executable',
        rule: 'V11',
        unknown_count: 0,
        exhausted: false,
        next_attempt: null,
        defects: [],
      })
      .finds({ slots: { '/amount': { source: 'instruction', origin: 'instruction', rule: 'S7', also: 1 } } })
      .findsExecutable();
    expect(call.arguments()).toEqual(ARGS);
    expect(call.rounds()).toBeGreaterThan(1);
    expect(call.lookups().length).toBeGreaterThan(4);
  });

  test('is told in full where it differs: each difference a line, then the verdict', () => {
    const error = thrownBy(() =>
      given([SAID, BALANCE], BANK)
        .propose('transfer_funds', { ...ARGS, amount: 500 })
        .finds({
          kind: 'executable',
          slots: { '/amount': 'located', '/to_account': { reads: 'AC-8' }, '/nowhere': 'known' },
          intent: { act: { reads: 'send' } },
          unmet: ['limit'],
          reductions: [],
        }),
    );
    expect(isGroundsError(error) && error.code).toBe('testing/differs');
    expect(error.message).toContain('kind   expected "executable"   found "unknown"');
    expect(error.message).toContain('/amount reason   expected "located"   found "differs_from_proposal"');
    expect(error.message).toContain('/to_account reads   expected "AC-8"   found "AC-9"');
    expect(error.message).toContain('/nowhere   expected "known"   found no such slot (there are /amount');
    expect(error.message).toContain('act reads   expected "send"   found "Transfer"');
    expect(error.message).toContain('unmet   expected ["limit"]   found []');
    expect(error.message).toContain('reductions   expected []   found ["unmarked_timing"]');
    expect(error.message).toMatch(/It finds\n {2}unknown \(V9\), at_trigger, 3 unknown\n/);
    expect(isGroundsError(error) && error.facts.differences).toHaveLength(7);
  });

  test.each<[string, Parameters<ReturnType<ReturnType<typeof given>['propose']>['finds']>[0]]>([
    ['rule', { rule: 'V9' }],
    ['phase', { phase: 'at_instruction' }],
    ['unknown_count', { unknown_count: null }],
    ['exhausted', { exhausted: true }],
    ['next_attempt', { next_attempt: 1 }],
    ['no slots', { slots: null }],
    ['unknown', { unknown: ['/amount'] }],
    ['not_run', { not_run: ['covered'] }],
    ['defects', { defects: ['checklist_unsound'] }],
    ['a state', { slots: { '/amount': 'null' } }],
    ['a route', { slots: { '/amount': { route: 'ask_user' } } }],
    ['a segment', { slots: { '/amount': { segment: 1 } } }],
    ['rejections', { slots: { '/amount': { rejected: ['format'] } } }],
    ['gated', { gated: false }],
  ])('differs in %s alone', (_, expectation) => {
    const call = given([SAID, BALANCE], BANK).propose('transfer_funds', ARGS).findsExecutable();
    expect(isGroundsError(thrownBy(() => call.finds(expectation)))).toBe(true);
  });

  test('is nothing for a call that is declared reversible', () => {
    const look = given([SAID], BANK).propose('get_balance', { account: 'AC-1' });
    look.finds({ gated: false });
    expect(() => look.verdict()).toThrow(/declared reversible/);
    expect(() => look.findsExecutable()).toThrow(/declared reversible/);
  });

  test('is not executable with a message that says why', () => {
    const call = given([user('Transfer 300.')], BANK).propose('transfer_funds', ARGS);
    expect(() => call.findsExecutable()).toThrow(/UNKNOWN not_said → ask_user/);
    expect(() => call.arguments()).toThrow(/no arguments to execute/);
  });
});

describe('a conversation', () => {
  test('confirms from what the user typed, and from no other piece', () => {
    const words = 'Transfer 300 from AC-1 to AC-9.';
    const others = [
      agent(words),
      system(words),
      pasted(words),
      thirdParty(words, 'a mail'),
      tool('note', {}, words),
    ];
    for (const piece of others) {
      given([piece, BALANCE], BANK)
        .propose('transfer_funds', ARGS)
        .finds({ kind: 'intent_undetermined', intent: { act: 'act_not_said' }, slots: null });
    }
  });

  test('may carry times, against which relative dates are read', () => {
    const [piece] = [user('Transfer it tomorrow.', { at: '2026-03-01T10:00:00Z' })];
    expect(piece?.at).toBe('2026-03-01T10:00:00Z');
    given([piece as typeof SAID], BANK)
      .consider('transfer_funds')
      .finds({ intent: { 'when/scheduled': { reads: 'tomorrow' } }, phase: 'at_instruction' });
  });

  test('may be a transcript: its path, what was read of it, or the object that it holds', () => {
    const path = conversationFile('38-another-amount');
    const [read] = [...readTranscripts(path)];
    const object = { messages: [{ role: 'user', content: 'Transfer 300 from AC-1 to AC-9.' }] };
    given(path, BANK)
      .call(1)
      .finds({ slots: { '/amount': 'differs_from_proposal' } });
    given(read as NonNullable<typeof read>, BANK)
      .call(1)
      .finds({ slots: { '/amount': 'differs_from_proposal' } });
    given(object, BANK)
      .propose('transfer_funds', ARGS)
      .finds({ unknown: ['covered'] });
  });

  test('that is none, or has no such call, says what there is', () => {
    expect(() => given({ hello: 1 }, BANK).consider('transfer_funds')).toThrow(/supported format/);
    expect(() => given(conversationFile('38-another-amount'), BANK).call(9)).toThrow(/has no call 9/);
    expect(() => given(conversationFile('38-another-amount'), BANK).with({ number: 3 }).call(0)).toThrow(
      /holds 1 conversations; there is no number 3/,
    );
    expect(() => given('nowhere.json', BANK).call(0)).toThrow(/no such file/);
  });
});

describe('what stands beside it', () => {
  const open = given([user('Transfer something.'), BALANCE], BANK);

  test('settings, approvals and the last record come as entries, and add up', () => {
    open
      .with({ entries: [setting('main_account', 'AC-1')] })
      .with({ entries: [approval({ '/amount': 300, '/to_account': 'AC-9' })] })
      .propose('transfer_funds', ARGS)
      .finds({ kind: 'executable', slots: { '/from_account': 'setting', '/amount': 'approved' } });
    open
      .with({ entries: [settingNone('main_account')] })
      .propose('transfer_funds', ARGS)
      .finds({ slots: { '/from_account': { state: 'null', reason: 'setting_none' } } });
    open
      .with({ entries: [baseline(ARGS)] })
      .propose('transfer_funds', ARGS)
      .finds({ kind: 'unknown', slots: { '/amount': 'not_said' } });
  });

  test('a name that this user gave a tool, and a notice that was shown', () => {
    given([user('Rent day! 300 from AC-1 to AC-9.'), BALANCE], BANK)
      .with({ entries: [toolName('rent day', 'transfer_funds')] })
      .propose('transfer_funds', ARGS)
      .finds({ intent: { tool: 'user_action_name' } });
    const fee = { description: '[Notice] fee: A fee of 1 applies.' };
    const asked = given([SAID, BALANCE], BANK);
    asked.propose('transfer_funds', ARGS, { tool: fee }).finds({ unknown: ['fee'] });
    asked
      .propose('transfer_funds', ARGS, { tool: fee, entries: [notice('A fee of 1 applies.')] })
      .findsExecutable();
  });

  test('tools come with the surroundings or with the proposal', () => {
    const schema = {
      input_schema: { type: 'object', required: ['pin'], properties: { pin: { type: 'string' } } },
    };
    open.propose('transfer_funds', {}, { tool: schema }).finds({ slots: { '/pin': 'not_said' } });
    open
      .with({ tools: [{ name: 'transfer_funds', ...schema }] })
      .consider('transfer_funds')
      .finds({ slots: { '/pin': 'not_said' } });
  });

  test('a hook is asked before the conversation is', () => {
    const asked: LookupRequest[] = [];
    given([SAID, BALANCE], BANK)
      .with({
        hook: (request) => {
          asked.push(request);
          return 'fact' in request.subject ? { said: 'failed', code: 'offline' } : undefined;
        },
      })
      .propose('transfer_funds', ARGS)
      .finds({ kind: 'definition_repair', unknown: ['covered'] });
    expect(asked.length).toBeGreaterThan(4);
  });
});

describe('checklists', () => {
  const small = {
    grounds: 1 as const,
    checklist: 'user/limits',
    declared_by: 'user' as const,
    tools: { transfer_funds: { conditions: { never_more: { require: 'args.amount <= 300' } } } },
  };

  test('of several parties stand together', () => {
    const both = given([user('Transfer 400 from AC-1 to AC-9.'), BALANCE], [BANK, small]);
    both
      .propose('transfer_funds', { ...ARGS, amount: 400 })
      .finds({ kind: 'unmet', unmet: [{ slot: 'never_more', declared_by: 'user' }] });
    expect(() => given([SAID], [BANK, BANK])).toThrow(/given twice/);
  });

  test("may name what the system's checklist beside them declares", () => {
    const keep = {
      ...small,
      tools: { transfer_funds: { conditions: { keep: { require: 'balance.available >= 1000' } } } },
    };
    given([SAID, BALANCE], [BANK, keep])
      .propose('transfer_funds', ARGS)
      .finds({ unmet: ['keep'] });
  });

  test('that could not be loaded are refused before anything is judged', () => {
    expect(() => given([SAID], { ...small, tools: { transfer_funds: { reversible: true } } })).toThrow(
      /Only the system may declare/,
    );
    expect(() => given([SAID], 'grounds: 1\nchecklist: a\n')).toThrow(/declared_by/);
    expect(() => given([SAID], 'nowhere.yaml')).toThrow();
  });
});
