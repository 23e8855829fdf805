import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { rolldown } from 'rolldown';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openSqliteLogSync } from '../../src/log/index.ts';
import { linesOf } from '../../src/mcp/lines.ts';
import { MOST_UNREAD } from '../../src/mcp/transport.ts';
import { RULES } from './rules.ts';
import { SERVERS } from './servers.ts';
import { folder, replays } from './stage.ts';

const ROOT = join(import.meta.dirname, '../..');

/** `grounds` as a program of its own, packages outside: as it is run, but quicker to make than the whole build. */
let cli: string;
let bundled: string;
const dir = folder();
beforeAll(async () => {
  bundled = mkdtempSync(join(ROOT, 'node_modules', '.mcp-'));
  cli = join(bundled, 'cli.js');
  const bundle = await rolldown({
    input: join(ROOT, 'src/cli/main.ts'),
    cwd: ROOT,
    platform: 'node',
    external: (id) => !id.startsWith('.') && !id.startsWith('/'),
    logLevel: 'silent',
  });
  await bundle.write({ file: cli, format: 'esm', codeSplitting: false });
}, 60_000);
afterAll(() => {
  rmSync(bundled, { recursive: true, force: true });
  dir.end();
});

function gatewayArgs(
  db: string,
  rules: string,
  server: { command: string; args: readonly string[] },
): string[] {
  const file = `${db}.rules.yaml`;
  writeFileSync(file, rules);
  return [cli, 'mcp', '--checklists', file, '--db', db, '--', server.command, ...server.args];
}

const context = (more = {}) => ({ 'grounds/context': { conversation: 'c', ...more } });
const typed = (body: string) => ({ author: 'user', typed: true, body });

describe('grounds mcp, as a process', { timeout: 90_000 }, () => {
  test('stdout carries the protocol only; the end of the input ends it, its server and its log, whole', async () => {
    const db = join(dir.path, 'eof.db');
    const path = join(dir.path, 'eof.txt');
    const server = SERVERS.filesystem(dir.path);
    const child = spawn(process.execPath, gatewayArgs(db, RULES.files, server), {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const lines: string[] = [];
    const reader = linesOf(
      (line) => lines.push(line),
      () => {},
    );
    child.stdout.on('data', (chunk: Buffer) => reader.push(chunk));
    const send = (message: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'host', version: '1' };
    send({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
    });
    await until(() => lines.length > 0);
    send({ method: 'notifications/initialized' });
    const params = {
      name: 'write_file',
      arguments: { path, content: 'milk' },
      _meta: context({ segments: [typed(`Write milk to ${path}.`)] }),
    };
    send({ id: 2, method: 'tools/call', params });
    // The input ends at once: what is running is finished and answered.
    child.stdin.end('not json\n');
    const code = await exited(child);
    expect(code).toBe(0);
    const messages = lines.map((line) => JSON.parse(line) as { id?: number; error?: { code: number } });
    expect(messages.every((message) => 'jsonrpc' in message)).toBe(true);
    expect(messages.find(({ id }) => id === 2)).toMatchObject({ result: { content: [{ type: 'text' }] } });
    expect(messages.find(({ error }) => error?.code === -32700)).toBeDefined();
    expect(readFileSync(path, 'utf8')).toBe('milk');
    const log = openSqliteLogSync({ file: db });
    replays(log);
    await log.close();
  });

  test('a signal ends it cleanly; a server that goes away by itself is an error', async () => {
    const stdio = ['pipe', 'ignore', 'ignore'] as const;
    const start = (name: string, server: { command: string; args: readonly string[] }) =>
      spawn(process.execPath, gatewayArgs(join(dir.path, name), RULES.files, server), { stdio: [...stdio] });
    const signalled = async (signal: 'SIGTERM' | 'SIGINT'): Promise<number | null> => {
      const child = start(`${signal}.db`, SERVERS.filesystem(dir.path));
      await until(() => existsSync(join(dir.path, `${signal}.db`)));
      await pause(300);
      child.kill(signal);
      return exited(child);
    };
    const gone = exited(start('gone.db', { command: process.execPath, args: ['-e', '0'] }));
    const missing = exited(start('missing.db', { command: join(dir.path, 'no-such-program'), args: [] }));
    expect(await Promise.all([signalled('SIGTERM'), signalled('SIGINT'), gone, missing])).toEqual([
      0, 0, 1, 2,
    ]);
  });

  test('CASE 15: killed between start and end: the start is there, and the call is not made again', async () => {
    const db = join(dir.path, 'killed.db');
    const world = join(dir.path, 'effects.txt');
    const server = { command: process.execPath, args: [slowServer(world)] };
    const params = (more = {}) => ({ name: 'append', arguments: { word: 'milk' }, _meta: context(more) });
    const first = await host(gatewayArgs(db, APPEND, server));
    void first.client.callTool(params({ segments: [typed('Append milk.')] })).catch(() => {});
    await until(() => existsSync(world));
    process.kill(first.pid, 'SIGKILL');
    await until(() => !alive(first.pid));
    const second = await host(gatewayArgs(db, APPEND, server));
    const again = await second.client.callTool(params());
    expect(again._meta?.['grounds/refusal']).toMatchObject({ outcome: 'unknown' });
    await second.client.close();
    expect(readFileSync(world, 'utf8')).toBe('milk\n');
    const log = openSqliteLogSync({ file: db });
    const types: string[] = [];
    for (const page of log.readSync({})) for (const { type } of page) types.push(type);
    expect(types.filter((type) => /^Call(Started|Succeeded|Failed)/.test(type))).toEqual(['CallStarted']);
    replays(log);
    await log.close();
  });

  test('a host that does not read is given up; what waits for it is still there to be read, and no more than that', async () => {
    const flood = `const params = { text: 'x'.repeat(1e6) };
const line = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/long', params }) + '\\n';
const more = () => { while (process.stdout.write(line)); process.stdout.once('drain', more); };
more();
process.stdin.resume().on('end', () => process.exit());`;
    const server = { command: process.execPath, args: ['-e', flood] };
    const child = spawn(process.execPath, gatewayArgs(join(dir.path, 'unread.db'), RULES.files, server), {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let err = '';
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    await until(() => err.includes('The host does not read'));
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
    });
    expect(await exited(child)).toBe(0);
    expect(size).toBeLessThan(MOST_UNREAD + 3e6);
    expect(err.split('\n').length).toBe(2);
  });

  test('what it is given wrong is told on stderr, and nothing is started', async () => {
    const child = spawn(process.execPath, [cli, 'mcp', '--db', join(dir.path, 'none.db')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    expect(await exited(child)).toBe(2);
    expect([out, err]).toEqual(['', expect.stringContaining('no server to stand in front of')]);
    expect(existsSync(join(dir.path, 'none.db'))).toBe(false);
  });

  test.each([
    [['--patience', '3000000'], '2147483'],
    [['--timeout', '3000000'], '2147483'],
    [['--listen', '99999999'], '65535'],
    [['--listen', '0', '--address', '300.1.1.1'], 'Nobody can listen on 300.1.1.1'],
  ])('%j is wrong use', async (given, told) => {
    const at = ['--db', join(dir.path, 'wrong.db'), '--upstream', 'http://127.0.0.1:9/mcp'];
    const child = spawn(process.execPath, [cli, 'mcp', ...at, ...given], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let err = '';
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    expect([await exited(child), err.replace(/\s+/g, ' ')]).toEqual([2, expect.stringContaining(told)]);
  });
});

describe('Two gateways on one log, each a process', { timeout: 90_000 }, () => {
  const hosts: Client[] = [];
  afterEach(async () => {
    await Promise.all(hosts.splice(0).map((client) => client.close()));
  });
  const two = async (db: string, rules: string, server: { command: string; args: readonly string[] }) => {
    await openSqliteLogSync({ file: db, create: true }).close();
    const opened = await Promise.all([1, 2].map(() => host(gatewayArgs(db, rules, server))));
    hosts.push(...opened.map(({ client }) => client));
    return opened.map(({ client }) => client) as [Client, Client];
  };
  const append = (client: Client, word: string, more: object) =>
    client.callTool({ name: 'append', arguments: { word }, _meta: context(more) });
  const refusal = (result: { _meta?: object | undefined }) =>
    (result._meta as { 'grounds/refusal'?: unknown } | undefined)?.['grounds/refusal'];

  test('a call that the one has started and that has no end is not made by the other, nor is it after its end', async () => {
    const db = join(dir.path, 'started.db');
    const world = join(dir.path, 'started.txt');
    const server = { command: process.execPath, args: [slowServer(world, 3000)] };
    const [first, second] = await two(db, APPEND, server);
    const same = { request: 'r', segments: [typed('Append milk.')], segments_from: 0 };
    const running = append(first, 'milk', same);
    await until(() => existsSync(world));
    expect(refusal(await append(second, 'milk', same))).toMatchObject({ outcome: 'unknown', code: null });
    expect(await typesIn(db)).not.toContain('CallSucceeded');
    expect((await running).isError).toBeUndefined();
    expect(refusal(await append(second, 'milk', same))).toMatchObject({ refused: ['repeated'] });
    expect(refusal(await append(first, 'milk', same))).toMatchObject({ refused: ['repeated'] });
    expect(readFileSync(world, 'utf8')).toBe('milk\n');
    expect((await typesIn(db)).filter((type) => ENDS.test(type))).toEqual(['CallStarted', 'CallSucceeded']);
  });

  test('a call that both propose at the same time has one effect, and only one of them hears that it was done', async () => {
    const db = join(dir.path, 'race.db');
    const world = join(dir.path, 'race.txt');
    const server = { command: process.execPath, args: [slowServer(world, 200)] };
    const clients = await two(db, APPEND, server);
    const words = ['milk', 'bread', 'salt', 'rice', 'oil', 'tea'];
    for (const [index, word] of words.entries()) {
      const same = { request: word, segments: [typed(`Append ${word}.`)], segments_from: index };
      const results = await Promise.all(clients.map((client) => append(client, word, same)));
      const refused = results.map(refusal).filter((each) => each !== undefined);
      expect([results.filter(({ isError }) => isError !== true).length, refused.length]).toEqual([1, 1]);
    }
    expect(readFileSync(world, 'utf8')).toBe(`${words.join('\n')}\n`);
    expect((await typesIn(db)).filter((type) => ENDS.test(type))).toEqual(
      words.flatMap(() => ['CallStarted', 'CallSucceeded']),
    );
  });

  test('calls of two conversations both go through', async () => {
    const db = join(dir.path, 'apart.db');
    const clients = await two(db, RULES.files, SERVERS.filesystem(dir.path));
    const write = (client: Client, name: string, content: string) => {
      const path = join(dir.path, name);
      const segments = [typed(`Write ${content} to ${path}.`)];
      const _meta = context({ conversation: name, request: 'r', segments });
      return client.callTool({ name: 'write_file', arguments: { path, content }, _meta });
    };
    const names = ['apart-1', 'apart-2', 'apart-3', 'apart-4'];
    const results = await Promise.all(
      names.map((name, index) => write(clients[index % 2] as Client, name, `word-${index}`)),
    );
    expect(results.map(refusal)).toEqual(names.map(() => undefined));
    expect(names.map((name) => readFileSync(join(dir.path, name), 'utf8'))).toEqual(
      names.map((_, index) => `word-${index}`),
    );
    const types = (await typesIn(db)).filter((type) => ENDS.test(type));
    expect(types.toSorted()).toEqual([
      ...names.map(() => 'CallStarted'),
      ...names.map(() => 'CallSucceeded'),
    ]);
  });
});

const ENDS = /^Call(Started|Succeeded|Failed|OutcomeUnknown)$/;

/** The types of all events of a log, which replays. */
async function typesIn(db: string): Promise<string[]> {
  const log = openSqliteLogSync({ file: db });
  const types: string[] = [];
  for (const page of log.readSync({})) for (const { type } of page) types.push(type);
  replays(log);
  await log.close();
  return types;
}

const APPEND = `grounds: 1
checklist: append/rules
declared_by: system
intent: { unmarked_timing: immediate, act_words: { append: [append] } }
tools: { append: { slots: { /word: { reader: text } } } }
`;

/** A server whose tool has its effect at once and answers later. */
function slowServer(world: string, later = 30_000): string {
  const file = join(bundled, `slow-${later}.mjs`);
  writeFileSync(
    file,
    `import { appendFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
const server = new McpServer({ name: 'slow', version: '1' });
server.registerTool('append', { inputSchema: { word: z.string() } }, async ({ word }) => {
  appendFileSync(${JSON.stringify(world)}, word + '\\n');
  await new Promise((resolve) => setTimeout(resolve, ${later}));
  return { content: [] };
});
await server.connect(new StdioServerTransport());
process.stdin.on('end', () => process.exit(0));
`,
  );
  return file;
}

async function host(args: string[]): Promise<{ client: Client; pid: number }> {
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' });
  const client = new Client({ name: 'host', version: '1.0.0' });
  await client.connect(transport);
  return { client, pid: transport.pid ?? 0 };
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function exited(child: ChildProcess): Promise<number | null> {
  return child.exitCode !== null
    ? Promise.resolve(child.exitCode)
    : new Promise((resolve) => child.once('close', (code) => resolve(code)));
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries > 400) throw new Error('It never came.');
    await pause(50);
  }
}
