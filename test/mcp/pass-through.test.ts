import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolResultSchema,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseChecklist } from '../../src/declarations/load.ts';
import { digestOf } from '../../src/events/digest.ts';
import { randomId } from '../../src/events/random-id.ts';
import { serveStdio } from '../../src/mcp/serve.ts';
import type { Session } from '../../src/mcp/session.ts';
import { stdioServer } from '../../src/mcp/stdio-server.ts';
import { live } from '../preflight/live.ts';
import { SERVERS } from './servers.ts';

const RULES = `grounds: 1
checklist: everything/policy
declared_by: system
trusts_annotations_of: [mcp-servers/everything]
tools:
  trigger-long-running-operation: { reversible: true }
  trigger-sampling-request: { reversible: true }
  trigger-elicitation-request: { reversible: true }
  get-roots-list: { reversible: true }
  get-structured-content: { reversible: true }
  toggle-simulated-logging: { reversible: true }
  echo: { reversible: true }
`;

const CAPABILITIES = { elicitation: {}, sampling: {}, roots: { listChanged: true } };

/** A host with all that a host can have, at the server itself or with the gateway between them. */
async function host(gateway: boolean) {
  const client = new Client({ name: 'host', version: '1.0.0' }, { capabilities: CAPABILITIES });
  client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => ({
    model: 'none',
    role: 'assistant' as const,
    content: { type: 'text' as const, text: `sampled ${JSON.stringify(params.messages).length > 0}` },
  }));
  client.setRequestHandler(ElicitRequestSchema, async () => ({
    action: 'accept' as const,
    content: { name: 'Ann' },
  }));
  client.setRequestHandler(ListRootsRequestSchema, async () => ({
    roots: [{ uri: 'file:///tmp', name: 'tmp' }],
  }));
  const server = stdioServer(SERVERS.everything());
  if (!gateway) {
    await client.connect(server);
    return { client, end: () => client.close(), around: null, session: null };
  }
  const around = live({ checklists: [parseChecklist(RULES, 'rules.yaml')], newId: randomId });
  const [toGateway, toHost] = [new PassThrough(), new PassThrough()];
  const session: Session = await serveStdio(
    () => server,
    { around, server: 'mcp-servers/everything' },
    { input: toGateway, output: toHost },
  );
  await client.connect(new StdioServerTransport(toHost, toGateway));
  const end = async () => {
    await client.close();
    toGateway.end();
    await session.ended;
  };
  return { client, end, around, session };
}

type Host = Awaited<ReturnType<typeof host>>;

describe('Between a host and the everything server', () => {
  let direct: Host;
  let through: Host;
  beforeAll(async () => {
    [direct, through] = await Promise.all([host(false), host(true)]);
  }, 60_000);
  afterAll(() => Promise.all([direct.end(), through.end()]));
  const both = <T>(ask: (client: Client) => Promise<T>): Promise<T[]> =>
    Promise.all([ask(direct.client), ask(through.client)]);

  test('what the two say of themselves is the same', async () => {
    const [a, b] = await both(async (client) => [
      client.getServerVersion(),
      client.getServerCapabilities(),
      client.getInstructions(),
    ]);
    expect(b).toEqual(a);
  });

  test('lists of tools come unchanged, in their order, and each definition is recorded once', async () => {
    const [a, b] = await both((client) => client.listTools());
    expect(JSON.stringify(b)).toBe(JSON.stringify(a));
    await through.client.listTools();
    const declared: string[] = [];
    for (const page of through.around?.log.readSync({ types: ['ToolDeclared'] }) ?? [])
      for (const { event } of page) {
        const { tool, digest } = event.data as { tool: { name: string }; digest: string };
        expect(digest).toBe(digestOf(tool));
        declared.push(tool.name);
      }
    expect(declared).toEqual(b?.tools.map(({ name }) => name));
  });

  test.each([
    ['resources', (client: Client) => client.listResources()],
    ['templates', (client: Client) => client.listResourceTemplates()],
    ['prompts', (client: Client) => client.listPrompts()],
    ['a prompt', (client: Client) => client.getPrompt({ name: 'args-prompt', arguments: { city: 'Ulm' } })],
    ['a ping', (client: Client) => client.ping()],
    [
      'completions',
      (client: Client) =>
        client.complete({
          ref: { type: 'ref/prompt', name: 'completable-prompt' },
          argument: { name: 'department', value: 'E' },
        }),
    ],
    [
      'an unknown method',
      (client: Client) =>
        client.request({ method: 'no/such' }, CallToolResultSchema).catch((e: Error) => e.message),
    ],
  ])('%s', async (_, ask) => {
    const [a, b] = await both(ask as (client: Client) => Promise<unknown>);
    expect(b).toEqual(a);
  });

  test('a resource is read as it is', async () => {
    const { resources } = await direct.client.listResources();
    const [a, b] = await both((client) => client.readResource({ uri: resources[0]?.uri ?? '' }));
    expect(b).toEqual(a);
  });

  test('progress of a call outside the gate reaches the host', async () => {
    const seen: number[] = [];
    await through.client.callTool(
      { name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 3 } },
      CallToolResultSchema,
      { onprogress: ({ progress }) => seen.push(progress) },
    );
    expect(seen).toEqual([1, 2, 3]);
  });

  test('a call is cancelled where it runs', async () => {
    const cancel = new AbortController();
    const call = through.client.callTool(
      { name: 'trigger-long-running-operation', arguments: { duration: 30, steps: 30 } },
      CallToolResultSchema,
      { signal: cancel.signal },
    );
    setTimeout(() => cancel.abort('enough'), 100);
    await expect(call).rejects.toThrow('enough');
    expect(await through.client.ping()).toEqual({});
  });

  test('the server asks the host: sampling, elicitation, roots', async () => {
    const sampled = await through.client.callTool({
      name: 'trigger-sampling-request',
      arguments: { prompt: 'Hi', maxTokens: 5 },
    });
    expect(JSON.stringify(sampled)).toContain('sampled true');
    const asked = await through.client.callTool({ name: 'trigger-elicitation-request', arguments: {} });
    expect(JSON.stringify(asked)).toContain('Ann');
    const roots = await through.client.callTool({ name: 'get-roots-list', arguments: {} });
    expect(JSON.stringify(roots)).toContain('file:///tmp');
  });

  test('log messages of the server reach the host', async () => {
    const heard = new Promise((resolve) =>
      through.client.setNotificationHandler(LoggingMessageNotificationSchema, resolve),
    );
    await through.client.setLoggingLevel('debug');
    await through.client.callTool({ name: 'toggle-simulated-logging', arguments: {} });
    expect(await heard).toMatchObject({ method: 'notifications/message' });
    await through.client.callTool({ name: 'toggle-simulated-logging', arguments: {} });
  });

  test('structured results come as they are', async () => {
    const [a, b] = await both((client) =>
      client.callTool({ name: 'get-structured-content', arguments: { location: 'Chicago' } }),
    );
    expect(b).toEqual(a);
  });

  test('a hint counts where the system trusts the server, and nowhere else', async () => {
    const env = await through.client.callTool({ name: 'get-env', arguments: {} });
    expect(env.isError).toBeUndefined();
    const zip = {
      name: 'gzip-file-as-resource',
      arguments: { name: 'a', data: 'data:,a', outputType: 'resource' },
    };
    const { tools } = await through.client.listTools();
    expect(tools.find(({ name }) => name === zip.name)?.annotations?.readOnlyHint).not.toBe(true);
    const refused = await through.client.callTool(zip);
    expect(refused._meta?.['grounds/refusal']).toMatchObject({
      verdict: 'intent_undetermined',
      // Nothing is declared of it, so no reply of a user's could let it run.
      questions: [],
    });
  });
});
