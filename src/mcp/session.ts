import type {
  InitializeResult,
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { DEFAULT_SERVER, type ToolDeclaration } from '../declarations/tool.ts';
import { isObject, type Json, type JsonObject } from '../events/json.ts';
import { isGated } from '../gate/index.ts';
import type { Signer } from '../keys/index.ts';
import type { Around } from '../preflight/around.ts';
import { undeclaredTool } from '../runs/declared.ts';
import { spansOf } from '../transcripts/source-text.ts';
import { contextOf, type HostContext, withoutContext } from './context.ts';
import { elicitingHost } from './elicit.ts';
import { withoutMarks } from './exact-message.ts';
import { argumentsIn, gateBefore } from './gated-call.ts';
import { isObserved, recordMeasurement } from './measure.ts';
import { ConnectionLost, peerOf, RemoteError } from './peer.ts';
import { faulted } from './refusal.ts';
import { type Standing, type Whereabouts, whereIs } from './requests.ts';
import { toolList } from './tool-list.ts';
import {
  errorResponse,
  type Faulty,
  type HostTransport,
  inexact,
  JSON_RPC,
  NeverSent,
  type ServerTransport,
} from './transport.ts';
import type { ServerAnswer } from './upstream-call.ts';

/** What a gateway works with. */
export interface GatewayOptions {
  /** The log, the checklists and the hooks. */
  readonly around: Around;
  /** The server's name in the log; by default the one that it gives itself. */
  readonly server?: string;
  /** The user of hosts that don't say who theirs is. */
  readonly user?: string;
  /** How it signs what it executes. Default `grounds-mcp`. */
  readonly name?: string;
  readonly key?: Signer;
  /** How long a call may take, in milliseconds; then nobody knows what became of it. Default a minute. */
  readonly timeout?: number;
  /** How long a user may take to answer. Default ten minutes; the question stays open after that. */
  readonly patience?: number;
  /** What goes wrong beside the protocol. */
  readonly onerror?: (error: Error) => void;
}

/** One host, one server, and the gate between them. */
export interface Session {
  /** Settles once everything is over and recorded; `by`: which side went away first. */
  readonly ended: Promise<{ readonly by: 'host' | 'server' | 'us' }>;
  close(): Promise<void>;
}

const LISTING = 60_000;
const CALLING = 60_000;
const ANSWERING = 10 * 60_000;
/** How long running calls may go on after the host went away, in milliseconds. */
const GRACE = 5000;

/**
 * Connects a host to a server. Every message goes from one side to the other as it came, so that what the two can do with each
 * other is what they would do alone; only `tools/call` is looked into, and what the server says of its tools is recorded.
 */
export async function openSession(
  host: HostTransport,
  server: ServerTransport,
  options: GatewayOptions,
): Promise<Session> {
  const { around } = options;
  const whereabouts: Whereabouts = { conversation: around.newId(), requests: new Map() };
  const asHost = peerOf(host);
  const asServer = peerOf(server);
  let serverName = options.server ?? DEFAULT_SERVER;
  let elicits = false;
  const tools = toolList(around, () => serverName);
  const declaresOutput = new Set<string>();
  /** The host's requests that the server has yet to answer, with their methods. */
  const passed = new Map<RequestId, string>();
  /** The host's tool calls that are being worked on. */
  const calls = new Map<RequestId, AbortController>();
  const progress = new Map<string | number, RequestId>();
  const running = new Set<Promise<void>>();

  const list = (cursor: string | undefined): Promise<JsonObject> =>
    asServer
      .ask('tools/list', cursor === undefined ? {} : { cursor }, { timeout: LISTING })
      .then((result) => {
        noteOutputs(result);
        return result;
      });
  const noteOutputs = (result: JsonObject): void => {
    for (const tool of Array.isArray(result.tools) ? (result.tools as Json[]) : []) {
      if (!isObject(tool) || typeof tool.name !== 'string') continue;
      if (tool.outputSchema === undefined) declaresOutput.delete(tool.name);
      else declaresOutput.add(tool.name);
    }
  };
  const declared = async (name: string): Promise<ToolDeclaration> => {
    await tools.upToDate(list);
    return tools.get(name) ?? { ...undeclaredTool(name), server: serverName };
  };
  const gate = gateBefore({
    around,
    server: asServer,
    name: options.name ?? 'grounds-mcp',
    key: options.key,
    timeout: options.timeout ?? CALLING,
    user: options.user,
    redeclared: ({ name }) => declared(name),
    ask: elicitingHost({
      around,
      host: asHost,
      elicits: () => elicits,
      patience: options.patience ?? ANSWERING,
    }),
  });

  const toHost = (message: JSONRPCMessage, related?: RequestId): Promise<void> =>
    host
      .send(message, related === undefined ? {} : { relatedRequestId: related })
      .catch((error: unknown) => failed(error));
  const toServer = (message: JSONRPCMessage): void => {
    void server.send(message).catch((error: unknown) => {
      failed(error);
      if ('method' in message && 'id' in message && passed.delete(message.id))
        void toHost(errorResponse(message.id, JSON_RPC.closed, 'The server could not be reached.'));
    });
  };
  const failed = (error: unknown): void =>
    options.onerror?.(error instanceof Error ? error : new Error(String(error)));

  /** Answers a tool call: outside the gate as the server does, else through it. */
  const called = async (
    id: RequestId,
    params: JsonObject,
    args: Json | string,
    context: HostContext,
    signal: AbortSignal,
  ): Promise<ServerAnswer> => {
    const name = String(params.name);
    const { name: _, arguments: __, _meta: meta, ...rest } = params;
    const seen = withoutContext(isObject(meta) ? meta : undefined) as JsonObject | undefined;
    const more: JsonObject = { ...rest, ...(seen === undefined ? {} : { _meta: seen }) };
    try {
      const tool = await declared(name);
      const at = await whereIs(around, whereabouts, context);
      const { checklists, ruleset } = around.declared;
      if (typeof args !== 'string' && !isGated({ checklists, ruleset, tool }, args))
        return { result: (await read(at, name, args, more, signal)) as never };
      if (params.task !== undefined)
        return {
          error: {
            code: JSON_RPC.invalidParams,
            message: 'A gated call is not run as a task.',
            data: undefined,
          },
        };
      const form = { declaresOutput: declaresOutput.has(name) };
      return await gate.call({ id, tool, arguments: args, context, at, more, form, signal });
    } catch (error) {
      if (error instanceof RemoteError) return { error };
      if (error instanceof ConnectionLost || error instanceof NeverSent)
        return { error: { code: JSON_RPC.closed, message: error.message, data: undefined } };
      failed(error);
      return { result: faulted(error, { declaresOutput: declaresOutput.has(name) }) };
    }
  };

  const read = async (
    at: Standing,
    tool: string,
    args: Json,
    more: JsonObject,
    signal: AbortSignal,
  ): Promise<JsonObject> => {
    const result = await asServer.ask('tools/call', { ...more, name: tool, arguments: args }, { signal });
    if (isObserved(around.declared.checklists, tool))
      await recordMeasurement(around, at.conversation, { tool, arguments: args, result });
    return result;
  };

  const answerCall = async (request: JSONRPCRequest): Promise<void> => {
    const params = (request.params ?? {}) as JsonObject;
    const args = argumentsIn(params);
    const { context, problem } = contextOf(isObject(params._meta) ? params._meta : undefined);
    if (typeof params.name !== 'string' || args === undefined) {
      const what = 'A tool call has a name, and arguments that are an object.';
      return toHost(errorResponse(request.id, JSON_RPC.invalidParams, what));
    }
    if (context === null) {
      const what =
        'What stands under _meta["grounds/context"] is not what its schema says, so nothing was done.';
      return toHost(errorResponse(request.id, JSON_RPC.invalidParams, what, problem));
    }
    const abort = new AbortController();
    calls.set(request.id, abort);
    const token = isObject(params._meta) ? params._meta.progressToken : undefined;
    if (typeof token === 'string' || typeof token === 'number') progress.set(token, request.id);
    try {
      const answer = await called(request.id, params, args, context, abort.signal);
      // Nobody hears the answer to a request that was cancelled.
      if (abort.signal.aborted && abort.signal.reason === CANCELLED) return;
      await toHost(
        'result' in answer
          ? { jsonrpc: '2.0', id: request.id, result: answer.result }
          : errorResponse(request.id, answer.error.code, answer.error.message, answer.error.data),
      );
    } finally {
      calls.delete(request.id);
      if (typeof token === 'string' || typeof token === 'number') progress.delete(token);
    }
  };

  /** A call whose arguments can't be read exactly gets its run all the same, and is never executed. CASE 23. */
  const faulty = async ({ id, method, text, value, fault }: Faulty): Promise<JSONRPCErrorResponse> => {
    const told = inexact('This request', fault);
    const refused = errorResponse(id, JSON_RPC.invalidRequest, told.message, told.data);
    const params = isObject(value) && isObject(value.params) ? value.params : {};
    if (method !== 'tools/call' || typeof params.name !== 'string') return refused;
    const received = spansOf(text, (pointer) => '/params/arguments'.startsWith(pointer)).get(
      '/params/arguments',
    );
    const { context } = contextOf(
      withoutMarks(isObject(params._meta) ? params._meta : {}) as { readonly [key: string]: unknown },
    );
    if (received === undefined || context === null) return refused;
    // What the host brings with such a request can't be read exactly either: only where it stands is taken.
    const bare = { ...context, segments: [], segments_from: undefined };
    try {
      await called(id, { name: params.name }, received, bare, AbortSignal.timeout(LISTING));
    } catch (error) {
      failed(error);
    }
    return refused;
  };

  const fromHost = (message: JSONRPCMessage): void => {
    if (!('method' in message)) {
      if (!asHost.takes(message)) toServer(message);
      return;
    }
    if (!('id' in message)) {
      heardOfHost(message);
      return;
    }
    if (message.method === 'tools/call') {
      const work = answerCall(message).catch(failed);
      running.add(work);
      void work.finally(() => running.delete(work));
      return;
    }
    if (message.method === 'initialize') {
      const { capabilities } = (message.params ?? {}) as {
        capabilities?: { elicitation?: { form?: object; url?: object } };
      };
      const elicitation = capabilities?.elicitation;
      elicits =
        elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
    }
    passed.set(message.id, message.method);
    const token = (message.params?._meta as { progressToken?: string | number } | undefined)?.progressToken;
    if (token !== undefined) progress.set(token, message.id);
    toServer(message);
  };

  const heardOfHost = (message: JSONRPCNotification): void => {
    if (message.method === 'notifications/cancelled') {
      const own = calls.get(message.params?.requestId as RequestId);
      own?.abort(CANCELLED);
      if (own !== undefined) return;
    }
    toServer(message);
  };

  const fromServer = async (message: JSONRPCMessage): Promise<void> => {
    if ('method' in message) {
      if (message.method === 'notifications/tools/list_changed') tools.changed();
      const token = (message.params as { progressToken?: string | number } | undefined)?.progressToken;
      const related = token === undefined ? undefined : progress.get(token);
      // Which of the host's requests it belongs to only the server knows; over HTTP it has to travel with one.
      return toHost(message, related ?? [...calls.keys(), ...passed.keys()].at(-1));
    }
    if (asServer.takes(message) || message.id === undefined) return;
    const method = passed.get(message.id);
    passed.delete(message.id);
    if ('result' in message) {
      const result = message.result as unknown as JsonObject;
      if (method === 'initialize') {
        const { protocolVersion, serverInfo } = message.result as unknown as InitializeResult;
        serverName = options.server ?? serverInfo?.name ?? DEFAULT_SERVER;
        server.setProtocolVersion?.(protocolVersion);
        host.setProtocolVersion?.(protocolVersion);
      }
      if (method === 'tools/list') {
        noteOutputs(result);
        await tools.heard(result).catch(failed);
      }
    }
    await toHost(message);
  };

  let over: (by: 'host' | 'server' | 'us') => void = () => {};
  const first = new Promise<'host' | 'server' | 'us'>((resolve) => {
    over = resolve;
  });
  host.onmessage = fromHost;
  host.onfaulty = faulty;
  host.onerror = failed;
  host.onclose = () => over('host');
  // One after the other: what is recorded of a list is recorded before anything that came after it is passed on.
  let inOrder = Promise.resolve();
  server.onmessage = (message) => {
    inOrder = inOrder.then(() => fromServer(message)).catch(failed);
  };
  server.onlost = (id) => {
    asServer.lose(id);
    if (passed.delete(id))
      void toHost(
        errorResponse(id, JSON_RPC.closed, 'The connection to the server was lost before it answered.'),
      );
  };
  server.onerror = failed;
  server.onclose = () => over('server');

  await server.start();
  await host.start();

  const finish = async (by: 'host' | 'server' | 'us'): Promise<{ by: 'host' | 'server' | 'us' }> => {
    // A user who is not there any more answers nothing.
    if (by === 'host') asHost.loseAll();
    if (by !== 'server') await settled(running, GRACE);
    await inOrder;
    asServer.loseAll();
    asHost.loseAll();
    await settled(running, GRACE);
    for (const abort of calls.values()) abort.abort(new ConnectionLost('The session is over.'));
    await settled(running, GRACE);
    for (const id of passed.keys())
      await toHost(
        errorResponse(id, JSON_RPC.closed, 'The connection to the server was lost before it answered.'),
      );
    await server.close();
    await host.close();
    return { by };
  };
  const ended = first.then(finish);
  return {
    ended,
    async close() {
      over('us');
      await ended;
    },
  };
}

/** The reason of an abort that the host asked for. */
const CANCELLED = new Error('The host cancelled its request.');

/** Waits for work that goes on, and for what comes of it, at most so long. */
async function settled(work: ReadonlySet<Promise<void>>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  const done = (async () => {
    while (work.size > 0) await Promise.all(work);
  })();
  await Promise.race([done, late]);
  clearTimeout(timer);
}
