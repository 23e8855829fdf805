import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Scenario } from './scenario.ts';
import { blanks, dataOf, EXECUTED, fills, projected, types } from './stage.ts';

export const VALUES: readonly Scenario[] = [
  {
    cases: [1, 17],
    title: 'an invented address subscribes nobody; the verdict is in the log as any other is',
    async play({ desk }) {
      const on = await desk();
      on.says(types('Please subscribe me to the newsletter.'));
      const { refusal, result } = await on.call('subscribe', { email: 'user@example.com' });
      expect(refusal?.unknown).toEqual([{ slot: '/email', reason: 'not_said', route: 'ask_user' }]);
      expect(result.isError).toBe(true);
      expect(on.of(refusal?.call ?? '').filter((type) => /Call|Execution/.test(type))).toEqual([]);
      expect(dataOf(on, 'VerdictRecorded').map(({ verdict }) => verdict.kind)).toEqual(['unknown']);
      expect([on.desk.books().subscribers, on.desk.received]).toEqual([[], []]);
    },
  },
  {
    cases: [3],
    title: 'one of two values is said: that one stands, and the other is asked for',
    async play({ files }) {
      const on = await files();
      on.says(types('Please save milk for me.'));
      const { refusal } = await on.call('write_file', { path: on.path('list.txt'), content: 'milk' });
      expect(refusal?.unknown.map(({ slot }) => slot)).toEqual(['/path']);
      expect(on.file('list.txt')).toBeNull();
    },
  },
  {
    cases: [38, 6],
    title:
      'the user said 600 and the agent proposes 500: nothing moves; proposed as it was said, exactly that is sent',
    async play({ desk }) {
      const on = await desk();
      on.says(types('Please transfer 600 from A-1 to B-2.'));
      await on.call('get_account', { account_id: 'A-1' });
      const { refusal } = await on.call('transfer', { from_account: 'A-1', to_account: 'B-2', amount: 500 });
      expect(blanks(refusal)).toEqual({ '/amount': 'differs_from_proposal' });
      expect(on.desk.books().accounts['A-1']).toBe(900);
      const said = { from_account: 'A-1', to_account: 'B-2', amount: 600 };
      const done = await on.call('transfer', said, { call: refusal?.call });
      expect(done.refusal).toBeNull();
      expect(on.desk.received.at(-1)?.arguments).toEqual(said);
      expect(on.desk.books().accounts).toMatchObject({ 'A-1': 300, 'B-2': 610 });
      expect(on.of(refusal?.call ?? '').slice(-5)).toEqual(EXECUTED);
    },
  },
  {
    cases: [7, 8],
    title: 'a default of the schema is neither judged nor sent: what is prepared once is what runs',
    async play({ desk }) {
      const on = await desk();
      on.says(types('Empty A-1 please.'));
      expect((await on.call('wipe', { account: 'A-1' })).refusal).toBeNull();
      expect(on.desk.received.map((each) => each.arguments)).toEqual([{ account: 'A-1' }]);
      expect(dataOf(on, 'RunStarted')[0]?.proposal?.prepared).toEqual({ plain: { account: 'A-1' } });
      // The agent makes it explicit: that is a value like any other, and nobody said it.
      const { refusal } = await on.call('wipe', { account: 'A-1', destructive: true });
      expect(refusal?.unknown.map(({ slot }) => slot)).toEqual(['/destructive']);
      expect(on.desk.books().accounts['A-1']).toBe(900);
    },
  },
  {
    cases: [37],
    title: 'two values are proposed swapped: each was said, the whole was not',
    async play({ graph }) {
      const on = await graph();
      const entity = (name: string) => ({ name, entityType: 'person', observations: [] });
      on.says(types('Remember Ann and Bob.'));
      const setUp = { conversation: 'the day before' };
      await on.call('create_entities', { entities: [entity('Ann'), entity('Bob')] }, setUp);
      on.says(types('Add milk to Ann and bread to Bob.'));
      await on.call('read_graph', {});
      const observations = (ann: string, bob: string) => [
        { entityName: 'Ann', contents: [ann] },
        { entityName: 'Bob', contents: [bob] },
      ];
      const held = () => on.graph().entities.map((each) => [each.name, each.observations]);
      const { refusal } = await on.call('add_observations', { observations: observations('bread', 'milk') });
      expect(new Set(Object.values(blanks(refusal)))).toEqual(new Set(['mixed_group']));
      expect(held()).toEqual([
        ['Ann', []],
        ['Bob', []],
      ]);
      const said = await on.call('add_observations', { observations: observations('milk', 'bread') });
      expect(said.refusal).toBeNull();
      expect(held()).toEqual([
        ['Ann', ['milk']],
        ['Bob', ['bread']],
      ]);
    },
  },
  {
    cases: [23],
    title: 'a number that no double holds is refused with its digits; nothing is rounded, nothing runs',
    async play({ desk }) {
      const on = await desk();
      on.says(types('Please transfer 1915883588174806058 from A-1 to B-2.'));
      await on.call('get_account', { account_id: 'A-1' });
      const error = await on.raw(
        '{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"transfer","arguments":{"from_account":"A-1","to_account":"B-2","amount":1915883588174806058},"_meta":{"grounds/context":{"conversation":"a conversation"}}}}',
      );
      expect(error).toMatchObject({
        id: 77,
        error: { data: { grounds: { fault: { lexeme: '1915883588174806058' } } } },
      });
      const [started] = dataOf(on, 'RunStarted');
      expect(started?.proposal).toMatchObject({
        received: { plain: '{"from_account":"A-1","to_account":"B-2","amount":1915883588174806058}' },
        prepared: null,
      });
      expect(dataOf(on, 'VerdictRecorded').map(({ verdict }) => verdict.kind)).toEqual(['definition_repair']);
      expect(on.desk.received.map(({ tool }) => tool)).toEqual(['get_account']);
    },
  },
  {
    cases: [24],
    title: 'an object that comes as text is not the object; what was received is what is judged',
    async play({ graph }) {
      const on = await graph();
      on.says(types('Remember Carol.'));
      const { refusal } = await on.call('create_entities', {
        entities: '[{"name":"Carol","entityType":"person","observations":[]}]',
      });
      expect(refusal?.verdict).not.toBe('executable');
      expect(dataOf(on, 'RunStarted')[0]?.proposal?.prepared).toEqual({
        plain: { entities: '[{"name":"Carol","entityType":"person","observations":[]}]' },
      });
      expect(on.graph().entities.map(({ name }) => name)).not.toContain('Carol');
    },
  },
  {
    cases: [4, 2],
    title: 'what is said is not asked; one blank is one question, and no call runs while it is open',
    async play({ files, folder }) {
      const answers: Record<string, string>[] = [];
      const on = await files({ user: fills(() => answers.shift() ?? {}) });
      on.says(types(`Please write milk to ${on.path('said.txt')}.`));
      expect(
        (await on.call('write_file', { path: on.path('said.txt'), content: 'milk' })).refusal,
      ).toBeNull();
      expect([on.forms.length, on.file('said.txt')]).toEqual([0, 'milk']);
      // Asks, and in the same turn executes with a value of its own.
      on.says(types('Now save bread as well.'));
      const path = `${folder}/invented.txt`;
      const asked = await on.call('write_file', { path, content: 'bread' });
      const atOnce = await on.call('write_file', { path: `${folder}/other.txt`, content: 'bread' });
      expect([blanks(asked.refusal), blanks(atOnce.refusal)]).toEqual([
        { '/path': 'not_said' },
        { '/path': 'not_said' },
      ]);
      expect(dataOf(on, 'CallStarted').length).toBe(1);
      answers.push({ '/path': path });
      expect((await on.call('write_file', { path, content: 'bread' })).refusal).toBeNull();
      expect(readFileSync(path, 'utf8')).toBe('bread');
      const { questions } = projected(on.log);
      expect(questions.per_executed_call).toBeLessThan(2);
    },
  },
];
