import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { parseChecklist } from '../../src/declarations/load.ts';
import { type AnyEvent, parseEvent } from '../../src/events/index.ts';
import { randomId } from '../../src/events/random-id.ts';
import { openMemoryLog, type SyncLog } from '../../src/log/index.ts';
import { exactText } from '../../src/mcp/exact-message.ts';
import type { GatewayOptions } from '../../src/mcp/options.ts';
import { openSession } from '../../src/mcp/session.ts';
import { stdioHost } from '../../src/mcp/stdio-host.ts';
import type { ServerTransport } from '../../src/mcp/transport.ts';
import { live } from '../preflight/live.ts';

export const PAY = `grounds: 1
checklist: t/policy
declared_by: system
intent:
  unmarked_timing: immediate
  act_words:
    transfer: [transfer, send]
  yes: [yes]
  no: ["no"]
tools:
  look: { reversible: true }
`;
const ARGUMENTS = {
  type: 'object',
  properties: { to: { type: 'string' }, amount: { type: 'number' } },
  required: ['to', 'amount'],
};
export const TOOLS = [
  { name: 'transfer', description: 'moves money', inputSchema: ARGUMENTS },
  { name: 'look', description: 'looks', inputSchema: { type: 'object' } },
];

/** A message as it stands on a line. */
export type Line = {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly [key: string]: unknown };
  readonly result?: {
    readonly content?: readonly { readonly text: string }[];
    readonly _meta?: { readonly 'grounds/refusal'?: Record<string, unknown> };
  };
  readonly error?: { readonly code: number; readonly message: string };
};

export interface ByHandOptions {
  readonly log?: SyncLog;
  readonly rules?: string;
  readonly options?: Partial<GatewayOptions>;
  /** What the server does with a message; null: what a server does. */
  readonly on?: (message: Line, say: (message: Record<string, unknown>) => void) => 'handled' | null;
  readonly tools?: readonly unknown[];
  readonly name?: unknown;
}

/** A gateway between a host and a server that say whatever a test wants them to say. */
export async function byHand(given: ByHandOptions = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  /** What the server got. */
  const got: Line[] = [];
  const say = (message: Record<string, unknown>): void =>
    transport.onmessage?.({ jsonrpc: '2.0', ...message } as never as JSONRPCMessage);
  const answer = (message: Line): void => {
    if (given.on?.(message, say) === 'handled' || message.id === undefined) return;
    const name = given.name === undefined ? 'srv' : given.name;
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name, version: '1' },
      },
      'tools/list': { tools: given.tools ?? TOOLS },
      'tools/call': { content: [{ type: 'text', text: 'done' }] },
    };
    say({ id: message.id, result: results[message.method ?? ''] ?? {} });
  };
  const transport: ServerTransport = {
    async start() {},
    async close() {
      transport.onclose?.();
    },
    async send(message) {
      const line = JSON.parse(exactText(message)) as Line;
      got.push(line);
      queueMicrotask(() => answer(line));
    },
  };
  const around = live({
    log: given.log ?? openMemoryLog(),
    checklists: [parseChecklist(given.rules ?? PAY, 'rules.yaml')],
    newId: randomId,
    clock: () => new Date().toISOString(),
  });
  const errors: string[] = [];
  const onerror = ({ message }: Error): void => void errors.push(message);
  const options = { around, timeout: 300, patience: 300, onerror, ...given.options };
  const session = await openSession(stdioHost(input, output), transport, options);
  /** What the host heard. */
  const heard: Line[] = [];
  const waiting = new Map<unknown, (line: Line) => void>();
  let held = '';
  output.on('data', (chunk: Buffer) => {
    const lines = (held + chunk).split('\n');
    held = lines.pop() as string;
    for (const line of lines.map((text) => JSON.parse(text) as Line)) {
      heard.push(line);
      waiting.get(line.id)?.(line);
    }
  });
  const send = (message: Record<string, unknown>): void =>
    void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  /** Sends one line as it is, and gives what answers it. */
  const line = (text: string, id: unknown): Promise<Line> =>
    new Promise((resolve) => {
      waiting.set(id, resolve);
      input.write(`${text}\n`);
    });
  let ids = 1000;
  const ask = (method: string, params: unknown, id: unknown = ids++): Promise<Line> =>
    new Promise((resolve) => {
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  const call = (name: string, args: unknown, context: object = {}, id?: unknown): Promise<Line> =>
    ask(
      'tools/call',
      { name, arguments: args, _meta: { 'grounds/context': { conversation: 'c', ...context } } },
      id,
    );
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {} });
  return {
    got,
    heard,
    errors,
    send,
    line,
    ask,
    call,
    calls: () => got.filter(({ method }) => method === 'tools/call'),
    events: (): AnyEvent[] =>
      [...around.log.readSync({})].flatMap((page) => page.map(({ event }) => parseEvent(event))),
    log: around.log,
    async close() {
      input.end();
      await session.ended;
    },
  };
}

export const typed = (body: string) => ({ author: 'user', typed: true, body });
/** What the user wrote, and the call that fits it. */
export const ASKED = { request: 'r', segments: [typed('Please transfer 5 to B-2')] };
export const FIVE = { to: 'B-2', amount: 5 };
export const textOf = ({ result }: Line): string => result?.content?.[0]?.text ?? '';
export const refusalOf = ({ result }: Line) => result?._meta?.['grounds/refusal'];
