import { describe, expect, test } from 'vitest';
import { entriesFor } from '../../src/audit/entries.ts';
import { agent, given, tool, user } from '../../src/testing/index.ts';
import { readTranscripts } from '../../src/transcripts/index.ts';
import { checklistFile } from '../cases/files.ts';

const POLICY = `grounds: 1
checklist: test/payments
declared_by: system
intent: { unmarked_timing: immediate, act_words: { pay: [pay, send] }, yes: ["yes", go ahead], no: ["no", "don't", stop, wait] }
tool_errors: ["Error"]
facts:
  spent:
    measured_by: [{ tool: get_spent, match: { result/from: /from } }]
    stale_after: [{ tools: [pay], match: { arguments/from: /from } }]
tools:
  pay:
    schema: { type: object, required: [amount, to, from], properties: { amount: { type: number }, to: { type: string }, from: { type: string } } }
    slots: { /amount: { reader: money } }
    conditions: { limit: { require: spent.sum + args.amount <= 1000 } }
`;
const asked = user('Please pay what we owe.');
const shown = agent('I would pay 850 from AC-1 to AC-9. Shall I?');
const spent = tool('get_spent', {}, { from: 'AC-1', sum: 0 });
const ARGS = { amount: 850, to: 'AC-9', from: 'AC-1' };

describe('a yes', () => {
  const replied = (...replies: string[]) =>
    given([asked, spent, shown, ...replies.map((reply) => user(reply))], POLICY).propose('pay', ARGS);

  test.each(['Yes', '**Yes**, please.', 'yes, go ahead with AC-9', 'Yes. Thank you!'])(
    'consents: %s',
    (reply) => {
      replied(reply).findsExecutable();
    },
  );

  test.each([
    'Yes, but make it two hundred.',
    'Yes, but make it one mln.',
    'yes, but ２００',
    'yes, but ٢٠٠',
    'yes, 二百',
    'yes, but to account B',
    'Yes, wait, not yet.',
    'Yes... no. Stop.',
    'Yes? Who told you that?',
    '"Yes" is what my wife said.',
  ])('that says otherwise in the same breath does not: %s', (reply) => {
    replied(reply).finds({ kind: 'unknown' });
  });

  test('is taken back by a no right after it', () => {
    replied('Yes', "No, wait, don't.").finds({ kind: 'unknown' });
  });
});

describe('what may already have been done', () => {
  const told = [asked, spent, shown, user('Yes')];

  test('uses up the yes, also where its arguments could not be read', () => {
    given(
      [...told, tool('pay', ARGS, { state: 'sent' }), tool('get_spent', {}, { from: 'AC-1', sum: 0 })],
      POLICY,
    )
      .propose('pay', ARGS)
      .finds({ kind: 'unknown' });
  });

  test('makes a measurement stale from the moment it is started', () => {
    given(told, POLICY)
      .with({ entries: [{ kind: 'started', tool: 'pay', arguments: { plain: { ...ARGS, amount: 5 } } }] })
      .propose('pay', ARGS)
      .finds({ kind: 'unknown', slots: { limit: { route: 'system_lookup' } } });
  });

  test('uses up the yes from the moment it is started, and where its arguments could not be read', () => {
    for (const args of [ARGS, null]) {
      given(told, POLICY)
        .with({ entries: [{ kind: 'started', tool: 'pay', arguments: { plain: args } }] })
        .propose('pay', ARGS)
        .finds({ kind: 'unknown', unknown: ['/amount', '/from', '/to', 'limit'] });
    }
  });

  test('of another record does neither', () => {
    given(told, POLICY)
      .with({ entries: [{ kind: 'started', tool: 'pay', arguments: { plain: { ...ARGS, from: 'AC-2' } } }] })
      .propose('pay', ARGS)
      .findsExecutable();
  });

  test('is told to a call by those before it whose result it could not see', () => {
    const [conversation] = [...readTranscripts('fixtures/transcripts/openai-chat.json')];
    const call = conversation?.calls[0];
    if (conversation === undefined || call === undefined) throw new Error('The sample has no call.');
    const twice = { ...conversation, calls: [call, { ...call, index: 1 }] };
    const second = twice.calls[1] as typeof call;
    expect(entriesFor(twice, call, 'sha256:0')).toEqual([]);
    expect(entriesFor(twice, second, 'sha256:0')).toMatchObject([{ kind: 'started', tool: call.tool }]);
  });
});

test.each(['constructor', '__proto__', 'hasOwnProperty', 'toString'])(
  'a tool of the name %s is a tool like any other that nobody declared',
  (name) => {
    given([user('Transfer 300.')], checklistFile('bank'))
      .propose(name, {})
      .finds({ kind: 'tool_undetermined', slots: null });
  },
);
