import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, vi } from 'vitest';
import { uuidFrom } from '../../src/events/ids.ts';
import { makeEvent, streamOf } from '../../src/events/index.ts';
import { randomId } from '../../src/events/random-id.ts';
import { say } from '../../src/preflight/conversation.ts';
import { trigger } from '../../src/preflight/deferral.ts';
import { live, typed } from '../preflight/live.ts';
import type { Scenario } from './scenario.ts';
import { blanks, dataOf, EXECUTED, projected, types } from './stage.ts';

const TRANSFER = { from_account: 'A-1', to_account: 'B-2', amount: 100 };

export const OUTCOMES: readonly Scenario[] = [
  {
    cases: [14],
    title:
      'the connection is lost during a write: its outcome is unknown, and nobody sends it again, not even a host that tries',
    async play({ desk }) {
      const on = await desk();
      on.says(types('Transfer 100 from A-1 to B-2.'));
      await on.call('get_account', { account_id: 'A-1' });
      on.desk.atEffect = () => on.desk.cut();
      const { refusal, text } = await on.call('transfer', TRANSFER);
      expect(text).toContain('nobody knows whether it took effect');
      expect(refusal?.outcome).toBe('unknown');
      expect(on.of(refusal?.call ?? '')).toEqual([...EXECUTED.slice(0, 4), 'CallOutcomeUnknown']);
      expect(dataOf(on, 'CallOutcomeUnknown').map(({ code }) => code)).toEqual(['tool/connection-lost']);
      expect(on.desk.books().accounts['A-1']).toBe(800);
      // The host comes back, over a new connection, and sends the same.
      const again = await desk({ log: on.log });
      const resent = await again.call('transfer', TRANSFER);
      expect([resent.refusal?.outcome, resent.refusal?.call]).toEqual(['unknown', refusal?.call]);
      expect(again.desk.received).toEqual([]);
      expect(dataOf(again, 'CallStarted').length).toBe(1);
    },
  },
  {
    cases: [14],
    title: 'a call that takes too long has no outcome, and the server is told that nobody waits',
    async play({ desk }) {
      const on = await desk({ options: { timeout: 150 } });
      on.says(types('Transfer 100 from A-1 to B-2.'));
      await on.call('get_account', { account_id: 'A-1' });
      on.desk.atEffect = () => new Promise((resolve) => setTimeout(resolve, 600));
      const { refusal } = await on.call('transfer', TRANSFER);
      expect(refusal?.outcome).toBe('unknown');
      expect(dataOf(on, 'CallOutcomeUnknown').map(({ code }) => code)).toEqual(['tool/timeout']);
      expect(on.desk.books().accounts['A-1']).toBe(800);
    },
  },
  {
    cases: [14],
    title:
      'a host that gives up after the start gets no answer; the outcome is unknown, and the server hears of it',
    async play({ desk }) {
      const on = await desk();
      on.says(types('Transfer 100 from A-1 to B-2.'));
      await on.call('get_account', { account_id: 'A-1' });
      const cancel = new AbortController();
      on.desk.atEffect = async () => {
        cancel.abort('enough');
        await new Promise((resolve) => setTimeout(resolve, 200));
      };
      await expect(
        on.client.request(
          {
            method: 'tools/call',
            params: {
              name: 'transfer',
              arguments: TRANSFER,
              _meta: { 'grounds/context': { conversation: 'a conversation' } },
            },
          },
          CallToolResultSchema,
          { signal: cancel.signal },
        ),
      ).rejects.toThrow('enough');
      await vi.waitFor(() =>
        expect(dataOf(on, 'CallOutcomeUnknown')).toMatchObject([{ code: 'tool/aborted' }]),
      );
      expect(on.desk.cancelled).toBe(1);
      expect((await on.call('transfer', TRANSFER)).refusal?.outcome).toBe('unknown');
      expect(on.desk.books().accounts['A-1']).toBe(800);
    },
  },
  {
    cases: [16],
    title: 'a result that says isError is a failure, and reaches the host as it came',
    async play({ files }) {
      const on = await files();
      on.says(types('Write milk to /etc/grounds-must-not.txt.'));
      const { refusal, result, text } = await on.call('write_file', {
        path: '/etc/grounds-must-not.txt',
        content: 'milk',
      });
      expect([refusal, result.isError]).toEqual([null, true]);
      expect(text).toContain('Access denied');
      expect(dataOf(on, 'CallFailed')).toMatchObject([{ code: 'tool/is-error' }]);
      expect(dataOf(on, 'CallSucceeded')).toEqual([]);
      const results = dataOf(on, 'SegmentAdded').filter(({ segment }) => segment.observes !== null);
      expect(results.map(({ segment }) => segment.observes?.failed)).toEqual([true]);
    },
  },
  {
    cases: [17],
    title: 'every verdict is a row: what was refused, what ran, what failed',
    async play({ files }) {
      const on = await files();
      const path = on.path('rows.txt');
      on.says(types(`Write milk to ${path}.`));
      await on.call('write_file', { path, content: 'bread' });
      await on.call('write_file', { path, content: 'milk' });
      on.says(types('And write milk to /etc/grounds-must-not.txt.'));
      await on.call('write_file', { path: '/etc/grounds-must-not.txt', content: 'milk' });
      await on.call('move_file', { source: path, destination: '/etc/x' });
      const { by_verdict, calls, execution } = projected(on.log);
      expect(calls).toBe(4);
      expect(by_verdict).toMatchObject({ executable: 2, unknown: 1, tool_undetermined: 1 });
      expect(execution.executed).toBe(0);
      expect(on.file('rows.txt')).toBe('milk');
    },
  },
  {
    cases: [40],
    title:
      'a host uses one id twice: each is a call of its own, and each answer answers the one just before it',
    async play({ files }) {
      const on = await files();
      const [one, two] = [on.path('id-one.txt'), on.path('id-two.txt')];
      on.says(types(`Write milk to ${one} and milk to ${two}.`));
      await on.call('read_text_file', { path: '/nowhere' });
      const line = (path: string): string =>
        JSON.stringify({
          jsonrpc: '2.0',
          id: 'call_1',
          method: 'tools/call',
          params: {
            name: 'write_file',
            arguments: { path, content: 'milk' },
            _meta: { 'grounds/context': { conversation: 'a conversation' } },
          },
        });
      const answers = [await on.raw(line(one)), await on.raw(line(two))];
      expect(JSON.stringify(answers[0])).toContain('id-one.txt');
      expect(JSON.stringify(answers[1])).toContain('id-two.txt');
      expect([on.file('id-one.txt'), on.file('id-two.txt')]).toEqual(['milk', 'milk']);
      const started = on.events('CallStarted').map(({ stream }) => stream);
      expect(new Set(started).size).toBe(2);
    },
  },
  {
    cases: [41],
    title: 'the user says one more thing between verdict and execution: it is not executed',
    async play({ files }) {
      const on = await files();
      const path = on.path('one-more.txt');
      on.says(types(`Write milk to ${path}.`));
      on.onVerdict = () =>
        say(
          live({ log: on.log, newId: randomId }),
          uuidFrom(on.log.importKey, 'mcp conversation', 'a conversation'),
          [typed('Wait, not yet.')],
        );
      const { refusal } = await on.call('write_file', { path, content: 'milk' });
      expect(refusal?.refused).toEqual(['typed_since']);
      expect(on.of(refusal?.call ?? '')).toEqual(['RunStarted', 'VerdictRecorded', 'ExecutionDecided']);
      expect(on.file('one-more.txt')).toBeNull();
    },
  },
  {
    cases: [42],
    title:
      'a setting is revoked while the call is about to start: before the start it wins, after it the call does',
    async play({ desk }) {
      const on = await desk({ options: { user: 'ann' } });
      const user = uuidFrom(on.log.importKey, 'user', 'ann');
      const stream = streamOf.setting(user, 'meeting_time');
      const event = (type: 'SettingStored' | 'SettingRevoked', data: object) =>
        makeEvent(type, data as never, { id: randomId(), at: new Date().toISOString() });
      const by = { user, known_by: 'channel', said: null };
      const stored = () =>
        on.log.append({
          writes: [
            {
              stream,
              expected: 'any',
              events: [
                event('SettingStored', {
                  value: { plain: '18:00' },
                  none: false,
                  consent: by,
                  satisfies: [],
                }),
              ],
            },
          ],
        });
      const revoked = () =>
        on.log.append({
          writes: [{ stream, expected: 'any', events: [event('SettingRevoked', { by })] }],
        });
      await stored();
      on.says(types('Please agree with Bob on my usual time.'));
      const args = { with: 'Bob', time: '18:00' };
      on.onVerdict = revoked;
      const first = await on.call('agree_meeting', args);
      expect(first.refusal?.refused).toEqual(['setting_changed']);
      expect(on.desk.books().meetings).toEqual([]);
      // Judged again without it: there is no such permission any more.
      expect(blanks((await on.call('agree_meeting', args)).refusal)).toEqual({ '/time': 'not_said' });
      await stored();
      on.desk.atEffect = async () => void (await revoked());
      const second = await on.call('agree_meeting', args);
      expect([second.refusal, on.desk.books().meetings]).toEqual([null, [args]]);
      expect(dataOf(on, 'CallStarted').length).toBe(1);
    },
  },
  {
    cases: [15],
    title: 'the start is durable before the server hears of the call',
    async play({ desk }) {
      const on = await desk();
      on.says(types('Transfer 100 from A-1 to B-2.'));
      await on.call('get_account', { account_id: 'A-1' });
      let held: readonly string[] = [];
      on.desk.atEffect = () => {
        held = on.events().map(({ type }) => type);
      };
      expect((await on.call('transfer', TRANSFER)).refusal).toBeNull();
      expect(held.slice(-2)).toEqual(['ExecutionDecided', 'CallStarted']);
      const [start] = on.events('CallStarted');
      expect(on.desk.received.at(-1)?.meta).toEqual({ 'grounds/idempotency-key': start?.id });
    },
  },
  {
    cases: [35],
    title: 'what is asked for later is kept, and runs when its trigger fired and it is proposed again',
    async play({ files }) {
      const on = await files();
      const path = on.path('later.txt');
      on.says(types(`Write milk to ${path} tomorrow.`, '2026-03-02T09:00:00Z'));
      const args = { path, content: 'milk' };
      const first = await on.call('write_file', args);
      expect([first.refusal?.verdict, on.file('later.txt')]).toEqual(['schedulable', null]);
      expect(dataOf(on, 'CallDeferred')).toMatchObject([{ timing: 'scheduled' }]);
      await trigger(on.around, { call: first.refusal?.call ?? '', by: 'clock' });
      const second = await on.call('write_file', args);
      expect([second.refusal, on.file('later.txt')]).toEqual([null, 'milk']);
      expect(dataOf(on, 'CallStarted').length).toBe(1);
    },
  },
];
