import { expect, test } from 'vitest';
import { entriesFor } from '../../src/audit/entries.ts';
import type { Conversation, ConversationAnswer, ConversationCall } from '../../src/transcripts/index.ts';

const TOOL = `sha256:${'2'.repeat(64)}`;
const call = (before: number): ConversationCall => ({
  message: before,
  index: 0,
  id: null,
  tool: 'pay',
  server: null,
  arguments: { text: null, value: { amount: 5, to: { id: 'A' } }, fault: null },
  before,
  result: before,
  cannot_tell: [],
});
const answer = (given: Partial<ConversationAnswer>): ConversationAnswer => ({
  message: 0,
  kind: 'answer',
  action: 'accept',
  asked: null,
  field: null,
  value: null,
  reason: null,
  call: null,
  before: 1,
  ...given,
});
function told(...answers: ConversationAnswer[]): Conversation {
  const calls = [call(1), call(3)];
  return {
    format: 'test',
    origin: { file: 'test.jsonl', line: 1 },
    segments: [],
    calls,
    answers,
    notes: [],
    tools: [],
    identity: null,
  };
}
const of = (conversation: Conversation, index: number) =>
  entriesFor(conversation, conversation.calls[index] as ConversationCall, TOOL);

test("a form's field answers the slot of its name, for what is called after it", () => {
  const conversation = told(answer({ field: 'a/b', value: 5, before: 2 }));
  expect(of(conversation, 0)).toEqual([]);
  expect(of(conversation, 1)).toEqual([
    { kind: 'answer', slot: '/a~1b', value: { plain: 5 }, none: false, candidate: null },
  ]);
});

test('an empty field says that there is none; a form that was not accepted says nothing', () => {
  expect(of(told(answer({ field: 'note' })), 1)).toMatchObject([{ slot: '/note', none: true }]);
  expect(
    of(told(answer({ action: 'decline' }), answer({ action: 'cancel', field: 'x', value: 1 })), 1),
  ).toEqual([]);
});

test('an approval shows all arguments of its own call, and no other', () => {
  const conversation = told(answer({ kind: 'approval', call: 1, before: 4 }));
  expect(of(conversation, 0)).toEqual([]);
  expect(of(conversation, 1)).toEqual([
    {
      kind: 'approval',
      tool: TOOL,
      declined: false,
      shown: [
        { slot: '/amount', value: { plain: 5 } },
        { slot: '/to/id', value: { plain: 'A' } },
      ],
    },
  ]);
});

test('a declined approval declines; a cancelled one, or one of no known call, approves nothing', () => {
  expect(of(told(answer({ kind: 'approval', call: 0, action: 'decline' })), 0)).toMatchObject([
    { declined: true },
  ]);
  expect(of(told(answer({ kind: 'approval', call: 0, action: 'cancel' })), 0)).toEqual([]);
  expect(of(told(answer({ kind: 'approval' })), 0)).toEqual([]);
});
