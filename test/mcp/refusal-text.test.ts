import { afterEach, expect, test } from 'vitest';
import { desk } from './desk.ts';
import { RULES } from './rules.ts';
import { declines, fills, folder, type Stage, type StageOptions, stage, types } from './stage.ts';

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function opened(given: Partial<StageOptions> = {}): Promise<Stage> {
  const root = folder();
  const on = await stage({
    server: desk(`${root.path}/books.json`).transport,
    checklists: [RULES.desk],
    ...given,
  });
  ends.push(root.end, () => on.close());
  return on;
}

test('The agent is told what the user answered where it proposed something else, and can propose just that', async () => {
  const on = await opened({ user: fills({ '/email': 'ann@example.com' }) });
  on.says(types('Please subscribe me.'));
  const { refusal, text } = await on.call('subscribe', { email: 'user@example.com' });
  expect(text).toContain('The user answered "ann@example.com" for /email: propose it with that.');
  expect(refusal?.answered).toEqual([{ slot: '/email', value: 'ann@example.com' }]);
  const again = await on.call('subscribe', { email: 'ann@example.com' }, { call: refusal?.call });
  expect(again.refusal).toBeNull();
});

test('Of a value that the user only typed nothing is told as answered', async () => {
  const on = await opened();
  on.says(types('Please transfer 600 from A-1 to B-2.'));
  await on.call('get_account', { account_id: 'A-1' });
  const { refusal } = await on.call('transfer', { from_account: 'A-1', to_account: 'B-2', amount: 500 });
  expect(refusal?.answered).toEqual([]);
});

test('What was sent for this request already is refused before anybody is asked, with form or without', async () => {
  const on = await opened({ user: fills({ '/email': 'ann@example.com' }) });
  on.says(types('Please subscribe me.'));
  const args = { email: 'ann@example.com' };
  expect((await on.call('subscribe', args)).refusal).toBeNull();
  const asked = on.forms.length;
  const { refusal, text } = await on.call('subscribe', args);
  expect(refusal).toMatchObject({ refused: ['repeated'], questions: [] });
  expect(text).toContain('Do not propose it again');
  expect(on.forms.length).toBe(asked);
  // Another value is another call, and so is another request.
  await on.call('subscribe', { email: 'bob@example.com' });
  expect(on.forms.length).toBe(asked + 1);
  on.says(types('And once more: subscribe me.'));
  expect((await on.call('subscribe', args, { new_request: true })).refusal).toBeNull();
});

const WIPE_UNDECLARED = RULES.desk
  .replace('    wipe: [empty]\n', '')
  .replace('  wipe: { slots: { /account: { reader: text }, /destructive: { reader: boolean } } }\n', '');

test('Of a tool that no checklist declares nobody is asked anything, and the operator is told', async () => {
  const on = await opened({ checklists: [WIPE_UNDECLARED], user: fills({ intent: 'Empty A-1.' }) });
  on.says(types('Please empty A-1.'));
  const { refusal, text } = await on.call('wipe', { account: 'A-1' });
  expect(text).toContain('No checklist declares this tool');
  for (const name of ['wipe', 'transfer', 'subscribe']) expect(text).not.toContain(name);
  expect(refusal?.questions).toEqual([]);
  expect(on.forms).toEqual([]);
  expect(on.events('QuestionAsked')).toEqual([]);
  // The words of another tool settle it no more than none do.
  on.says(types('Please transfer it.'));
  expect((await on.call('wipe', { account: 'A-2' })).text).toContain('No checklist declares this tool');
  expect(on.forms).toEqual([]);
});

test('Of a tool that is declared without words that ask for it, the operator is told that they are missing', async () => {
  const rules = RULES.desk.replace('    wipe: [empty]\n', '');
  const on = await opened({ checklists: [rules], user: fills({ intent: 'Empty A-1.' }) });
  on.says(types('Please empty A-1.'));
  expect((await on.call('wipe', { account: 'A-1' })).text).toContain('No checklist declares words');
  expect(on.forms).toEqual([]);
});

test('Of a tool that the server does not list nobody is asked anything, whatever a checklist says', async () => {
  const on = await opened({
    checklists: [RULES.desk.replace('wipe: [empty]', 'wipe: [empty]\n    paint: [paint]')],
    user: fills({ intent: 'Paint it.' }),
  });
  for (const name of ['paint', 'no_such_tool']) {
    on.says(types('Please do it.'));
    const { refusal, text } = await on.call(name, { account: 'A-1' });
    expect(text).toContain('The server lists no tool of this name');
    expect(refusal?.questions).toEqual([]);
  }
  expect(on.forms).toEqual([]);
});

test('Where the host said of nothing that the user typed it, the operator is told how it would', async () => {
  const on = await opened();
  on.says({ author: 'user', body: 'Please subscribe me.' });
  const { refusal, text } = await on.call('subscribe', { email: 'ann@example.com' });
  expect(text).toContain('_meta["grounds/context"].segments');
  expect(text).toContain('typed');
  expect(refusal?.verdict).toBe('intent_undetermined');
  on.says(types('Hello.'));
  expect((await on.call('subscribe', { email: 'ann@example.com' })).text).not.toContain('said of nothing');
});

test('Where the user declined, the agent is told that and nothing of how to propose it again', async () => {
  const on = await opened({ user: declines });
  on.says(types('Please subscribe me.'));
  const args = { email: 'ann@example.com' };
  for (const round of ['first', 'again']) {
    const { text } = await on.call('subscribe', args);
    expect([round, text]).toEqual([round, expect.stringContaining('The user declined.')]);
    expect(text).not.toContain('propose it again with');
    expect(text).not.toContain('condition');
  }
});
