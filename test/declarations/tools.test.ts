import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LocatedProblem } from '../../src/declarations/problem.ts';
import { loadToolsFile, parseTools } from '../../src/declarations/tools.ts';
import { isGroundsError } from '../../src/errors.ts';

const schema = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] };
const declared = {
  server: 'local',
  name: 'send',
  description: 'Sends money.',
  input_schema: schema,
  annotations: null,
};

function read(value: unknown, options = {}) {
  return parseTools(JSON.stringify(value, null, 1), 'tools.json', options);
}

function problems(text: string): LocatedProblem[] {
  try {
    parseTools(text, 'tools.json');
  } catch (error) {
    if (!isGroundsError(error) || error.code !== 'tools/invalid') throw error;
    return error.facts.problems as LocatedProblem[];
  }
  throw new Error('it was read without complaint');
}

describe('a file of tool definitions', () => {
  const mcp = {
    name: 'send',
    description: 'Sends money.',
    inputSchema: schema,
    annotations: { readOnlyHint: false },
  };
  const openai = {
    type: 'function',
    function: { name: 'send', description: 'Sends money.', parameters: schema },
  };
  const anthropic = { name: 'send', description: 'Sends money.', input_schema: schema };

  test.each<[string, unknown, object]>([
    ['an MCP result', { tools: [mcp] }, { annotations: mcp.annotations }],
    [
      'an MCP result beside its server',
      { serverInfo: { name: 'bank' }, tools: [mcp] },
      { server: 'bank', annotations: mcp.annotations },
    ],
    [
      'an MCP response',
      { jsonrpc: '2.0', id: 1, result: { tools: [mcp] } },
      { annotations: mcp.annotations },
    ],
    ['an OpenAI array', [openai], {}],
    ['an OpenAI request', { model: 'm', tools: [openai] }, {}],
    [
      'a flat OpenAI array',
      [{ type: 'function', name: 'send', description: 'Sends money.', parameters: schema }],
      {},
    ],
    ['an Anthropic array', [anthropic], {}],
    ['an Anthropic array with types', [{ type: 'custom', ...anthropic }], {}],
  ])('is read from %s', (_, value, more) => {
    expect(read(value).tools).toEqual([{ ...declared, ...more }]);
  });

  test('tells a missing schema and description from empty ones', () => {
    expect(read([{ name: 'a' }, { name: 'b', description: '', inputSchema: {} }]).tools).toMatchObject([
      { description: null, input_schema: null },
      { description: '', input_schema: {} },
    ]);
  });

  test('takes another server’s name where it is given one', () => {
    expect(read({ serverInfo: { name: 'bank' }, tools: [mcp] }, { server: 'mine' })).toMatchObject({
      server: 'mine',
      tools: [{ server: 'mine' }],
    });
  });

  test('leaves out what a provider hosts itself, and says so', () => {
    expect(read([{ type: 'web_search' }, { type: 'bash_1', name: 'bash' }, openai])).toMatchObject({
      tools: [declared],
      left_out: [
        { index: 0, type: 'web_search' },
        { index: 1, type: 'bash_1' },
      ],
    });
  });

  test.each<[string, string, number, string]>([
    ['no list', '{\n "a": 1}', 1, 'tools/no_list'],
    ['a text', '"tools"', 1, 'tools/no_list'],
    ['a tool without name', '[\n{"description": "x"}]', 2, 'tools/form'],
    ['a tool whose schema is a text', '[\n{"name": "x",\n"parameters": "y"}]', 2, 'tools/form'],
    ['an entry that is no mapping', '{"tools": [\n\n1]}', 3, 'tools/form'],
    ['a tool twice', '[{"name": "x"},\n{"name": "x"}]', 2, 'tools/twice'],
    [
      'a number that can not be held',
      '[{"name": "x", "parameters": {\n"maximum": 9223372036854775807}}]',
      2,
      'file/inexact_number',
    ],
    ['a key twice', '[{"name": "x",\n"name": "y"}]', 2, 'file/duplicate_key'],
    ['half of itself', '[{"name": "x",', 1, 'file/not_json'],
  ])('with %s is refused at its line', (_, text, line, code) => {
    expect(problems(text)).toMatchObject([{ file: 'tools.json', line, code }]);
  });

  const real = process.env.GROUNDS_REAL_DATA;
  test.skipIf(real === undefined)('is read from every recorded MCP server (needs GROUNDS_REAL_DATA)', () => {
    const folder = join(real ?? '', 'mcp-tools');
    const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
    expect(files.length).toBeGreaterThan(0);
    for (const name of files) {
      const { server, tools } = loadToolsFile(join(folder, name));
      expect(server).not.toBe('local');
      expect(tools.length).toBeGreaterThan(0);
    }
  });
});
