import { describe, expect, it } from 'vitest';
import { fileOf, readAll } from './files.ts';
import {
  examplesIn,
  exportsIn,
  objectsIn,
  REAL,
  real,
  realText,
  requestsIn,
  spansIn,
  valuesIn,
} from './real-formats.ts';

type Thing = { readonly [key: string]: unknown };
const has =
  (...types: string[]) =>
  (object: Thing) =>
    types.includes(String(object.type));

/** Each file that a program wrote: its format, and how its calls are counted without the readers. */
const FILES: readonly [string, string, (file: string) => number][] = [
  [
    'agentdyn/gpt-4o-2024-08-06.attack-succeeded-1.jsonl',
    'agentdojo',
    (file) =>
      objectsIn(valuesIn(file), ({ tool_calls: calls }) => Array.isArray(calls)).reduce(
        (sum, { tool_calls: calls }) => sum + (calls as unknown[]).length,
        0,
      ),
  ],
  [
    'agentdyn/gpt-4o-2024-08-06.benign-1.jsonl',
    'agentdojo',
    (file) => objectsIn(valuesIn(file), ({ role }) => role === 'tool').length,
  ],
  [
    'formats/agentdojo.gpt-4o-dailylife-attack.json',
    'agentdojo',
    (file) => objectsIn(valuesIn(file), ({ role }) => role === 'tool').length,
  ],
  [
    'formats/anthropic-messages.mcp.1.json',
    'anthropic-messages',
    (file) => objectsIn(valuesIn(file), has('mcp_tool_use')).length,
  ],
  [
    'formats/anthropic-messages.programmatic-tool-calling.1.json',
    'anthropic-messages',
    (file) => objectsIn(valuesIn(file), has('tool_use', 'server_tool_use')).length,
  ],
  [
    'formats/claude-code.sample_session.json',
    'claude-code',
    (file) => objectsIn(valuesIn(file), has('tool_use')).length,
  ],
  [
    'formats/claude-code.sample_session.jsonl',
    'claude-code',
    (file) => realText(file).match(/"type":"tool_use"/g)?.length ?? 0,
  ],
  [
    'formats/inspect-ai.log_tool_call_error.json',
    'inspect-ai',
    (file) =>
      new Set(objectsIn(valuesIn(file), ({ role }) => role === 'tool').map((message) => message.tool_call_id))
        .size,
  ],
  [
    'formats/inspect-ai.security-guide.json',
    'inspect-ai',
    (file) =>
      objectsIn(valuesIn(file), ({ tool_calls: calls }) => Array.isArray(calls) && calls.length > 0).length,
  ],
  [
    'formats/invariant.trace_for_analysis.jsonl',
    'openai-chat',
    (file) => realText(file).match(/"type": "function"/g)?.length ?? 0,
  ],
  [
    'formats/mcp-jsonrpc.server-filesystem-2026.8.31.captured.jsonl',
    'mcp-jsonrpc',
    (file) => realText(file).match(/"method":"tools\/call"/g)?.length ?? 0,
  ],
  [
    'formats/openai-chat.tau-bench-airline-run.json',
    'openai-chat',
    (file) => realText(file).match(/"type":\s*"function"/g)?.length ?? 0,
  ],
  [
    'formats/openai-responses.custom-tool.1.json',
    'openai-responses',
    (file) => objectsIn(valuesIn(file), has('custom_tool_call')).length,
  ],
  [
    'formats/openai-responses.mcp-tool-approval.1.json',
    'openai-responses',
    (file) => objectsIn(valuesIn(file), has('mcp_approval_request')).length,
  ],
  [
    'formats/openai-responses.mcp-tool-approval.2.json',
    'openai-responses',
    (file) => objectsIn(valuesIn(file), has('mcp_call', 'mcp_approval_request')).length,
  ],
  [
    'toolemu/gpt-5-mini-1.jsonl',
    'toolemu',
    (file) =>
      (valuesIn(file) as { intermediate_steps: unknown[][] }[])
        .flatMap((run) => run.intermediate_steps)
        .filter(([action]) => Array.isArray(action)).length,
  ],
];

describe.skipIf(!REAL)('real samples of each format (GROUNDS_REAL_DATA names their folder)', () => {
  it.each(FILES)('%s is read as %s, every call of it', (file, format, count) => {
    const read = readAll(real(file));
    expect(new Set(read.map((each) => each.format))).toEqual(new Set([format]));
    expect(read.flatMap(({ calls }) => calls)).toHaveLength(count(file));
  });

  it('of AgentDyn: each call has its result, which fails where there is an error', () => {
    for (const file of ['attack-succeeded-1', 'benign-1'].map(
      (name) => `agentdyn/gpt-4o-2024-08-06.${name}.jsonl`,
    )) {
      const read = readAll(real(file));
      const errors = objectsIn(valuesIn(file), ({ role, error }) => role === 'tool' && error !== null);
      const results = read.flatMap(({ segments }) => segments.filter(({ segment }) => segment.observes));
      expect(results.filter(({ segment }) => segment.observes?.failed === true)).toHaveLength(errors.length);
      expect(read.every(({ calls }) => calls.every(({ result }) => result !== null))).toBe(true);
      expect(read.every(({ segments }) => segments.filter(({ segment }) => segment.typed).length === 1)).toBe(
        true,
      );
    }
  });

  it.each([
    [
      'formats/anthropic-messages.request-with-tool-history.vcr.yaml',
      'anthropic-messages',
      /"type":"tool_use"/g,
    ],
    ['formats/openai-chat.tool-calls.vcr.yaml', 'openai-chat', /"tool_call_id"/g],
  ])('recorded exchanges: the requests of %s are %s', (file, format, mark) => {
    for (const body of requestsIn(file)) {
      const [chat] = readAll(fileOf(body));
      expect(chat?.format).toBe(format);
      expect(chat?.calls).toHaveLength(body.match(mark)?.length ?? 0);
      expect(chat?.tools.length).toBe((JSON.parse(body) as { tools?: unknown[] }).tools?.length ?? 0);
    }
  });

  it('LangGraph streams: every call of a state, once, each with its result but where a person was asked', () => {
    const streams = exportsIn('formats/langchain.langgraph-stream.ts.txt');
    expect([...streams.keys()]).toHaveLength(3);
    for (const [name, stream] of streams) {
      const ids = new Set(objectsIn(stream, has('tool_call')).map(({ id }) => id));
      const [chat] = readAll(fileOf(JSON.stringify(stream)));
      expect([name, chat?.format, chat?.calls.length]).toEqual([name, 'langchain', ids.size]);
      const open = chat?.calls.filter(({ result }) => result === null).length;
      expect([name, open]).toEqual([name, name === 'LANGGRAPH_RESPONSE_1' ? 1 : 0]);
    }
  });

  it('spans of the semantic conventions: every call of a conversation, once', () => {
    const spans = spansIn('formats/otel-genai.semconv-examples-llm-calls.md');
    const lines = spans.map(({ attributes }) => JSON.stringify({ name: 'chat', attributes }));
    const read = readAll(fileOf(lines.join('\n')));
    expect(spans.length).toBeGreaterThan(5);
    expect(read).toHaveLength(new Set(spans.map(({ conversation }) => conversation)).size);
    const ids = spans.flatMap(({ conversation, attributes }) =>
      Object.values(attributes)
        .filter((text) => text.startsWith('['))
        .flatMap((text) =>
          objectsIn(JSON.parse(text), (part) => has('tool_call', 'server_tool_call')(part) && 'id' in part),
        )
        .map(({ id }) => `${conversation} ${id}`),
    );
    const calls = read.flatMap((each) => each.calls);
    expect(calls).toHaveLength(new Set(ids).size);
    expect(calls.length).toBeGreaterThan(1);
    expect(calls.every(({ result }) => result !== null)).toBe(true);
  });

  it('examples of the MCP specification: those that are messages are read as they are', () => {
    const examples = examplesIn('formats/mcp-spec-examples');
    const messages = [...examples.values()].flat().filter(({ value }) => value.jsonrpc === '2.0');
    expect(messages.length).toBeGreaterThan(2);
    for (const { value } of messages) {
      const [log] = readAll(fileOf(JSON.stringify(value, null, 2)));
      expect([log?.format, log?.calls.length]).toEqual([
        'mcp-jsonrpc',
        value.method === 'tools/call' ? 1 : 0,
      ]);
    }
  });

  it('examples of the MCP specification: calls, results and answers in a log that is made of them', () => {
    const examples = examplesIn('formats/mcp-spec-examples');
    const of = (type: string) => examples.get(type)?.map(({ value }) => value) ?? [];
    const lines: unknown[] = [];
    let id = 0;
    const exchange = (request: object, result: unknown) => {
      id++;
      lines.push({ jsonrpc: '2.0', id, ...request }, { jsonrpc: '2.0', id, result });
    };
    for (const params of of('CallToolRequestParams'))
      exchange({ method: 'tools/call', params }, { content: [] });
    for (const result of of('CallToolResult'))
      exchange({ method: 'tools/call', params: { name: 'any', arguments: {} } }, result);
    for (const result of of('InputRequiredResult'))
      exchange({ method: 'tools/call', params: { name: 'any', arguments: {} } }, result);
    for (const result of of('ElicitResult')) exchange(of('ElicitRequest')[0] ?? {}, result);
    for (const result of of('ListToolsResult')) exchange({ method: 'tools/list' }, result);
    const [log] = readAll(fileOf(lines.map((line) => JSON.stringify(line)).join('\n')));
    const count = ['CallToolRequestParams', 'CallToolResult', 'InputRequiredResult'].flatMap(of).length;
    expect(log?.calls).toHaveLength(count);
    const results = log?.segments.flatMap(({ segment }) => segment.observes ?? []);
    expect(results?.filter(({ failed }) => failed === true)).toHaveLength(
      of('CallToolResult').filter(({ isError }) => isError === true).length,
    );
    const fields = of('ElicitResult').flatMap(({ content }) =>
      Object.entries((content ?? { '': null }) as object),
    );
    expect(log?.answers.map(({ field, value }) => [field ?? '', value])).toEqual(fields);
    expect(log?.tools).toHaveLength(of('ListToolsResult').flatMap(({ tools }) => tools as unknown[]).length);
  });
});
