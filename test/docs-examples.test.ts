import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import * as replaying from '../replay/index.ts';
import { processIo } from '../src/cli/io.ts';
import { programOf } from '../src/cli/program.ts';
import { parseChecklist } from '../src/declarations/load.ts';
import * as grounds from '../src/index.ts';
import * as mcp from '../src/mcp/index.ts';
import { BANK_RULES } from './cli/bank.ts';
import { grounds as command, folder } from './cli/terminal.ts';

/** The blocks of a page in a language, as they stand. */
function blocks(page: string, language: string): string[] {
  const found = readFileSync(page, 'utf8').matchAll(
    new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'),
  );
  return [...found].map(([, code = '']) => code);
}

/** Runs a block as it stands, with what its reader has in `given`; its imports become the entries that they name. */
async function running(code: string, given: Readonly<Record<string, unknown>>): Promise<unknown[]> {
  const entries = { grounds, 'grounds/replay': replaying, 'grounds/mcp': mcp };
  const told: unknown[] = [];
  const body = code.replace(/import \{([^}]*)\} from ('[^']*');/g, 'const {$1} = entries[$2];');
  expect(body).not.toMatch(/^import /m);
  const run = new Function('entries', 'console', ...Object.keys(given), `return (async () => {${body}})();`);
  await run(entries, { log: (said: unknown) => told.push(said) }, ...Object.values(given));
  return told;
}

test('the README’s lines for grounds/replay replay a log, and end in a summary', async () => {
  const { path, file } = folder();
  const log = path('grounds.db');
  const request = {
    conversation: [{ role: 'user', content: 'Send 5 to B' }],
    tool: 'transfer',
    arguments: { amount: 5, to: 'B' },
  };
  await command(['check', file('r.json', JSON.stringify(request)), log, '-c', file('p.yaml', BANK_RULES)]);
  const code = blocks('README.md', 'ts').find((block) => block.includes("'grounds/replay'")) ?? '';
  const opened = grounds.openSqliteLogSync({ file: log });
  const told = await running(code, { log: opened });
  await opened.close();
  expect(told).toEqual([expect.objectContaining({ replayed: 1, matched: 1, diverged: 0, tampered: 0 })]);
});

test('docs/cli.md has a request that is executable, and shows what may come beside it', async () => {
  const { path, file } = folder();
  const [request = '', beside = ''] = blocks('docs/cli.md', 'json');
  // A setting that no slot uses would be refused.
  const rules = `${BANK_RULES}      /from: { reader: text, setting: from_account }\n`;
  const check = async (more: object) => {
    const body = JSON.stringify({ ...JSON.parse(request), ...more });
    return command(['check', file('r.json', body), path('c.db'), '-c', file('p.yaml', rules)]);
  };
  expect((await check({})).exit).toBe(0);
  const lines = beside.trim().split('\n');
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(await check(JSON.parse(line)), line).toMatchObject({ exit: 0, err: '' });
});

test('docs/executor.md has an executor that makes a call as it stands', async () => {
  const log = grounds.openMemoryLog();
  const preflight = grounds.createPreflight({
    log,
    checklists: [parseChecklist(BANK_RULES, 'bank.yaml')],
    hooks: grounds.byRules,
  });
  const conversation = grounds.randomId();
  const request = await preflight.openRequest({ conversation });
  await preflight.say(conversation, [{ author: 'user', typed: true, body: 'Send 5 to B' }]);
  const { run } = await preflight.judge({
    conversation,
    request,
    call: grounds.randomId(),
    tool: { name: 'transfer' },
    arguments: { amount: 5, to: 'B' },
  });
  const posted: unknown[] = [];
  const bank = {
    post: async (name: string, args: unknown) => posted.push([name, args]) && new Response('paid'),
  };
  const [code = ''] = blocks('docs/executor.md', 'ts');
  // The page's reader has a log of their own.
  await running(code.replace(/const log = .*\n/, ''), { log, bank, run });
  expect(posted).toEqual([['transfer', { amount: 5, to: 'B' }]]);
});

test('docs/mcp.md has a host’s configuration whose arguments are a command line of grounds', () => {
  const [shown = ''] = blocks('docs/mcp.md', 'json');
  const { command: name, args } = JSON.parse(shown).mcpServers.files;
  expect(name).toBe('grounds');
  const program = programOf(processIo(), () => {});
  const mcpCommand = program.commands.find((each) => each.name() === args[0]);
  const { operands, unknown } = mcpCommand?.parseOptions(args.slice(1)) ?? {
    operands: [],
    unknown: ['none'],
  };
  expect([unknown, operands[0], mcpCommand?.opts().db]).toEqual([[], 'npx', 'files.db']);
});

test('docs/mcp.md has a session that goes through a server of the SDK’s', async () => {
  const code = blocks('docs/mcp.md', 'ts')[0] ?? '';
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const replies = new Promise<string>((resolve) => stdout.once('data', (data) => resolve(String(data))));
  const around = grounds.createPreflight({ log: grounds.openMemoryLog(), hooks: grounds.byRules }).around();
  const done = running(code, { process: { stdin, stdout }, around });
  const hello = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello })}\n`);
  expect(JSON.parse(await replies)).toMatchObject({ id: 1, result: { serverInfo: expect.anything() } });
  stdin.end();
  await done;
}, 60_000);

test('docs/preflight.md shows rules beside a hook of one’s own', async () => {
  const code = blocks('docs/preflight.md', 'js').find((block) => !block.includes('import ')) ?? '';
  const { createPreflight, byRules } = grounds;
  const given = {
    createPreflight,
    byRules,
    log: grounds.openMemoryLog(),
    checklists: [],
    myMeasurements: () => undefined,
  };
  await running(code, given);
  expect(code).toContain('myMeasurements');
});

test('docs/suggest.md shows a draft that loads, and loads with every guess taken', () => {
  const [draft = ''] = blocks('docs/suggest.md', 'yaml');
  const head = 'grounds: 1\nchecklist: a/b\ndeclared_by: system\n';
  expect(parseChecklist(`${head}${draft}`, 'draft.yaml').checklist.tools).toHaveProperty('relocate_boat');
  const taken = draft.replace(/^# /gm, '').replace(/^#( +)/gm, '$1');
  expect(parseChecklist(`${head}${taken}`, 'taken.yaml').checklist.facts).toHaveProperty('member');
});
