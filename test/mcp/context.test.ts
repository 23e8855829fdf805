import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { uuidFrom } from '../../src/events/ids.ts';
import { verifySigned } from '../../src/executor/index.ts';
import { keyStore } from '../../src/keys/index.ts';
import { desk } from './desk.ts';
import { RULES } from './rules.ts';
import {
  blanks,
  dataOf,
  fills,
  folder,
  replays,
  type Stage,
  type StageOptions,
  stage,
  types,
} from './stage.ts';

const root = folder();
afterAll(root.end);
let boards = 0;

async function at(given: Partial<StageOptions> = {}) {
  const board = desk(join(root.path, `books-${boards++}.json`));
  const on = await stage({ server: board.transport, checklists: [RULES.desk], ...given });
  return Object.assign(on, { desk: board });
}

async function ended(on: Stage): Promise<void> {
  await on.close();
  replays(on.log);
}

const ACCOUNT = { account_id: 'A-1' };
const transfer = (amount: number) => ({ from_account: 'A-1', to_account: 'B-2', amount });

describe('What a host brings', () => {
  test('is added once, however often it is brought, and whatever was recorded between', async () => {
    const on = await at();
    const first = types('Transfer 100 from A-1 to B-2.');
    const second = { author: 'agent', body: 'I look at the account.' } as const;
    await on.call('get_account', ACCOUNT, { segments: [first], segments_from: 0 });
    await on.call('get_account', ACCOUNT, { segments: [first, second], segments_from: 0 });
    await on.call('get_account', ACCOUNT, { segments: [second], segments_from: 1 });
    const said = dataOf(on, 'SegmentAdded').map(({ segment, source }) => [
      segment.author,
      source?.message ?? null,
    ]);
    expect(said).toEqual([
      ['user', 0],
      ['tool', null],
      ['agent', 1],
      ['tool', null],
      ['tool', null],
    ]);
    await ended(on);
  });

  test('stays as it was said: another wording of it, or a gap, is an error, and nothing is executed', async () => {
    const on = await at();
    await on.call('get_account', ACCOUNT, {
      segments: [types('Transfer 100 from A-1 to B-2.')],
      segments_from: 0,
    });
    const other = { segments: [types('Transfer 900 from A-1 to B-2.')], segments_from: 0 };
    await expect(on.call('transfer', transfer(900), other)).rejects.toThrow('mcp/conversation-differs');
    const gap = { segments: [types('More.')], segments_from: 7 };
    await expect(on.call('transfer', transfer(900), gap)).rejects.toThrow('mcp/conversation-gap');
    expect(on.desk.books().accounts['A-1']).toBe(900);
    await ended(on);
  });

  test('never reaches the server, and names nothing in the log', async () => {
    const on = await at({ conversation: 'chat of Ann' });
    on.says(types('Transfer 100 from A-1 to B-2.'));
    const named = { request: 'rent of Ann', user: 'ann@example.com' };
    await on.call('get_account', ACCOUNT, named);
    expect((await on.call('transfer', transfer(100), named)).refusal).toBeNull();
    expect(JSON.stringify(on.desk.received)).not.toContain('grounds/context');
    expect(JSON.stringify(on.events())).not.toMatch(/of Ann|ann@/);
    const conversation = uuidFrom(on.log.importKey, 'mcp conversation', 'chat of Ann');
    expect(dataOf(on, 'RequestOpened')).toEqual([{ conversation, from: 0 }]);
    await ended(on);
  });

  test('is of one request until it says that another begins: what was typed for the one is no act of the other', async () => {
    const on = await at();
    on.says(types('Transfer 100 from A-1 to B-2.'));
    await on.call('get_account', ACCOUNT);
    on.says(types('And now something else.'));
    const { refusal } = await on.call('transfer', transfer(100), { new_request: true });
    expect(refusal?.verdict).toBe('intent_undetermined');
    const again = await on.call('transfer', transfer(100));
    expect(again.refusal?.call).toBe(refusal?.call);
    expect(dataOf(on, 'RequestOpened').map(({ from }) => from)).toEqual([0, 2]);
    await ended(on);
  });

  test('names a call only of its own request', async () => {
    const on = await at();
    on.says(types('Transfer some money from A-1 to B-2.'));
    const { refusal } = await on.call('transfer', transfer(100), { request: 'one' });
    const other = on.call('transfer', transfer(100), { request: 'two', call: refusal?.call });
    await expect(other).rejects.toThrow('mcp/other-request');
    await ended(on);
  });
});

describe('What a user fills in', () => {
  test('settles the value that was proposed', async () => {
    const on = await at({ user: fills({ '/amount': 70 }) });
    on.says(types('Transfer some money from A-1 to B-2.'));
    await on.call('get_account', ACCOUNT);
    expect((await on.call('transfer', transfer(70))).refusal).toBeNull();
    expect(on.forms.map(({ fields }) => fields)).toEqual([['/amount', 'approve']]);
    expect(on.desk.books().accounts['A-1']).toBe(830);
    await ended(on);
  });

  test('and differs from what was proposed, is what a new proposal has to be', async () => {
    const on = await at({ user: fills({ '/amount': 60 }) });
    on.says(types('Transfer some money from A-1 to B-2.'));
    await on.call('get_account', ACCOUNT);
    const { refusal } = await on.call('transfer', transfer(70));
    expect(blanks(refusal)).toEqual({ '/amount': 'differs_from_proposal' });
    expect((await on.call('transfer', transfer(60), { call: refusal?.call })).refusal).toBeNull();
    expect([on.forms.length, on.desk.books().accounts['A-1']]).toEqual([1, 840]);
    await ended(on);
  });

  test('in their own words is all that a host that says nothing of itself has', async () => {
    const on = await at({ user: fills({ intent: 'Transfer 100 from A-1 to B-2.' }) });
    await on.client.callTool({ name: 'get_account', arguments: ACCOUNT });
    const result = await on.client.callTool({ name: 'transfer', arguments: transfer(100) });
    expect([result.isError, on.desk.books().accounts['A-1']]).toEqual([undefined, 800]);
    expect(dataOf(on, 'SegmentAdded').filter(({ segment }) => segment.typed).length).toBe(1);
    await ended(on);
  });

  test('is not asked of a host without forms: it gets the questions with the refusal', async () => {
    const on = await at();
    on.says(types('Transfer some money from A-1 to B-2.'));
    await on.call('get_account', ACCOUNT);
    const { refusal, text } = await on.call('transfer', transfer(70));
    expect(refusal?.questions.map(({ about, slots }) => [about, slots])).toEqual([
      ['slots', ['/amount']],
      ['approval', ['/amount']],
    ]);
    expect(text).toContain('How much?');
    expect(on.events('QuestionAsked').map(({ id }) => id)).toEqual(refusal?.questions.map(({ id }) => id));
    await ended(on);
  });

  test('reaches a host that lists tools first in a form that its SDK takes', async () => {
    const on = await at();
    await on.client.listTools();
    const result = await on.client.callTool({ name: 'transfer', arguments: transfer(1) });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { grounds: { verdict: 'intent_undetermined' } },
    });
    await ended(on);
  });
});

describe('What is executed', () => {
  test('is signed where there is a key', async () => {
    const keys = keyStore(join(root.path, 'keys'));
    keys.make('gate');
    const on = await at({ options: { key: keys.signer('gate') } });
    on.says(types('Transfer 100 from A-1 to B-2.'));
    await on.call('get_account', ACCOUNT);
    expect((await on.call('transfer', transfer(100))).refusal).toBeNull();
    const [start] = on.events('CallStarted');
    const checks = verifySigned(on.log, start?.stream.slice('call/'.length) ?? '', [keys.publicKey('gate')]);
    expect(checks.map(({ status }) => status)).toEqual(['valid']);
    await ended(on);
  });

  test('goes by the checklist that is in force, also where that is an older one again', async () => {
    const on = await at();
    await on.close();
    const stricter = await at({
      log: on.log,
      checklists: [RULES.desk.replace('args.amount <=', '2 * args.amount <=')],
    });
    await stricter.close();
    const again = await at({ log: on.log });
    again.says(types('Transfer 600 from A-1 to B-2.'));
    await again.call('get_account', ACCOUNT);
    expect((await again.call('transfer', transfer(600))).refusal).toBeNull();
    expect(dataOf(again, 'ChecklistDeclared').length).toBe(3);
    await ended(again);
  });

  test('is nothing where the log can not be written', async () => {
    const on = await at();
    on.says(types('Transfer 100 from A-1 to B-2.'));
    await on.call('get_account', ACCOUNT);
    on.onVerdict = () => on.log.close();
    await expect(on.call('transfer', transfer(100))).rejects.toThrow('log/closed');
    expect(on.desk.books().accounts['A-1']).toBe(900);
    await on.close();
  });
});
