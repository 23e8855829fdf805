import { expect } from 'vitest';
import { RULES } from './rules.ts';
import type { Scenario } from './scenario.ts';
import { agentSays, blanks, dataOf, fills, stranger, types } from './stage.ts';

export const ACTS: readonly Scenario[] = [
  {
    cases: [32],
    title: 'deleting is offered for "clean up": the user is asked what is meant, and nothing names a tool',
    async play({ graph }) {
      const on = await graph({ user: fills({ intent: 'Put them in order.' }) });
      on.says(types('Remember the invoice 2024-17.'));
      const invoice = { name: 'invoice 2024-17', entityType: 'invoice', observations: [] };
      await on.call('create_entities', { entities: [invoice] }, { conversation: 'the day before' });
      on.says(types('Clean up the old invoices, please.'));
      const { refusal, result } = await on.call('delete_entities', { entityNames: ['invoice 2024-17'] });
      expect(refusal?.verdict).toBe('intent_undetermined');
      const seen = JSON.stringify([result, on.forms]);
      expect(seen).not.toMatch(/delete|entit/i);
      expect(on.forms.length).toBe(2);
      expect(dataOf(on, 'QuestionAsked').map(({ about, tool }) => [about, tool])).toEqual([
        ['intent', null],
        ['intent', null],
      ]);
      expect(dataOf(on, 'AskCeilingReached').map(({ about }) => about)).toEqual(['intent']);
      expect(on.graph().entities.map(({ name }) => name)).toContain('invoice 2024-17');
    },
  },
  {
    cases: [32, 2],
    title: 'the words that the user then types are looked at like all they type',
    async play({ graph }) {
      const on = await graph({ user: fills({ intent: 'Delete draft-9.' }) });
      on.says(types('Remember draft-9.'));
      const draft = { name: 'draft-9', entityType: 'draft', observations: [] };
      await on.call('create_entities', { entities: [draft] }, { conversation: 'the day before' });
      on.says(types('Please clean up.'));
      const done = await on.call('delete_entities', { entityNames: ['draft-9'] });
      expect(done.refusal).toBeNull();
      expect(on.graph().entities.map(({ name }) => name)).not.toContain('draft-9');
      const said = dataOf(on, 'SegmentAdded').map(({ segment }) => [
        segment.author,
        segment.typed,
        segment.body,
      ]);
      expect(said).toContainEqual(['user', true, { plain: 'Delete draft-9.' }]);
      expect(dataOf(on, 'AnswerReceived')[0]?.by.known_by).toBe('form');
    },
  },
  {
    cases: [33],
    title: 'the buyer proposes a time: it is untrusted text, and a standing permission is no answer',
    async play({ desk }) {
      const on = await desk();
      on.says(
        types('You may agree to meet buyers whenever it suits you. Agree with Bob.'),
        stranger('Can we meet at 18:00?', 'message of Bob'),
        agentSays('Bob proposes 18:00.'),
      );
      const { refusal } = await on.call('agree_meeting', { with: 'Bob', time: '18:00' });
      expect(blanks(refusal)).toEqual({ '/time': 'not_said' });
      expect([on.desk.books().meetings, dataOf(on, 'CallStarted')]).toEqual([[], []]);
      // What a server or a model wrote is not typed, whoever says so: only the host can, and only of its user.
      const asTyped = { ...stranger('Meet at 18:00.'), typed: true };
      on.says(asTyped);
      await expect(on.call('agree_meeting', { with: 'Bob', time: '18:00' })).rejects.toThrow(
        'grounds/context',
      );
    },
  },
  {
    cases: [34],
    title:
      'the class is full, and the agent would cancel the booking that is there: another act, judged from the start',
    async play({ desk }) {
      const on = await desk();
      on.says(types('Please book Pilates for me.'));
      const full = await on.call('book', { class: 'Pilates' });
      expect([full.refusal, full.result.isError, full.text]).toEqual([null, true, 'The class is full.']);
      expect(dataOf(on, 'CallFailed').length).toBe(1);
      on.says(agentSays('It is full. I cancel Yoga Monday and book again.'));
      const cancel = await on.call('cancel_booking', { class: 'Yoga Monday' });
      expect(cancel.refusal?.verdict).toBe('tool_undetermined');
      expect(on.desk.books().bookings).toEqual(['Yoga Monday']);
      const [first, second] = dataOf(on, 'RunStarted');
      expect(second?.follows).toBe(first?.run);
    },
  },
  {
    cases: [35],
    title: 'buy it when the price drops: to what was never said',
    async play({ desk }) {
      const on = await desk();
      on.says(types('Please buy the lamp when the price drops.'));
      const { refusal } = await on.call('buy', { item: 'lamp', price: 40 });
      expect(refusal?.verdict).toBe('intent_undetermined');
      expect(Object.values(blanks(refusal))).toContain('timing_detail_missing');
      expect([on.desk.books().bought, on.desk.received]).toEqual([[], []]);
    },
  },
  {
    cases: [36],
    title: 'blocked by one tool, the same effect by another: a new execution that says which it goes round',
    async play({ files }) {
      const on = await files();
      const path = on.path('round.txt');
      on.says(types(`Write roses to ${path}.`));
      expect((await on.call('write_file', { path, content: 'roses' })).refusal).toBeNull();
      on.says(types('Now write violets, and edit as you like.'), agentSays('I can.'));
      const blocked = await on.call('write_file', { path, content: 'tulips' });
      expect(blocked.refusal?.verdict).toBe('unknown');
      const round = await on.call('edit_file', { path, edits: [{ oldText: 'roses', newText: 'tulips' }] });
      expect(round.refusal?.verdict).toBe('unknown');
      expect(on.file('round.txt')).toBe('roses');
      const runs = dataOf(on, 'RunStarted');
      expect(runs.at(-1)?.follows).toBe(blocked.refusal?.run);
      expect(round.refusal?.call).not.toBe(blocked.refusal?.call);
    },
  },
  {
    cases: [31],
    title: 'what was not counted yet is not more than nothing',
    async play({ desk }) {
      const on = await desk();
      on.says(types('Please transfer 0 from N-0 to B-2.'));
      expect((await on.call('get_account', { account_id: 'N-0' })).text).toContain('"available":null');
      const { refusal } = await on.call('transfer', { from_account: 'N-0', to_account: 'B-2', amount: 0 });
      expect(refusal?.verdict).not.toBe('executable');
      expect(dataOf(on, 'CallStarted')).toEqual([]);
      expect(on.desk.books().accounts).toMatchObject({ 'N-0': null, 'B-2': 10 });
    },
  },
  {
    cases: [39],
    title:
      'a balance that was read before a transfer no longer counts after it; what the transfer itself says does',
    async play({ desk }) {
      const on = await desk();
      on.says(types('Transfer 600 from A-1 to B-2, and then 200 from A-1 to B-2.'));
      await on.call('get_account', { account_id: 'A-1' });
      const first = await on.call('transfer', { from_account: 'A-1', to_account: 'B-2', amount: 600 });
      expect(first.refusal).toBeNull();
      const second = await on.call('transfer', { from_account: 'A-1', to_account: 'B-2', amount: 200 });
      expect(second.refusal?.unknown.map(({ slot, reason }) => [slot, reason])).toEqual([
        ['covered', 'waits_for'],
      ]);
      expect(on.desk.books().accounts['A-1']).toBe(300);
      await on.call('get_account', { account_id: 'A-1' });
      const again = await on.call('transfer', { from_account: 'A-1', to_account: 'B-2', amount: 200 });
      expect([again.refusal, on.desk.books().accounts['A-1']]).toEqual([null, 100]);
      // More than is there by now.
      on.says(types('And 300 more from A-1 to B-2: transfer it.'));
      await on.call('get_account', { account_id: 'A-1' });
      const third = await on.call('transfer', { from_account: 'A-1', to_account: 'B-2', amount: 300 });
      expect(third.refusal?.unmet.map(({ slot, reason }) => [slot, reason])).toEqual([
        ['covered', 'condition_false'],
      ]);
      expect(on.desk.books().accounts['A-1']).toBe(100);
    },
  },
  {
    cases: [39],
    title: 'where it is declared, what the transfer itself says of the account measures',
    async play({ desk }) {
      const own = '      - { tool: transfer, match: { result/account_id: /from_account } }\n    stale_after:';
      const on = await desk({ rules: RULES.desk.replace('    stale_after:', own) });
      on.says(types('Transfer 600 from A-1 to B-2, then 200 from A-1 to B-2, then 250 from A-1 to B-2.'));
      await on.call('get_account', { account_id: 'A-1' });
      const transfer = (amount: number) =>
        on.call('transfer', { from_account: 'A-1', to_account: 'B-2', amount });
      expect([(await transfer(600)).refusal, (await transfer(200)).refusal]).toEqual([null, null]);
      expect((await transfer(250)).refusal?.unmet.map(({ slot }) => slot)).toEqual(['covered']);
      expect(on.desk.books().accounts['A-1']).toBe(100);
    },
  },
  {
    cases: [26],
    title: 'what time it is comes with the call: the same words at another time are another verdict',
    async play({ files }) {
      const rules = `grounds: 1
checklist: files/hours
declared_by: system
intent: { unmarked_timing: immediate, act_words: { write_file: [write] } }
tools:
  write_file:
    slots: { /path: { reader: text }, /content: { reader: text } }
    conditions: { daytime: { require: 'seconds(now) % 86400 < 43200', says: Only in the morning. } }
`;
      const on = await files({ rules });
      const path = on.path('hours.txt');
      on.says(types(`Write milk to ${path}.`));
      const args = { path, content: 'milk' };
      const evening = await on.call('write_file', args, { now: '2026-12-24T20:00:00Z' });
      expect(evening.refusal?.unmet.map(({ slot }) => slot)).toEqual(['daytime']);
      expect(on.file('hours.txt')).toBeNull();
      const morning = await on.call('write_file', args, { now: '2026-12-24T08:00:00Z' });
      expect([morning.refusal, on.file('hours.txt')]).toEqual([null, 'milk']);
      expect(dataOf(on, 'RunStarted').map(({ now }) => now)).toEqual([
        '2026-12-24T20:00:00Z',
        '2026-12-24T08:00:00Z',
      ]);
    },
  },
];
