import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../src/transcripts/index.ts';
import { call, calling, conversationOf, faultOf, fileOf, fixture, readAll } from './files.ts';

describe('OpenAI chat messages', () => {
  it('become segments by their author, of which only what the user says is typed', () => {
    const [chat] = readAll(fixture('openai-chat.json'));
    const said = chat?.segments.map(({ segment, message, part }) => [
      message,
      part,
      segment.author,
      segment.typed,
    ]);
    expect(said).toEqual([
      [0, null, 'system', false],
      [1, 0, 'user', true],
      [1, 1, 'user', true],
      [2, null, 'agent', false],
      [3, null, 'tool', false],
      [4, null, 'tool', false],
      [5, null, 'agent', false],
      [6, null, 'user', true],
      [8, null, 'tool', false],
      [9, null, 'agent', false],
    ]);
  });

  it('give parallel calls the same view: the text of their own message, and no result', () => {
    const [chat] = readAll(fixture('openai-chat.json'));
    expect(chat?.calls.map(({ message, index, before, result }) => [message, index, before, result])).toEqual(
      [
        [2, 0, 4, 5],
        [2, 1, 4, 4],
        [7, 0, 8, 8],
      ],
    );
  });

  it('keep arguments as text only where the text is not their canonical form', () => {
    const [chat] = readAll(fixture('openai-chat.json'));
    expect(chat?.calls.map((each) => each.arguments)).toEqual([
      { text: '{"parcel_id": "P-17"}', value: { parcel_id: 'P-17' }, fault: null },
      { text: null, value: { parcel_id: 'P-18' }, fault: null },
      { text: null, value: { parcel_id: 'P-17', to: 'Lina' }, fault: null },
    ]);
  });

  it.each([
    ['{"b":1,"a":2}', false],
    ['{"a":2,"b":1}', true],
    ['{"10":1,"9":2}', true],
    ['{"9":2,"10":1}', false],
    ['{"a":1.0}', false],
    ['{"a":"\\u00e9"}', false],
    ['{"a":"é"}', true],
    ['{"a":-0}', false],
  ])('know that %s is canonical: %s', (text, canonical) => {
    const [only] = conversationOf(calling(call('a', 't', text))).calls;
    expect(only?.arguments.text).toBe(canonical ? null : text);
  });

  it('hold no answers, and report per call what they do not tell', () => {
    const [chat] = readAll(fixture('openai-chat.json'));
    expect(chat?.answers).toEqual([]);
    expect(chat?.calls.map((each) => each.cannot_tell)).toEqual(
      Array(3).fill(['no_failure_flag', 'no_typed_flag']),
    );
    const [only] = conversationOf([{ role: 'assistant', tool_calls: [call('a', 't', undefined)] }]).calls;
    expect(only?.cannot_tell).toEqual(['no_arguments_recorded', 'no_result', 'no_user_text']);
  });

  it('tell of a failure only where a recorder added it', () => {
    const failed = (more: object) =>
      conversationOf([
        ...calling(call('a', 't', '{}')),
        { role: 'tool', tool_call_id: 'a', content: 'x', ...more },
      ]).segments.at(-1)?.segment.observes?.failed;
    expect([failed({}), failed({ error: null }), failed({ error: 'no' })]).toEqual([null, false, true]);
  });

  it('declare the tools that came with them', () => {
    const [chat] = readAll(fixture('openai-chat.json'));
    expect(chat?.tools.map(({ server, name, description }) => [server, name, description])).toEqual([
      ['default', 'get_parcel', 'Looks a parcel up.'],
      ['default', 'return_parcel', 'Sends a parcel back.'],
    ]);
    expect(chat?.tools[1]?.input_schema).toMatchObject({ required: ['parcel_id', 'to'] });
  });

  it('hold structured results as values and all else as text, under the call that they answer', () => {
    const [chat] = readAll(fixture('openai-chat.json'));
    const results = chat?.segments.filter(({ segment }) => segment.observes).map(({ segment }) => segment);
    expect(results?.map(({ body, observes }) => ({ body, observes }))).toEqual([
      {
        body: { plain: { parcel_id: 'P-18', place: 'Graz', weight: 2.5 } },
        observes: {
          tool: 'get_parcel',
          arguments: { plain: { parcel_id: 'P-18' } },
          failed: null,
          fault: null,
        },
      },
      {
        body: { plain: { parcel_id: 'P-17', sender: 'Lina', place: 'Linz' } },
        observes: {
          tool: 'get_parcel',
          arguments: { plain: { parcel_id: 'P-17' } },
          failed: null,
          fault: null,
        },
      },
      {
        body: { plain: 'returned' },
        observes: {
          tool: 'return_parcel',
          arguments: { plain: { parcel_id: 'P-17', to: 'Lina' } },
          failed: null,
          fault: null,
        },
      },
    ]);
  });

  it.each(['12', 'true', 'null', '"P-17"', '', '[see below', '{} and more'])(
    'leave the result %j text',
    (content) => {
      const chat = conversationOf([
        ...calling(call('a', 't', '{}')),
        { role: 'tool', tool_call_id: 'a', content },
      ]);
      expect(chat.segments.at(-1)?.segment).toMatchObject({
        body: { plain: content },
        observes: { fault: null },
      });
    },
  );

  it.each(['{"a":1,"a":2}', '{"a":12345678901234567890}', '[{"a":0.1000000000000000055511151231257827}]'])(
    'leave the result %s text that measures nothing',
    (content) => {
      const chat = conversationOf([
        ...calling(call('a', 't', '{}')),
        { role: 'tool', tool_call_id: 'a', content },
      ]);
      const last = chat.segments.at(-1)?.segment;
      expect(last?.body).toEqual({ plain: content });
      expect(last?.observes?.fault).toEqual(expect.stringMatching(/./));
    },
  );

  it('take a result that is a JSON value already as it is', () => {
    const content = [{ id: 1 }, { id: 2 }];
    const chat = conversationOf([
      ...calling(call('a', 't', '{}')),
      { role: 'tool', tool_call_id: 'a', content },
    ]);
    expect(chat.segments.at(-1)?.segment.body).toEqual({ plain: content });
  });

  it('read the older function_call, arguments as an object, and results in parts', () => {
    const [cancel, book] = readAll(fixture('openai-chat.jsonl'));
    expect(cancel?.calls).toMatchObject([
      {
        message: 1,
        index: 0,
        id: null,
        tool: 'cancel_table',
        arguments: { text: null },
        before: 1,
        result: 1,
      },
    ]);
    expect(book?.calls).toMatchObject([
      {
        tool: 'book_table',
        arguments: { text: null, value: { day: 'Friday', guests: 4 } },
        before: 2,
        result: 2,
      },
    ]);
    expect(book?.segments[2]).toMatchObject({ part: 0, segment: { body: { plain: [{ table: 7 }] } } });
    expect([cancel?.origin.line, book?.origin.line]).toEqual([1, 2]);
  });

  it('take an unknown role for a third party, and say so', () => {
    const chat = conversationOf([
      { role: 'user', content: 'Hi' },
      { role: 'critic', content: 'Hm.' },
    ]);
    expect(chat.segments[1]?.segment).toMatchObject({ author: 'third_party', typed: false });
    expect(chat.notes.join(' ')).toContain('"critic"');
  });

  it('leave out parts that hold no text, and say so once', () => {
    const picture = { type: 'image_url', image_url: { url: 'https://example.com/x.png' } };
    const chat = conversationOf([
      { role: 'user', content: [picture, { type: 'text', text: 'This.' }, picture] },
    ]);
    expect(chat.segments.map(({ part }) => part)).toEqual([1]);
    expect(chat.notes.filter((note) => note.includes('image_url'))).toHaveLength(1);
  });

  it('are known from what marks other formats', () => {
    expect(detectFormat([{ role: 'user', content: 'x' }])).toBe('openai-chat');
    expect(detectFormat({ traj: [{ role: 'user', content: 'x' }] })).toBe('openai-chat');
    expect(detectFormat([{ messages: [{ role: 'user', content: 'x' }] }])).toBe('openai-chat');
    expect(detectFormat({ role: 'user', content: 'x' })).toBe('openai-chat');
    expect(
      detectFormat([{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 't', input: {} }] }]),
    ).toBeNull();
    expect(detectFormat([{ role: 'assistant', tool_calls: [{ function: 't', args: {} }] }])).toBeNull();
    expect(detectFormat({ jsonrpc: '2.0', method: 'tools/call' })).toBeNull();
    expect(detectFormat([])).toBeNull();
    expect(detectFormat(7)).toBeNull();
  });

  it('never lose calls of another format, even where the format is forced', () => {
    const path = fileOf(JSON.stringify([{ role: 'assistant', content: [{ type: 'tool_use', name: 't' }] }]));
    expect(faultOf(path).code).toBe('transcript/unknown-format');
    expect(faultOf(path, { format: 'openai-chat' }).code).toBe('transcript/shape');
  });
});

describe('arguments that can not be read exactly', () => {
  it.each([
    ['a doubled key', '{"to":"A","to":"B"}'],
    ['a number past what a double holds', '{"amount":9007199254740993}'],
    ['a number no double is near', '{"amount":1e400}'],
    ['text that is cut off', '{"amount":1'],
    ['no text', ''],
    ['an array', '[1]'],
    ['half a character', '{"a":"\\ud800"}'],
    ['deep nesting', `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ])('keep the call, with a fault and the text as received: %s', (_, text) => {
    const chat = conversationOf([
      ...calling(call('a', 't', text)),
      { role: 'tool', tool_call_id: 'a', content: 'ok' },
    ]);
    expect(chat.calls).toMatchObject([{ arguments: { text, value: null }, result: 1 }]);
    expect(chat.calls[0]?.arguments.fault?.code).toEqual(expect.stringMatching(/./));
    expect(chat.segments[1]?.segment.observes?.arguments).toEqual({ plain: null });
  });

  it.each([
    '{"amount": 9007199254740993}',
    '{"to":"A", "to":"B"}',
    '{"deep":[{"x":0.1000000000000000055511}]}',
  ])('keep the call where they are an object: %s', (text) => {
    const line = `{"messages": [{"role":"user","content":"Go \\"}] on."}, {"role":"assistant","tool_calls":[
        {"id":"a","function":{"name":"ok","arguments":{"n":1}}}, {"id":"b","function":{"name":"t","arguments": ${text} }}]}]}`;
    const [chat] = readAll(fileOf(line.replaceAll('\n', ' ')));
    expect(chat?.calls.map((each) => [each.arguments.text, each.arguments.value])).toEqual([
      [null, { n: 1 }],
      [text, null],
    ]);
    expect(chat?.calls[1]?.arguments.fault?.code).toEqual(expect.stringMatching(/./));
    expect(JSON.stringify(chat?.identity)).toContain(JSON.stringify(text).slice(1, -1));
  });

  it.each([[undefined], [null], [5], [['x']]])('keep the call where they are %j', (args) => {
    const [only] = conversationOf(calling(call('a', 't', args))).calls;
    expect(only?.arguments.value).toBeNull();
    expect(only?.arguments.fault?.code).toEqual(expect.stringMatching(/./));
  });
});

describe('the identity of a conversation', () => {
  it('is the same at each reading, and tells two runs of one task apart', () => {
    const once = readAll(fixture('tau-runs.json'));
    const again = readAll(fixture('tau-runs.json'));
    expect(once.map((run) => run.identity)).toEqual(again.map((run) => run.identity));
    expect(once[0]?.identity).not.toEqual(once[1]?.identity);
  });
});
