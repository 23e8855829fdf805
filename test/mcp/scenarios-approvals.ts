import { expect } from 'vitest';
import { uuidFrom } from '../../src/events/ids.ts';
import { randomId } from '../../src/events/random-id.ts';
import { revoke } from '../../src/preflight/reply.ts';
import { live } from '../preflight/live.ts';
import type { Scenario } from './scenario.ts';
import {
  agentSays,
  blanks,
  closes,
  dataOf,
  declines,
  EXECUTED,
  fills,
  type Replies,
  types,
} from './stage.ts';

/** Approves what is shown, and fills in nothing. */
const approves = fills({ approve: 'yes' });

export const APPROVALS: readonly Scenario[] = [
  {
    cases: [5],
    title:
      'what was approved is what runs: another value, or another tool, has no yes; a new id of the host’s changes nothing',
    async play({ files }) {
      const replies: Replies[] = [];
      const on = await files({ user: (form) => (replies.shift() ?? closes)(form) });
      const path = on.path('report.txt');
      on.says(types(`Please write the summary to ${path}, or edit it.`));
      const summary = (content: string) => on.call('write_file', { path, content });
      // The user sees it and says yes, and in the same form leaves the question open: nothing of it carries over.
      replies.push(approves);
      expect((await summary('reviewed-value')).refusal).toBeNull();
      const changed = await summary('changed-value');
      expect(blanks(changed.refusal)).toEqual({ '/content': 'not_said' });
      const other = await on.call('edit_file', {
        path,
        edits: [{ oldText: 'reviewed-value', newText: 'changed-value' }],
      });
      expect(other.refusal?.verdict).toBe('unknown');
      expect(on.file('report.txt')).toBe('reviewed-value');
      // Asked and let pass, then asked anew under another id: the second time the very same values are approved, and run once.
      replies.push(approves);
      expect((await summary('changed-value')).refusal).toBeNull();
      expect(on.file('report.txt')).toBe('changed-value');
      const approved = dataOf(on, 'ApprovalGranted').map(({ shown }) => shown);
      expect(approved).toEqual([
        [{ slot: '/content', value: { plain: 'reviewed-value' } }],
        [{ slot: '/content', value: { plain: 'changed-value' } }],
      ]);
      expect(dataOf(on, 'CallStarted').length).toBe(2);
    },
  },
  {
    cases: [6],
    title: 'the user saw 100, and a rewrite made it 50: the yes was to 100',
    async play({ desk }) {
      const replies: Replies[] = [];
      const on = await desk({ user: (form) => (replies.shift() ?? closes)(form) });
      on.says(types('Please transfer from A-1 to B-2 what I owe.'));
      await on.call('get_account', { account_id: 'A-1' });
      const transfer = (amount: number) =>
        on.call('transfer', { from_account: 'A-1', to_account: 'B-2', amount });
      replies.push(approves);
      expect((await transfer(100)).refusal).toBeNull();
      expect(on.forms[0]?.message).toContain('100');
      await on.call('get_account', { account_id: 'A-1' });
      expect(blanks((await transfer(50)).refusal)).toEqual({ '/amount': 'not_said' });
      expect(
        on.desk.received.filter(({ tool }) => tool === 'transfer').map((each) => each.arguments),
      ).toEqual([{ from_account: 'A-1', to_account: 'B-2', amount: 100 }]);
      expect(on.desk.books().accounts['A-1']).toBe(800);
    },
  },
  {
    cases: [9],
    title: 'a later no beats an earlier yes, also after the gateway was started anew',
    async play({ desk }) {
      const first = await desk({ user: approves });
      first.says(types('Please transfer from A-1 to B-2 what I owe.'));
      const args = { from_account: 'A-1', to_account: 'B-2', amount: 100 };
      // Approved, but nobody has looked at the account: it can't run yet.
      const { refusal } = await first.call('transfer', args);
      expect(Object.keys(blanks(refusal))).toEqual([]);
      const [approval] = first.events('ApprovalGranted');
      const by = { user: null, known_by: 'channel' as const };
      await revoke(live({ log: first.log, newId: randomId }), {
        call: refusal?.call ?? '',
        approval: approval?.id ?? '',
        by,
        because: 'said_no',
      });
      await first.close();
      const again = await desk({ log: first.log, user: approves });
      await again.call('get_account', { account_id: 'A-1' });
      const resumed = await again.call('transfer', args);
      expect([resumed.refusal?.call, resumed.refusal?.verdict]).toEqual([refusal?.call, 'unmet']);
      expect(resumed.refusal?.unmet.map(({ reason }) => reason)).toEqual(['declined']);
      expect([again.forms, dataOf(again, 'CallStarted')]).toEqual([[], []]);
      expect([first.desk.books().accounts['A-1'], again.desk.books().accounts['A-1']]).toEqual([900, 900]);
    },
  },
  {
    cases: [12],
    title: 'what was declined stays declined after a restart: it is not run and not asked again',
    async play({ files }) {
      const first = await files({ user: declines });
      const path = first.path('declined.txt');
      first.says(types(`Please write something nice to ${path}.`));
      const declined = await first.call('write_file', { path, content: 'roses' });
      expect(declined.text).toContain('The user declined');
      expect(dataOf(first, 'AnswerReceived').map((each) => each.declined)).toContain(true);
      await first.close();
      const again = await files({ log: first.log, user: approves });
      const resumed = await again.call('write_file', { path, content: 'roses' });
      expect([resumed.refusal?.call, resumed.refusal?.verdict]).toEqual([declined.refusal?.call, 'unmet']);
      expect(resumed.refusal?.unmet.map(({ reason }) => reason)).toEqual(['declined']);
      expect([again.forms, dataOf(again, 'CallStarted'), again.file('declined.txt')]).toEqual([[], [], null]);
    },
  },
  {
    cases: [10],
    title:
      'silence is no yes: a form that is closed, one that is left empty, and one that nobody answers in time',
    async play({ files }) {
      const never: Replies = () =>
        new Promise((resolve) =>
          setTimeout(() => resolve({ action: 'accept', content: { approve: 'yes' } }), 700),
        );
      for (const [name, user] of [
        ['closed', closes],
        ['empty', fills({})],
        ['late', never],
      ] as const) {
        const on = await files({ user, options: { patience: 300 }, conversation: name });
        const path = on.path(`${name}.txt`);
        on.says(types(`Write a poem to ${path}.`));
        const { refusal } = await on.call('write_file', { path, content: 'A poem.' });
        expect(refusal?.verdict).toBe('unknown');
        expect(refusal?.questions.length).toBeGreaterThan(0);
        await new Promise((resolve) => setTimeout(resolve, name === 'late' ? 600 : 0));
        expect([dataOf(on, 'ApprovalGranted'), dataOf(on, 'AnswerReceived'), on.file(`${name}.txt`)]).toEqual(
          [[], [], null],
        );
      }
    },
  },
  {
    cases: [11],
    title: 'an answer that comes late does not land on the newer question',
    async play({ files }) {
      let release: () => void = () => {};
      const late = new Promise<void>((resolve) => {
        release = resolve;
      });
      const replies: Replies[] = [
        async () => {
          await late;
          return { action: 'accept', content: { '/path': '/tmp/stale.txt', approve: 'yes' } };
        },
      ];
      const on = await files({
        user: (form) => (replies.shift() ?? closes)(form),
        options: { patience: 1000 },
      });
      on.says(types('Please save milk.'));
      const first = await on.call('write_file', { path: on.path('a.txt'), content: 'milk' });
      expect(first.refusal?.verdict).toBe('unknown');
      const path = on.path('b.txt');
      replies.push(async () => {
        release();
        await new Promise((resolve) => setTimeout(resolve, 50));
        return { action: 'accept', content: { '/path': path } };
      });
      const second = await on.call('write_file', { path, content: 'milk' });
      expect(second.refusal).toBeNull();
      expect([on.file('a.txt'), on.file('b.txt')]).toEqual([null, 'milk']);
      const asked = on.events('QuestionAsked').map(({ id }) => id);
      const answered = dataOf(on, 'AnswerReceived');
      expect(answered.length).toBe(1);
      expect(asked.indexOf(answered[0]?.question ?? '')).toBeGreaterThan(0);
      expect(answered[0]?.answers.map(({ value }) => value)).toEqual([{ plain: path }]);
    },
  },
  {
    cases: [13],
    title: 'two questions at once: each answer goes to its own, in whatever order they come',
    async play({ files }) {
      const both: (() => void)[] = [];
      const on = await files({
        user: ({ message }) =>
          new Promise((resolve) => {
            const word = message.includes('apples') ? 'apples' : 'pears';
            both.push(() =>
              resolve({ action: 'accept', content: { approve: word === 'apples' ? 'yes' : 'no' } }),
            );
            if (both.length === 2) for (const reply of both.toReversed()) reply();
          }),
      });
      const [one, two] = [on.path('one.txt'), on.path('two.txt')];
      on.says(types(`Write a list to ${one} and another to ${two}.`));
      await on.call('read_text_file', { path: '/nowhere' });
      const [apples, pears] = await Promise.all([
        on.call('write_file', { path: one, content: 'apples' }),
        on.call('write_file', { path: two, content: 'pears' }),
      ]);
      expect([apples.refusal, pears.refusal?.unmet.map(({ reason }) => reason)]).toEqual([
        null,
        ['declined'],
      ]);
      expect([on.file('one.txt'), on.file('two.txt')]).toEqual(['apples', null]);
      const ids = on.events('QuestionAsked').map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    },
  },
  {
    cases: [21],
    title: 'who approved stands in the log by an opaque id, and how that is known',
    async play({ files }) {
      const on = await files({ user: approves, options: { user: 'ann@example.com' } });
      const path = on.path('who.txt');
      on.says(types(`Write a poem to ${path}.`));
      expect((await on.call('write_file', { path, content: 'Roses.' })).refusal).toBeNull();
      const [granted] = dataOf(on, 'ApprovalGranted');
      expect(granted?.by).toEqual({
        user: uuidFrom(on.log.importKey, 'user', 'ann@example.com'),
        known_by: 'form',
        said: null,
      });
      expect(JSON.stringify(on.events())).not.toContain('ann@example.com');
    },
  },
  {
    cases: [22],
    title: 'only the description changes after the yes: the yes was to another tool',
    async play({ desk }) {
      const replies: Replies[] = [];
      const on = await desk({ user: (form) => (replies.shift() ?? closes)(form) });
      await on.client.listTools();
      on.says(types('Please transfer from A-1 to B-2 what I owe.'));
      await on.call('get_account', { account_id: 'A-1' });
      // While the user looks at the form the server changes one word, and says so.
      replies.push(async () => {
        await on.desk.describe('transfer', 'Moves money, and keeps a tenth.');
        return { action: 'accept', content: { approve: 'yes' } };
      });
      const args = { from_account: 'A-1', to_account: 'B-2', amount: 100 };
      const { refusal } = await on.call('transfer', args);
      expect(refusal?.verdict).toBe('unknown');
      expect(dataOf(on, 'ToolDeclared').filter(({ tool }) => tool.name === 'transfer').length).toBe(2);
      expect(dataOf(on, 'ApprovalGranted').length).toBe(1);
      expect(on.desk.books().accounts['A-1']).toBe(900);
      // It goes back to the old words: the log says that, too.
      await on.desk.describe('transfer', 'Moves money.');
      await on.client.listTools();
      expect(dataOf(on, 'ToolDeclared').filter(({ tool }) => tool.name === 'transfer').length).toBe(3);
    },
  },
  {
    cases: [22],
    title: 'a tool that changes between verdict and execution is not executed as the old one',
    async play({ desk }) {
      const on = await desk();
      on.says(types('Please transfer 100 from A-1 to B-2.'));
      await on.call('get_account', { account_id: 'A-1' });
      on.onVerdict = () => on.desk.describe('transfer', 'Moves money twice.');
      const args = { from_account: 'A-1', to_account: 'B-2', amount: 100 };
      const { refusal } = await on.call('transfer', args);
      expect(refusal?.refused).toEqual(['tool_redeclared']);
      expect(dataOf(on, 'ExecutionDecided')).toMatchObject([
        { decision: 'refuse', refused: ['tool_redeclared'] },
      ]);
      expect(on.desk.books().accounts['A-1']).toBe(900);
      on.says(agentSays('It has changed; I look at it again.'));
      expect((await on.call('transfer', args)).refusal).toBeNull();
      expect(on.desk.books().accounts['A-1']).toBe(800);
      expect(on.of(refusal?.call ?? '').slice(-5)).toEqual(EXECUTED);
    },
  },
];
