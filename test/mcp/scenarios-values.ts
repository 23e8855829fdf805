import { expect } from 'vitest';
import type { Scenario } from './scenario.ts';
import { dataOf, EXECUTED, types } from './stage.ts';

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
      expect(refusal?.unknown).toEqual([
        { slot: '/amount', reason: 'differs_from_proposal', route: 'ask_user' },
      ]);
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
      on.says(types('Remember Ann and Bob.'));
      const entity = (name: string) => ({ name, entityType: 'person', observations: [] });
      await on.call('create_entities', { entities: [entity('Ann'), entity('Bob')] });
      on.says(types('Add milk to Ann and bread to Bob.'));
      await on.call('read_graph', {});
      const observations = (ann: string, bob: string) => [
        { entityName: 'Ann', contents: [ann] },
        { entityName: 'Bob', contents: [bob] },
      ];
      const { refusal } = await on.call('add_observations', { observations: observations('bread', 'milk') });
      expect(new Set(refusal?.unknown.map(({ reason }) => reason))).toEqual(new Set(['mixed_group']));
      expect(on.graph().entities.flatMap((each) => each.observations)).toEqual([]);
      expect(
        (await on.call('add_observations', { observations: observations('milk', 'bread') })).refusal,
      ).toBeNull();
      expect(on.graph().entities.map(({ name, observations: of }) => [name, of])).toEqual([
        ['Ann', ['milk']],
        ['Bob', ['bread']],
      ]);
    },
  },
];
