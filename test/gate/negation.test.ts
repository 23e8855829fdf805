import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../src/events/lookup.ts';
import { given, user } from '../../src/testing/index.ts';

const intentOf = (more: string, words = 'send, sending, sent, pay, transfer') => `grounds: 1
checklist: test/negation
declared_by: system
intent: { unmarked_timing: immediate, act_words: { send: [${words}] }${more} }
tools: { send: { schema: { type: object } } }
`;
const asked = (words: string, checklist = intentOf('')) =>
  given([user(words)], checklist).propose('send', {});

describe('an act word', () => {
  test.each([
    'Send it.',
    'No, send it to Bob',
    'No. Send it to Bob.',
    'no - send it to Bob',
    'No I want you to send it',
    'no please send it',
    "don't forget to send it",
    'Do not forget to send it',
    'Don’t hesitate to send it',
    "I can't wait to send it",
    "why don't you send it",
    'Why not send it now?',
    "Can't you just send it?",
    'not yet sent? send it',
    "It wasn't sent, send it",
    "Don't pay it by cheque, send it",
    "I don't have the card anymore, please send it",
    "I don't need it please send it back",
    "I don't like it but send it",
    "I can't go and would like to send it back",
    "I can't go so I want to send it back",
    'Not the red one. Send the blue one.',
    "Send it, don't wait.",
    "Don't worry, just send it",
    'not only send it but also sign it',
    "If you can't reach Ann, send it to Bob",
    'No problem, send it',
    'Take “no longer needed” as the reason and send it back',
    'No later than Friday send it',
    'Send no more than 50',
    'Send it no later than Friday',
    'I never got it, send it again',
    "Send it. Don't tell anyone.",
    'Isn’t it done? Send it!',
    'To account no. 77 send 50',
    "Don't send it. Well, send it.",
    'Keep this one instead, send the other',
    'I was not there; send it.',
    'It is a knot, a note, and nothingness: send it',
    "It's not working so send it back",
    "I don't have much time so send it",
    "It isn't what I ordered and I have to send it back",
    'No thanks send it back',
    'No worries, send it',
    'Never mind send it',
    'Send no-reply@shop.example a mail',
    'To no-reply@shop.example send it',
    'For the no-frills fare send 50',
    "Don't worry: send it",
    'It should not have been sent, send it back',
    "I can't send it, can you send it?",
    'It was not sent, send it again',
    'Is it done? If not, send it',
    'Done, but never to Mr. Lee. Send it again.',
  ])('asks: %s', (words) => {
    asked(words).findsExecutable();
  });

  test.each([
    "No, don't send anything",
    "Don't send it",
    'dont send it',
    'Don’t send it',
    'DO NOT SEND IT',
    'Please do **not** send it',
    'Please do _not_ send it',
    'do not\nsend it',
    'Never send money',
    'Never, ever send it.',
    'Do not, under any circumstances, send it.',
    "Don't... send it",
    "I can't send it",
    'You cannot send it',
    'You must not send it',
    "You shouldn't send it yet",
    'Close it without sending anything',
    'Keep it instead of sending it',
    'Keep it rather than send it',
    'no transfer please',
    'There is no need to send it',
    'There is nothing to send',
    'Send nothing',
    'Send no money',
    'Pay nobody',
    'Pay no one',
    'Neither send nor transfer.',
    "Don't send, pay or transfer anything.",
    'never send, pay, or transfer',
    'It was not sent',
    'not sent yet',
    "I don't want you to close it and send it",
    "I don't think I want to send it",
    "No, no, no, don't ever send it",
    "Don't forget not to send it",
    "Why don't you understand: do not send it",
    "Don't pay 1,500 or 2.50 or send it",
    'Do not be so quick to send it',
    'You must not send, pay or transfer anything.',
    "You shouldn't send, or pay.",
    'You cannot send, pay or transfer anything.',
    'Nobody should send, pay or transfer anything.',
    'You must not, under any circumstances, send it.',
    'I do not want you, under any circumstances, to send it.',
    "Don't ever, ever send it",
    'Do not, I repeat, send it',
    'Do not do this: send money',
    'Never do any of the following: send money, pay',
    'Do not let Mr. Lee send it',
    "Don't do anything (e.g. send money)",
    "I ain't gonna send it",
    "I shan't send it",
    'don`t send it',
    'don´t send it',
    'Pay no-one',
  ])('under a negation does not: %s', (words) => {
    asked(words).finds({ kind: 'intent_undetermined', intent: { act: 'act_not_said' } });
  });

  test('that holds a negation itself asks', () => {
    asked("I don't need it any more", intentOf('', '"don\'t need"')).findsExecutable();
  });

  test('under a negation says nothing of another tool either', () => {
    const two = intentOf('').replace('{ send: [', '{ close: [close], send: [');
    asked("Send it, but don't close it", two).findsExecutable();
    given([user("Don't send it")], two)
      .propose('close', {})
      .finds({ kind: 'intent_undetermined', intent: { act: 'act_not_said' } });
  });

  test('under a negation does not ask where there is one tool only, or where it is a name of the user’s own', () => {
    const single = intentOf(', single_tool: true');
    asked('Send it', single).findsExecutable();
    asked("Don't send it", single).finds({ intent: { act: 'act_not_said' } });
    const entries = [{ kind: 'tool_name' as const, word: 'wire', tool: 'send' }];
    given([user('Wire it')], intentOf(''))
      .with({ entries })
      .propose('send', {})
      .findsExecutable();
    given([user("Don't wire it")], intentOf(''))
      .with({ entries })
      .propose('send', {})
      .finds({ kind: 'intent_undetermined' });
  });

  test('does not ask under a negation where a hook points at it', () => {
    const at = (start: number): Outcome => ({
      said: 'claim',
      claims: [{ at: { in: 'text', segment: 0, start, end: start + 4 } }],
      also: 1,
    });
    given([user("Don't send it")], intentOf(''))
      .with({ hook: ({ subject }) => ('slot' in subject && subject.slot === 'act' ? at(6) : undefined) })
      .propose('send', {})
      .finds({ kind: 'intent_undetermined', intent: { act: 'act_not_said' } });
  });
});

describe('a declared negation', () => {
  const german = intentOf(', negations: [nicht, kein, ohne]', 'sende, senden');

  test.each(['Sende 50 an Bob', 'Nein, sende es an Bob', 'Es kam nicht an, sende es noch einmal'])(
    'leaves other clauses alone: %s',
    (words) => {
      asked(words, german).findsExecutable();
    },
  );

  test.each(['Sende es nicht', 'Bitte nicht senden!', 'Sende kein Geld', 'Schließe es, ohne es zu senden'])(
    'counts on either side of the act word: %s',
    (words) => {
      asked(words, german).finds({ kind: 'intent_undetermined' });
    },
  );

  test('counts beside those that are built in', () => {
    asked('Do not senden', german).finds({ kind: 'intent_undetermined' });
  });

  test('is for the system to declare', () => {
    const provider = 'grounds: 1\nchecklist: a/b\ndeclared_by: provider\nintent: { negations: [nicht] }\n';
    expect(() => given([], provider)).toThrow(/Only the system may declare/);
  });
});

test.each([
  "don't send, never pay. no, ",
  "don't send, ",
  "you can't send, pay or ",
  'no ',
  'not ever ',
  'so send ',
  'send                    ',
  'do                      not',
  '\n      ',
  ', ever, under any circumstances',
  'e.g. mr. ',
  '.***)))',
])('a text of nothing but %j is read in time', (words) => {
  const before = performance.now();
  const many = words.repeat(400_000 / words.length);
  for (const text of [many, `${many} don't ${' '.repeat(100_000)}send`])
    expect(asked(text).verdict().kind).toMatch(/^(executable|intent_undetermined)$/);
  expect(performance.now() - before).toBeLessThan(5_000);
});

test('a text of nothing but negations and act words is read in time', () => {
  const long = "don't send, never pay. no, ".repeat(20_000);
  const before = performance.now();
  asked(`${long} don't send`).finds({ kind: 'intent_undetermined' });
  expect(performance.now() - before).toBeLessThan(5_000);
});
