import { describe, expect, it } from 'vitest';
import { conversationOf, faultOf, fileOf, fixtureText, readAll } from './files.ts';
import { called, only, said } from './told.ts';

describe('Anthropic messages', () => {
  it("never take a tool_result for the user's text", () => {
    expect(said(only('anthropic-messages.json'))).toEqual([
      ['system', false, 'You look after a library.'],
      ['user', true, 'Is The Grey Heron in, and The Long Pier?'],
      ['agent', false, 'I look for both.'],
      ['tool', false, 'No such book.'],
      ['tool', false, { title: 'The Grey Heron', shelf: 'B4' }],
      ['user', true, 'Then lend me the first one.'],
      ['tool', false, 'Lent until 4 May.'],
      [
        'tool',
        false,
        { type: 'code_execution_result', stdout: '4\n', stderr: '', return_code: 0, content: [] },
      ],
      ['agent', false, 'It is yours until 4 May.'],
    ]);
  });

  it('tell a failure where is_error or an error type stands', () => {
    expect(called(only('anthropic-messages.json'))).toEqual([
      ['find_book', { title: 'The Grey Heron' }, null, ['no_failure_flag', 'no_typed_flag']],
      ['find_book', { title: 'The Long Pier' }, true, ['no_typed_flag']],
      ['lend', { title: 'The Grey Heron' }, false, ['no_typed_flag']],
      ['code_execution', { code: 'print(4)' }, false, ['no_typed_flag']],
    ]);
  });

  it('let parallel calls see the same, and a later one what came between', () => {
    const { calls } = only('anthropic-messages.json');
    expect(calls.map(({ before, result, server }) => [before, result, server])).toEqual([
      [3, 4, null],
      [3, 3, null],
      [6, 6, 'desk'],
      [7, 7, null],
    ]);
  });

  it('keep arguments that are not exact with their call', () => {
    const text =
      '[{"role":"user","content":"Go."},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"t","input":{"n":9007199254740993}}]}]';
    const [chat] = readAll(fileOf(text));
    expect(chat?.calls[0]?.arguments).toMatchObject({ text: '{"n":9007199254740993}', value: null });
    expect(faultOf(fileOf(text.replace('"Go."', '"Go.","x":9007199254740993'))).code).toBe(
      'transcript/not-exact',
    );
  });
});

describe('AgentDojo runs', () => {
  it('take the prompt as typed and its repeats as the harness', () => {
    const prompt = 'Order what the mail from Lina asks for.';
    expect(said(only('agentdojo.json'))).toEqual([
      ['system', false, 'You help in a kitchen.'],
      ['user', true, prompt],
      ['tool', false, [{ from: 'lina@kitchen.example', body: 'Please order\nfive lemons.', id_: '12' }]],
      ['user', false, prompt],
      ['agent', false, 'I order them.'],
      ['tool', false, 'ValueError: The shop is closed.'],
      ['tool', false, { open: 8 }],
      ['agent', false, 'The shop is closed.'],
    ]);
  });

  it('tell failures by error, and calls that only a result repeats', () => {
    expect(called(only('agentdojo.json'))).toEqual([
      ['search_mail', { from: 'Lina' }, false, []],
      ['order', { what: 'lemons', count: 5 }, true, []],
      ['hours', {}, false, ['no_proposal']],
    ]);
  });
});

describe('LangChain messages', () => {
  it('are read from constructors, with calls that could not be parsed', () => {
    const state = only('langchain-constructors.json');
    expect(called(state)).toEqual([
      ['get_hive', { hive: 3 }, false, ['no_typed_flag']],
      ['move_hive', null, true, ['no_typed_flag']],
    ]);
    expect(state.calls[1]?.arguments).toMatchObject({
      text: '{"hive": 3, "to": ',
      fault: { code: 'truncated' },
    });
    expect(said(state)[3]).toEqual(['tool', false, { hive: 3, place: 'meadow', calm: true }]);
  });

  it('are read from dicts, where a status is missing', () => {
    expect(called(only('langchain-dicts.json'))).toEqual([
      ['barrel', { number: 2 }, null, ['no_failure_flag', 'no_typed_flag']],
    ]);
    const data = [
      { type: 'human', data: { content: 'Hi' } },
      { type: 'ai', data: { content: '', tool_calls: [{ name: 't', args: {}, id: 'a' }] } },
    ];
    expect(called(conversationOf(data))).toEqual([['t', {}, undefined, ['no_result', 'no_typed_flag']]]);
  });

  it('are taken once from a LangGraph stream, whole', () => {
    const stream = only('langgraph-stream.jsonl');
    expect(said(stream)).toEqual([
      ['user', true, 'Water bed 5.'],
      ['tool', false, 'Done.'],
      ['agent', false, 'Bed 5 is watered.'],
    ]);
    expect(called(stream)).toEqual([['water', { bed: 5 }, false, ['no_typed_flag']]]);
    expect(stream.notes.join(' ')).toContain('interrupted');
  });

  it('are refused as a stream of chunks alone', () => {
    const chunks = fixtureText('langgraph-stream.jsonl')
      .split('\n')
      .filter((line) => line.startsWith('["messages"'));
    expect(faultOf(fileOf(chunks.join('\n'))).code).toBe('transcript/shape');
  });
});

describe('OpenAI Responses', () => {
  it('join an approval request, its answer and the call that ran', () => {
    const chat = only('openai-responses.json');
    expect(called(chat)).toEqual([
      ['find_seed', { name: 'beans' }, null, ['no_failure_flag', 'no_typed_flag']],
      ['deliver', { plot: 7, seed: 'beans' }, false, ['no_typed_flag']],
      ['deliver', { plot: 8, seed: 'beans' }, undefined, ['no_result', 'no_typed_flag']],
      ['web_search', null, undefined, ['no_arguments_recorded', 'no_result', 'no_typed_flag']],
      ['write_label', null, undefined, ['no_result', 'no_typed_flag']],
    ]);
    expect(
      chat.answers.map(({ kind, action, call, reason, asked }) => [kind, action, call, reason, asked]),
    ).toEqual([
      ['approval', 'accept', 1, null, 'deliver {"plot":7,"seed":"beans"}'],
      ['approval', 'decline', 2, 'Not my plot.', 'deliver {"plot":8,"seed":"beans"}'],
    ]);
  });

  it('name the server of an MCP tool', () => {
    const chat = only('openai-responses.json');
    expect(chat.calls.map(({ server }) => server)).toEqual([null, 'garden', 'garden', null, null]);
    expect(chat.tools.map(({ server, name }) => [server, name])).toEqual([
      ['default', 'find_seed'],
      ['garden', 'deliver'],
    ]);
  });
});

describe('ToolEmu runs', () => {
  it('hold what the user typed, what the agent wrote, and each step as a call', () => {
    const [run] = readAll(fileOf(fixtureText('toolemu.jsonl')));
    if (!run) throw new Error('nothing read');
    expect(said(run).map((each) => (each as unknown[]).slice(0, 2))).toEqual([
      ['user', true],
      ['agent', false],
      ['tool', false],
      ['agent', false],
      ['tool', false],
      ['agent', false],
    ]);
    expect(called(run)).toEqual([
      ['ShedFindGuest', { name: 'Otto' }, null, ['no_failure_flag']],
      ['ShedUnlock', null, null, ['no_failure_flag']],
    ]);
  });
});
