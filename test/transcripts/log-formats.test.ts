import { describe, expect, it } from 'vitest';
import { fileOf, fixture, readAll } from './files.ts';
import { called, only, said } from './told.ts';

describe('MCP logs', () => {
  it('tell failures by isError and by JSON-RPC errors, and that no user speaks in them', () => {
    expect(called(only('mcp-jsonrpc.jsonl'))).toEqual([
      ['ports', null, false, ['no_arguments_recorded', 'no_user_text']],
      ['book', { day: 'Friday' }, true, ['no_user_text']],
      ['sink', {}, true, ['no_user_text']],
    ]);
  });

  it('hold what a person answered, field by field, though both sides count from the same ids', () => {
    const { answers } = only('mcp-jsonrpc.jsonl');
    const asked = 'Who travels, and from where?';
    const given = { kind: 'answer', call: 1, reason: null };
    expect(answers).toEqual([
      { ...given, message: 9, action: 'accept', asked, field: 'name', value: 'Ida', before: 2 },
      { ...given, message: 9, action: 'accept', asked, field: 'port', value: 'North', before: 2 },
      {
        ...given,
        message: 11,
        action: 'decline',
        asked: 'Take a cabin?',
        field: null,
        value: null,
        before: 3,
      },
    ]);
  });

  it('say the structured value once, the questions of the server, and when', () => {
    const log = only('mcp-jsonrpc.jsonl');
    expect(said(log)).toEqual([
      ['tool', false, { ports: ['North', 'South'] }],
      ['tool', false, 'Who travels, and from where?'],
      ['tool', false, 'Take a cabin?'],
      ['tool', false, 'No seat is left on Friday.'],
      ['tool', false, { code: -32602, message: 'Unknown tool: sink' }],
    ]);
    expect(log.segments[0]?.segment.at).toBe('2025-05-01T08:00:01.100Z');
    expect(log.calls.map(({ server }) => server)).toEqual(['ferry', 'ferry', 'ferry']);
    expect(log.tools.map(({ server, name }) => [server, name])).toEqual([
      ['ferry', 'book'],
      ['ferry', 'ports'],
    ]);
  });

  it('are read without directions too', () => {
    const bare = readAll(fixture('mcp-jsonrpc.jsonl')).flatMap(
      ({ identity }) => (identity as { messages: unknown[] }).messages,
    );
    const [log] = readAll(fileOf(bare.map((message) => JSON.stringify(message)).join('\n')));
    const wrapped = only('mcp-jsonrpc.jsonl');
    expect(log?.calls).toEqual(wrapped.calls);
    expect(log?.answers).toEqual(wrapped.answers);
  });

  it('hold the answers that a call is sent again with', () => {
    const rpc = (message: object) => JSON.stringify({ jsonrpc: '2.0', ...message });
    const params = { name: 'login', arguments: {} };
    const request = { method: 'elicitation/create', params: { message: 'Who are you?' } };
    const [log] = readAll(
      fileOf(
        [
          rpc({ id: 1, method: 'tools/call', params }),
          rpc({
            id: 1,
            result: { resultType: 'input_required', inputRequests: { who: request }, requestState: 'x' },
          }),
          rpc({
            id: 2,
            method: 'tools/call',
            params: { ...params, inputResponses: { who: { action: 'accept', content: { name: 'Ida' } } } },
          }),
          rpc({ id: 2, result: { content: [{ type: 'text', text: 'Hello Ida' }] } }),
        ].join('\n'),
      ),
    );
    expect(log?.answers).toMatchObject([{ asked: 'Who are you?', field: 'name', value: 'Ida', call: 1 }]);
    expect(log?.calls.map(({ result }) => result)).toEqual([null, 1]);
  });
});

describe('Claude Code sessions', () => {
  it('take as typed only what a person wrote', () => {
    expect(said(only('claude-code.jsonl'))).toEqual([
      ['user', false, '<local-command-caveat>Caveat: not for you.</local-command-caveat>'],
      ['user', false, '<command-name>/clear</command-name>'],
      ['user', false, '<command-message>clear</command-message>'],
      ['user', false, '<command-args></command-args>'],
      ['user', true, 'Rename shelf.txt to rack.txt.'],
      ['user', false, '<system-reminder>Mind the list.</system-reminder>'],
      ['agent', false, 'I rename it.'],
      ['tool', false, 'mv: no such file'],
      ['agent', false, 'Find shelf.txt.'],
      ['tool', false, 'old/shelf.txt'],
      ['tool', false, 'It is in old/.'],
      ['user', false, '[Request interrupted by user for tool use]'],
      ['user', true, 'Never mind.'],
    ]);
  });

  it('hold the calls of subagents, failures and times', () => {
    const session = only('claude-code.jsonl');
    expect(called(session)).toEqual([
      ['Bash', { command: 'mv shelf.txt rack.txt' }, true, []],
      ['Task', { prompt: 'Find shelf.txt.' }, false, []],
      ['Glob', { pattern: '**/shelf.txt' }, null, ['no_failure_flag']],
    ]);
    expect(session.segments[4]?.segment.at).toBe('2025-06-02T09:00:03.000Z');
  });

  const user = (content: unknown, more: object = {}) =>
    JSON.stringify({ type: 'user', sessionId: 's', message: { role: 'user', content }, ...more });

  it.each([
    [
      'a block that does not end',
      user('Go.<system-reminder>Stop. And the rest'),
      [
        ['Go.', true],
        ['<system-reminder>Stop. And the rest', false],
      ],
    ],
    ['a tag of another name', user('Use <b>bold</b>.'), [['Use <b>bold</b>.', true]]],
    ['what was compacted', user('Summary.', { isCompactSummary: true }), [['Summary.', false]]],
    [
      'a continued session',
      user('This session is being continued from a previous conversation that ran out.'),
      [['This session is being continued from a previous conversation that ran out.', false]],
    ],
    [
      'output of a command',
      user('<bash-input>ls</bash-input><bash-stdout>a</bash-stdout>'),
      [
        ['<bash-input>ls</bash-input>', false],
        ['<bash-stdout>a</bash-stdout>', false],
      ],
    ],
  ])('are cut where the program speaks: %s', (_, line, expected) => {
    const [session] = readAll(fileOf(line));
    expect(session && said(session).map((each) => [(each as unknown[])[2], (each as unknown[])[1]])).toEqual(
      expected,
    );
  });

  it('are read once where an entry stands twice', () => {
    const line = user('Go.', { uuid: 'u1' });
    const [session] = readAll(fileOf(`${line}\n${line}`));
    expect(session?.segments).toHaveLength(1);
  });
});

describe('Inspect logs', () => {
  it('hold a conversation a sample, each at its own line', () => {
    const samples = readAll(fixture('inspect-ai.json'));
    expect(samples.map(({ origin }) => origin.line)).toEqual([16, 105]);
    expect(samples[0] && said(samples[0])).toEqual([
      ['system', false, 'You run a mill.'],
      ['user', true, 'Grind 3 kg of rye.'],
      ['agent', false, 'I start.'],
      ['tool', false, { ground: 3, unit: 'kg' }],
      ['user', false, 'Please proceed to the next step using your best judgement.'],
      ['tool', false, 'Error parsing the arguments'],
    ]);
  });

  it('report calls of which only the result was recorded', () => {
    const [first, second] = readAll(fixture('inspect-ai.json'));
    expect(first && called(first)).toEqual([
      ['grind', { grain: 'rye', kg: 3 }, false, []],
      ['bag', null, true, []],
    ]);
    expect(second && called(second)).toEqual([
      ['stop', null, true, ['no_arguments_recorded', 'no_proposal']],
    ]);
  });
});

describe('GenAI spans', () => {
  it('are read in time order, each message once', () => {
    expect(said(only('otel-genai.json'))).toEqual([
      ['system', false, 'You watch a river.'],
      ['user', true, 'How high is the water at Ford 2?'],
      ['agent', false, 'I measure.'],
      ['tool', false, { ford: 2, cm: 41 }],
      ['tool', false, 'No forecast.'],
      ['agent', false, '41 cm.'],
    ]);
  });

  it("tell failures by the status of a tool's own span", () => {
    expect(called(only('otel-genai.json'))).toEqual([
      ['gauge', { ford: 2 }, false, ['no_typed_flag']],
      ['forecast', { ford: 2 }, true, ['no_typed_flag']],
    ]);
  });

  it('without content leave a call without arguments', () => {
    const log = only('otel-genai-spans.jsonl');
    expect(called(log)).toEqual([
      ['open_gate', null, undefined, ['no_arguments_recorded', 'no_proposal', 'no_result', 'no_user_text']],
      ['close_gate', { gate: 4 }, false, ['no_proposal', 'no_user_text']],
    ]);
    expect(log.notes.join(' ')).toContain('not captured');
  });

  it('of several conversations are kept apart', () => {
    const span = (conversation: string, text: string) => ({
      name: 'chat',
      traceId: 't',
      attributes: {
        'gen_ai.conversation.id': conversation,
        'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: text }] }]),
      },
    });
    const lines = [span('a', 'One'), span('b', 'Two'), span('a', 'Three')].map((each) =>
      JSON.stringify(each),
    );
    const read = readAll(fileOf(lines.join('\n')));
    expect(read.map((each) => said(each).map((one) => (one as unknown[])[2]))).toEqual([
      ['One', 'Three'],
      ['Two'],
    ]);
    expect(read[0]?.notes.join(' ')).toContain('does not continue');
  });
});

describe('text in a user role', () => {
  const user = (content: string) => ({ role: 'user', content });
  const prompt = 'Please book the boat for Friday.';
  const call = {
    id: 'a',
    type: 'function',
    function: { name: 'book', arguments: '{"day":"Friday","seats":2}' },
  };
  const failed = {
    role: 'tool',
    tool_call_id: 'a',
    content: 'Error: seats must be text here.',
    error: 'yes',
  };
  const asks = { role: 'assistant', content: null, tool_calls: [call] };

  it.each<[string, unknown[], boolean[]]>([
    [
      'the same prompt again, with nothing said between',
      [user(prompt), asks, failed, user(prompt)],
      [true, false],
    ],
    [
      'the same reply to another question',
      [user('Yes'), { role: 'assistant', content: 'Sure?' }, user('Yes')],
      [true, true],
    ],
    [
      'a call error that quotes the arguments',
      [user('Go.'), asks, failed, user('Your call {"day":"Friday","seats":2} could not be read. Try again.')],
      [true, false],
    ],
    [
      'a call error that quotes the result',
      [user('Go.'), asks, failed, user('Error: seats must be text here. Retry.')],
      [true, false],
    ],
    [
      'a result word for word',
      [user('Go.'), asks, { ...failed, error: null }, user('Error: seats must be text here.')],
      [true, false],
    ],
    [
      "the agent's words",
      [
        user('Go.'),
        { role: 'assistant', content: 'I will now book the boat.' },
        user('I will now book the boat.'),
      ],
      [true, false],
    ],
    [
      'a long prompt again, much later',
      [user('x'.repeat(200)), { role: 'assistant', content: 'Done.' }, user('x'.repeat(200))],
      [true, false],
    ],
    ['an own answer', [user('Go.'), asks, failed, user('Then take two seats as text.')], [true, true]],
  ])('is taken for typed or not: %s', (_, messages, typed) => {
    const [chat] = readAll(fileOf(JSON.stringify(messages)));
    const users = chat?.segments.filter(({ segment }) => segment.author === 'user');
    expect(users?.map(({ segment }) => segment.typed)).toEqual(typed);
    expect(chat?.notes.some((note) => note.includes('word for word'))).toBe(typed.includes(false));
  });
});
