import { describe, expect, it } from 'vitest';
import { call, conversationOf, fixture, readAll } from './files.ts';

const asks = (...calls: unknown[]) => ({ role: 'assistant', content: null, tool_calls: calls });
const says = (id: string | null, content: string, name?: string) => ({
  role: 'tool',
  ...(id === null ? {} : { tool_call_id: id }),
  ...(name === undefined ? {} : { name }),
  content,
});

/** For each call the text of its result. */
function results(...messages: unknown[]): unknown[] {
  const chat = conversationOf([{ role: 'user', content: 'Go.' }, ...messages]);
  return chat.calls.map(({ result }) => {
    const segment = result === null ? null : chat.segments[result]?.segment;
    return segment && 'plain' in segment.body ? segment.body.plain : null;
  });
}

describe('a tool result', () => {
  it('belongs to the call just before it where ids repeat', () => {
    const [run] = readAll(fixture('tau-runs.json'));
    expect(run?.calls.map(({ id, before, result }) => [id, before, result])).toEqual([
      ['call_x', 2, 2],
      ['call_x', 3, 3],
    ]);
  });

  it.each([
    [
      'by id, whatever the order',
      [asks(call('a', 't', '{}'), call('b', 't', '{}')), says('b', '2'), says('a', '1')],
      ['1', '2'],
    ],
    [
      'by order where ids are missing',
      [asks(call(null, 't', '{}'), call(null, 't', '{}')), says(null, '1'), says(null, '2')],
      ['1', '2'],
    ],
    [
      'by order where one id stands twice in a message',
      [asks(call('a', 't', '{}'), call('a', 't', '{}')), says('a', '1'), says('a', '2')],
      ['1', '2'],
    ],
    [
      'by name where there is no id',
      [asks(call(null, 't', '{}'), call(null, 'u', '{}')), says(null, 'u', 'u'), says(null, 't', 't')],
      ['t', 'u'],
    ],
    [
      'to the nearest, so that an unanswered one before stays so',
      [asks(call('a', 't', '{}')), asks(call('a', 't', '{}')), says('a', '2')],
      [null, '2'],
    ],
    [
      'to the one before, once the nearest is answered',
      [asks(call('a', 't', '{}')), asks(call('a', 't', '{}')), says('a', '2'), says('a', '1')],
      ['1', '2'],
    ],
    ['only once', [asks(call('a', 't', '{}')), says('a', '1'), says('a', 'again')], ['1']],
    ['to no later call', [says('a', 'early'), asks(call('a', 't', '{}'))], [null]],
    ['to no call of another name', [asks(call(null, 't', '{}')), says(null, 'x', 'u')], [null]],
  ])('is paired %s', (_, messages, expected) => {
    expect(results(...messages)).toEqual(expected);
  });

  it('that answers no call observes nothing, and that is noted', () => {
    const chat = conversationOf([{ role: 'user', content: 'Go.' }, says('a', '{"x":1}', 't')]);
    expect(chat.segments[1]?.segment).toMatchObject({ author: 'tool', observes: null });
    expect(chat.notes.join(' ')).toContain('answers no call');
  });

  it('in several parts belongs to the call with all of them', () => {
    const content = [
      { type: 'text', text: '{"a":1}' },
      { type: 'text', text: 'and prose' },
    ];
    const chat = conversationOf([asks(call('a', 't', '{}')), { role: 'tool', tool_call_id: 'a', content }]);
    expect(chat.calls[0]?.result).toBe(0);
    expect(chat.segments.map(({ segment }) => [segment.body, segment.observes?.tool])).toEqual([
      [{ plain: { a: 1 } }, 't'],
      [{ plain: 'and prose' }, 't'],
    ]);
  });

  it('is found in time that does not grow with all that is unanswered', () => {
    const many = 40_000;
    const calls = Array.from({ length: many }, (_, i) => asks(call(`c${i}`, 't', '{}')));
    const answers = Array.from({ length: many }, (_, i) => says(`x${i}`, '', 'nobody'));
    const started = process.cpuUsage();
    expect(results(...calls, ...answers).every((result) => result === null)).toBe(true);
    expect(process.cpuUsage(started).user).toBeLessThan(8_000_000);
  });
});
