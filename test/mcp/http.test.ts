import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseChecklist } from '../../src/declarations/load.ts';
import { randomId } from '../../src/events/random-id.ts';
import { openSqliteLogSync, type SyncLog } from '../../src/log/index.ts';
import type { Listening } from '../../src/mcp/http-host.ts';
import { httpServer } from '../../src/mcp/http-server.ts';
import { serveHttp } from '../../src/mcp/serve.ts';
import { stdioServer } from '../../src/mcp/stdio-server.ts';
import type { ServerTransport } from '../../src/mcp/transport.ts';
import { live } from '../preflight/live.ts';
import { desk } from './desk.ts';
import { RULES } from './rules.ts';
import { SERVERS } from './servers.ts';
import { folder, replays } from './stage.ts';

const OPEN = `grounds: 1
checklist: everything/open
declared_by: system
trusts_annotations_of: [mcp-servers/everything]
tools:
  trigger-long-running-operation: { reversible: true }
  trigger-elicitation-request: { reversible: true }
  echo: { reversible: true }
  read: { reversible: true }
`;

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function gateway(
  server: () => ServerTransport,
  rules: string,
  log?: SyncLog,
): Promise<Listening & { log: SyncLog }> {
  const around = live({
    checklists: [parseChecklist(rules, 'rules.yaml')],
    newId: randomId,
    clock: () => new Date().toISOString(),
    ...(log === undefined ? {} : { log }),
  });
  const named = rules === OPEN ? { server: 'mcp-servers/everything' } : {};
  const listening = await serveHttp(server, { around, ...named }, { port: 0 });
  closing.push(() => listening.close());
  return { ...listening, log: around.log };
}

async function hostAt(url: string): Promise<Client> {
  const client = new Client({ name: 'host', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => ({
    action: 'accept' as const,
    content: JSON.stringify(params).includes('approve') ? { approve: 'yes' } : { name: 'Ann' },
  }));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  closing.push(() => client.close());
  return client;
}

const said = (text: string, more = {}) => ({
  'grounds/context': { conversation: 'c', segments: [{ author: 'user', typed: true, body: text }], ...more },
});

describe('Over streamable HTTP', () => {
  let child: ChildProcess;
  let url: URL;
  beforeAll(async () => {
    const port = await freePort();
    const { command, args, env } = SERVERS.everythingHttp(port);
    child = spawn(command, [...args], { env: { ...process.env, ...env }, stdio: 'ignore' });
    url = new URL(`http://127.0.0.1:${port}/mcp`);
    await listening(port);
  }, 60_000);
  afterAll(() => void child.kill());

  test('both ways, all goes through: progress, questions of the server, results', async () => {
    const { url: own, log } = await gateway(() => httpServer({ url }), OPEN);
    const client = await hostAt(own);
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
    const seen: number[] = [];
    await client.callTool(
      { name: 'trigger-long-running-operation', arguments: { duration: 0.5, steps: 2 } },
      CallToolResultSchema,
      { onprogress: ({ progress }) => seen.push(progress) },
    );
    expect(seen).toEqual([1, 2]);
    expect(
      JSON.stringify(await client.callTool({ name: 'trigger-elicitation-request', arguments: {} })),
    ).toContain('Ann');
    expect(await log.version('tool/mcp-servers~1everything/echo')).toBe(1);
  });

  test('a browser page elsewhere, another name, another path and a session that is none are refused', async () => {
    const { url: own } = await gateway(() => httpServer({ url }), OPEN);
    const post = (headers: Record<string, string>, to = own) =>
      fetch(to, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      }).then(({ status }) => status);
    expect(await post({ origin: 'https://evil.example' })).toBe(403);
    expect(await post({ 'mcp-session-id': 'none' })).toBe(404);
    expect(await post({}, own.replace('/mcp', '/other'))).toBe(404);
    expect(await post({})).toBe(400);
  });

  test('a number that no double holds, and a key that the SDK leaves out, go through both ways as they are; in a tool call such a number is refused and recorded', async () => {
    const { url: server, posted } = await bigServer();
    const { url: own, log } = await gateway(() => httpServer({ url: server }), RULES_OF_WRITE);
    const client = await hostAt(own);
    await client.listTools();
    // What stands in the conversation by now, so that the verdict is about the arguments.
    await client.callTool({ name: 'read', arguments: {}, _meta: said('Write 1915883588174806058.') });
    const session = (client.transport as StreamableHTTPClientTransport).sessionId ?? '';
    const raw = (body: string) =>
      fetch(own, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-session-id': session,
        },
        body,
      }).then((response) => response.text());
    const read = await raw(
      '{"jsonrpc":"2.0","id":91,"method":"tools/call","params":{"name":"read","arguments":{}}}',
    );
    expect(read).toContain('"id":1915883588174806058}');
    await raw('{"jsonrpc":"2.0","id":92,"method":"odd","params":{"n":1915883588174806058}}');
    expect(posted.at(-1)).toContain('"n":1915883588174806058');
    // A key that the SDK leaves out of what it copies.
    for (const method of ['odd', 'odder']) {
      const proto = '"params":{"_meta":{"__proto__":2},"__proto__":{"a":1}}';
      const answer = await raw(`{"jsonrpc":"2.0","id":"${method}","method":"${method}",${proto}}`);
      expect([posted.at(-1), answer]).toEqual([
        expect.stringContaining(proto),
        expect.stringContaining(PROTO),
      ]);
    }
    const refused = await raw(
      '{"jsonrpc":"2.0","id":93,"method":"tools/call","params":{"name":"write","arguments":{"n":1915883588174806058},"_meta":{"grounds/context":{"conversation":"c"}}}}',
    );
    expect(refused).toContain('1915883588174806058 can');
    const kinds: string[] = [];
    for (const page of log.readSync({ types: ['VerdictRecorded'] }))
      for (const { event } of page) kinds.push((event.data as { verdict: { kind: string } }).verdict.kind);
    expect(kinds).toEqual(['definition_repair']);
    expect(posted.filter((body) => body.includes('"write"'))).toEqual([]);
  });

  test('an answer whose stream breaks off is an unknown outcome', async () => {
    const { url: server, posted } = await bigServer();
    const { url: own, log } = await gateway(() => httpServer({ url: server }), RULES_OF_WRITE);
    const client = await hostAt(own);
    const result = await client.callTool({ name: 'write', arguments: { n: 7 }, _meta: said('Write 7.') });
    expect(result._meta?.['grounds/refusal']).toMatchObject({
      outcome: 'unknown',
      code: 'tool/connection-lost',
    });
    expect(posted.filter((body) => body.includes('"write"')).length).toBe(1);
    expect(
      log.versionSync(`call/${(result._meta as unknown as Refused)['grounds/refusal'].call}`),
    ).toBeGreaterThan(3);
    replays(log);
  });

  test('a server that is not there was not reached: that is known', async () => {
    const { url: server, close } = await bigServer();
    const { url: own, log } = await gateway(() => httpServer({ url: server }), RULES_OF_WRITE);
    const client = await hostAt(own);
    await client.listTools();
    await client.callTool({ name: 'read', arguments: {} }).catch(() => {});
    close();
    const result = await client.callTool({ name: 'write', arguments: { n: 7 }, _meta: said('Write 7.') });
    expect(result._meta?.['grounds/refusal']).toMatchObject({ outcome: 'failed', code: 'tool/not-reached' });
    replays(log);
  });
});

interface Refused {
  readonly 'grounds/refusal': { readonly call: string };
}

const RULES_OF_WRITE = `grounds: 1
checklist: big/rules
declared_by: system
intent: { unmarked_timing: immediate, act_words: { write: [write] } }
tools:
  write: { slots: { /n: { reader: integer } } }
  read: { reversible: true }
`;

test('A host over HTTP is asked on the stream of its call, and what it approves is executed', async () => {
  const dir = folder();
  closing.push(dir.end);
  const board = desk(join(dir.path, 'books.json'));
  const { url: own, log } = await gateway(board.transport, RULES.desk);
  const client = await hostAt(own);
  const asked = 'Please transfer what I owe from A-1 to B-2.';
  await client.callTool({ name: 'get_account', arguments: { account_id: 'A-1' }, _meta: said(asked) });
  const args = { from_account: 'A-1', to_account: 'B-2', amount: 40 };
  const _meta = { 'grounds/context': { conversation: 'c' } };
  const result = await client.callTool({ name: 'transfer', arguments: args, _meta });
  expect(result.isError).toBeUndefined();
  expect(board.books().accounts['A-1']).toBe(860);
  replays(log);
});

test('A host that is gone without a word is let go, and its server with it', async () => {
  const dir = folder();
  closing.push(dir.end);
  const board = desk(join(dir.path, 'books.json'));
  let gone = 0;
  const server = (): ServerTransport => {
    const transport = board.transport();
    const close = transport.close.bind(transport);
    return Object.assign(transport, {
      close: () => {
        gone++;
        return close();
      },
    });
  };
  const around = live({ checklists: [parseChecklist(RULES.desk, 'rules.yaml')], newId: randomId });
  const own = await serveHttp(server, { around }, { port: 0, idle: 200 });
  closing.push(() => own.close());
  const client = await hostAt(own.url);
  await client.listTools();
  // Its connections end, but no DELETE comes.
  await (client.transport as StreamableHTTPClientTransport).close();
  await vi.waitFor(() => expect(gone).toBeGreaterThan(0), { timeout: 10_000 });
});

test('A host that is turned away has no server started for it, and an address that is none is no fault of ours', async () => {
  const dir = folder();
  closing.push(dir.end);
  const board = desk(join(dir.path, 'books.json'));
  const [opened, gone]: [ServerTransport[], ServerTransport[]] = [[], []];
  const server = (): ServerTransport => {
    const transport = board.transport();
    const close = transport.close.bind(transport);
    opened.push(transport);
    return Object.assign(transport, {
      close: () => {
        gone.push(transport);
        return close();
      },
    });
  };
  const { url } = await gateway(server, RULES.desk);
  const post = (to: string, accept: string, more: Record<string, string> = {}) =>
    fetch(to, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept, ...more },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'h', version: '1' } },
      }),
    }).then(({ status }) => status);
  const both = 'application/json, text/event-stream';
  expect(await post(url, 'application/json')).toBe(406);
  expect(await post(url, both, { 'content-type': 'text/plain' })).toBe(415);
  expect(await post(url, both, { origin: 'https://evil.example' })).toBe(403);
  expect(await post(`${new URL(url).origin}//`, 'application/json')).toBe(400);
  expect(opened).toEqual([]);
  expect(await post(url, both)).toBe(200);
  expect([opened.length, gone.length]).toEqual([1, 0]);
});

test('A host whose server can not be started is told so, and has no session', async () => {
  const { url } = await gateway(() => stdioServer({ command: '/no/such/program', args: [] }), RULES.desk);
  await expect(hostAt(url)).rejects.toMatchObject({ code: 500 });
});

describe('Two hosts on one log', () => {
  test('each with a gateway of its own: what one records the other sees, and a call runs once', async () => {
    const dir = folder();
    closing.push(dir.end);
    const file = join(dir.path, 'two.db');
    const open = (create: boolean) => {
      const log = openSqliteLogSync({ file, create });
      closing.push(() => log.close());
      return log;
    };
    const board = desk(join(dir.path, 'books.json'));
    const [one, two] = [
      await gateway(board.transport, RULES.desk, open(true)),
      await gateway(board.transport, RULES.desk, open(false)),
    ];
    const [first, second] = [await hostAt(one.url), await hostAt(two.url)];
    await first.callTool({
      name: 'get_account',
      arguments: { account_id: 'A-1' },
      _meta: said('Transfer 100 from A-1 to B-2.'),
    });
    const transfer = (client: Client) =>
      client.callTool({
        name: 'transfer',
        arguments: { from_account: 'A-1', to_account: 'B-2', amount: 100 },
        _meta: { 'grounds/context': { conversation: 'c' } },
      });
    const results = await Promise.all([transfer(first), transfer(second)]);
    const ran = results.filter(({ isError }) => isError !== true).length;
    expect([ran, board.books().accounts['A-1']]).toEqual([1, 800]);
    expect(board.received.filter(({ tool }) => tool === 'transfer').length).toBe(1);
    replays(one.log);
  });
});

const PROTO = '"result":{"_meta":{"__proto__":2},"__proto__":{"b":1}}';

/** A server over HTTP that gives big numbers, and odd keys, and breaks off where it is asked to write. */
async function bigServer(): Promise<{ url: URL; posted: string[]; close: () => void }> {
  const posted: string[] = [];
  const schema = '{"type":"object","required":["n"],"properties":{"n":{"type":"integer"}}}';
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    if (request.method !== 'POST') return void response.writeHead(405).end();
    posted.push(body);
    const { id, method, params } = JSON.parse(body) as {
      id?: unknown;
      method: string;
      params?: { name?: string };
    };
    const json = (result: string) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`);
    if (method === 'initialize')
      json(
        '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"big","version":"1"}}',
      );
    else if (id === undefined) response.writeHead(202).end();
    else if (method === 'odd') json(PROTO.slice('"result":'.length));
    else if (method === 'odder')
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`data: {"jsonrpc":"2.0","id":${JSON.stringify(id)},${PROTO}}\n\n`);
    else if (method === 'tools/list')
      json(
        `{"tools":[{"name":"write","inputSchema":${schema}},{"name":"read","inputSchema":{"type":"object"}}]}`,
      );
    else if (params?.name === 'write') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': working\n\n');
      setTimeout(() => response.destroy(), 50);
    } else json('{"content":[],"structuredContent":{"id":1915883588174806058}}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  closing.push(close);
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`), posted, close };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const up = await fetch(`http://127.0.0.1:${port}/mcp`).then(
      () => true,
      () => false,
    );
    if (up) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The server did not come up.');
}
