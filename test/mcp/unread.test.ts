import { PassThrough } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { expect, test, vi } from 'vitest';
import { parseChecklist } from '../../src/declarations/load.ts';
import { randomId } from '../../src/events/random-id.ts';
import { serveHttp } from '../../src/mcp/serve.ts';
import { stdioHost } from '../../src/mcp/stdio-host.ts';
import { stdioServer } from '../../src/mcp/stdio-server.ts';
import { MOST_UNREAD, type ServerTransport } from '../../src/mcp/transport.ts';
import { live } from '../preflight/live.ts';
import { PAY } from './by-hand.ts';

const MEGABYTE = 1024 * 1024;
const long: JSONRPCMessage = {
  jsonrpc: '2.0',
  method: 'notifications/long',
  params: { text: 'x'.repeat(MEGABYTE) },
};
const MORE_THAN_FITS = (MOST_UNREAD / MEGABYTE) * 2;

test('What a host does not read over stdio is held up to a limit: then it is told, and the session is closed', async () => {
  const output = new PassThrough();
  const host = stdioHost(new PassThrough(), output);
  const [errors, closed]: [string[], string[]] = [[], []];
  host.onerror = ({ message }) => errors.push(message);
  host.onclose = () => closed.push('closed');
  await host.start();
  for (let sent = 0; sent < MORE_THAN_FITS; sent++) await host.send(long);
  expect([errors, closed]).toEqual([[expect.stringContaining('The host does not read')], ['closed']]);
  expect(output.writableLength).toBeLessThan(MOST_UNREAD + 2 * MEGABYTE);
});

test('A host over stdio that reads may be sent any amount', async () => {
  const output = new PassThrough().resume();
  const host = stdioHost(new PassThrough(), output);
  const errors: Error[] = [];
  host.onerror = (error) => errors.push(error);
  await host.start();
  for (let sent = 0; sent < MORE_THAN_FITS; sent++) {
    await host.send(long);
    await pause(0);
  }
  expect(errors).toEqual([]);
});

test('What a host does not read over HTTP is held up to a limit: then its session is closed, and its server with it', async () => {
  let closed = 0;
  const server = (): ServerTransport => {
    const transport: ServerTransport = {
      async start() {},
      async close() {
        closed++;
        transport.onclose?.();
      },
      async send(message) {
        if (!('method' in message) || !('id' in message)) return;
        const { id, method } = message;
        const result = {
          protocolVersion: '2025-06-18',
          capabilities: {},
          serverInfo: { name: 's', version: '1' },
        };
        if (method === 'initialize') transport.onmessage?.({ jsonrpc: '2.0', id, result });
        else
          for (let sent = 0; sent < MORE_THAN_FITS && closed === 0; sent++) {
            transport.onmessage?.(long);
            await pause(1);
          }
      },
    };
    return transport;
  };
  const errors: string[] = [];
  const around = live({ checklists: [parseChecklist(PAY, 'rules.yaml')], newId: randomId });
  const onerror = ({ message }: Error): void => void errors.push(message);
  const { url, close } = await serveHttp(server, { around, onerror }, { port: 0 });
  const post = (method: string, more: Record<string, string> = {}) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...more,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: method,
        method,
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'h', version: '1' } },
      }),
    });
  const opened = await post('initialize');
  await opened.text();
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') as string };
  const unread = await post('flood', session);
  await vi.waitFor(() => expect(closed).toBeGreaterThan(0), { timeout: 20_000 });
  expect(errors).toContainEqual(expect.stringContaining('The host does not read'));
  expect((await post('ping', session)).status).toBe(404);
  await expect(unread.text()).rejects.toThrow();
  await close();
}, 30_000);

test('What a server does not read is held up to a limit: then nothing more is sent to it', async () => {
  const server = stdioServer({ command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] });
  await server.start();
  const sent = Array.from({ length: MORE_THAN_FITS }, () => server.send(long));
  await expect(sent.at(-1)).rejects.toThrow('The server does not read');
  for (const each of sent) each.catch(() => {});
  await server.close();
}, 20_000);
