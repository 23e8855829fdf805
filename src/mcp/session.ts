import type {
  InitializeResult,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { DEFAULT_SERVER } from '../declarations/tool.ts';
import { isObject, isWellFormed, type Json, type JsonObject } from '../events/json.ts';
import { CONTEXT_KEY, withoutContext } from './context.ts';
import { declareChecklists } from './declare-now.ts';
import type { GatewayOptions } from './options.ts';
import { ConnectionLost, peerOf } from './peer.ts';
import { toolCalls } from './tool-calls.ts';
import { errorResponse, type HostTransport, JSON_RPC, type ServerTransport } from './transport.ts';

/** One host, one server, and the gate between them. */
export interface Session {
  /** Settles once everything is over and recorded; `by`: which side went away first. */
  readonly ended: Promise<{ readonly by: 'host' | 'server' | 'us' }>;
  close(): Promise<void>;
}

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
  const asHost = peerOf(host);
  const asServer = peerOf(server);
  let serverName = options.server ?? DEFAULT_SERVER;
  let elicits = false;
  const toolsOf = toolCalls(
    { host: asHost, server: asServer, serverName: () => serverName, elicits: () => elicits },
    options,
  );
  /** What a server calls itself is believed as a name, and never where a checklist trusts the one who bears it. */
  const nameIn = (info: unknown): string => {
    const name = isObject(info as Json | undefined) ? (info as JsonObject).name : undefined;
    if (typeof name !== 'string' || !isWellFormed(name)) return DEFAULT_SERVER;
    const trusted = options.around.declared.checklists.some(({ body }) =>
      body.trusts_annotations_of.includes(name),
    );
    if (!trusted) return name;
    failed(
      new Error(
        `The server calls itself ${name}, whose hints a checklist trusts. Nobody else says that it is: its hints do not count. Give it that name yourself if it is (--name).`,
      ),
    );
    return DEFAULT_SERVER;
  };
  /** The host's requests that the server has yet to answer. */
  const passed = new Map<RequestId, Passed>();
  /** The host's tool calls that are being worked on. */
  const calls = new Map<RequestId, AbortController>();
  const progress = new Map<ProgressToken, RequestId>();
  const running = new Set<Promise<void>>();

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

  const answerCall = async (request: JSONRPCRequest): Promise<void> => {
    const abort = new AbortController();
    calls.set(request.id, abort);
    const token = tokenOf(request.params as JsonObject | undefined);
    if (token !== undefined) progress.set(token, request.id);
    try {
      const answer = await toolsOf.answer(request, abort.signal);
      // Nobody hears the answer to a request that was cancelled.
      if (abort.signal.aborted && abort.signal.reason === CANCELLED) return;
      await toHost(
        'result' in answer
          ? { jsonrpc: '2.0', id: request.id, result: answer.result }
          : errorResponse(request.id, answer.error.code, answer.error.message, answer.error.data),
      );
    } finally {
      calls.delete(request.id);
      if (token !== undefined) progress.delete(token);
    }
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
      elicits = hasForms(message.params as JsonObject | undefined);
    }
    const token = tokenOf(message.params as JsonObject | undefined);
    if (token !== undefined) progress.set(token, message.id);
    const listing = message.method === 'tools/list' ? toolsOf.tools.asked() : null;
    passed.set(message.id, { method: message.method, token, listing });
    toServer(forServer(message));
  };

  const heardOfHost = (message: JSONRPCNotification): void => {
    // A call that wants no answer has no verdict either: no server gets it.
    if (message.method === 'tools/call') {
      failed(new Error('A tools/call of the host without an id was dropped: nothing was done.'));
      return;
    }
    if (message.method === 'notifications/cancelled') {
      const own = calls.get(message.params?.requestId as RequestId);
      own?.abort(CANCELLED);
      if (own !== undefined) return;
    }
    toServer(forServer(message));
  };

  const fromServer = async (message: JSONRPCMessage): Promise<void> => {
    if ('method' in message) {
      const token = (message.params as { progressToken?: ProgressToken } | undefined)?.progressToken;
      const related = token === undefined ? undefined : progress.get(token);
      // Which of the host's requests it belongs to only the server knows; over HTTP it has to travel with one.
      return toHost(message, related ?? [...calls.keys(), ...passed.keys()].at(-1));
    }
    if (asServer.takes(message) || message.id === undefined) return;
    const asked = passed.get(message.id);
    if (asked === undefined) {
      // The gate answers its own calls, and an answer in its place would be believed.
      failed(new Error('An answer of the server that nobody asked it for was dropped.'));
      return;
    }
    const { method, token, listing } = asked;
    passed.delete(message.id);
    if (token !== undefined) progress.delete(token);
    if ('result' in message) {
      const result = message.result as unknown as JsonObject;
      if (method === 'initialize') {
        const { protocolVersion, serverInfo } = message.result as unknown as InitializeResult;
        serverName = options.server ?? nameIn(serverInfo);
        server.setProtocolVersion?.(protocolVersion);
        host.setProtocolVersion?.(protocolVersion);
      }
      if (listing !== null) await toolsOf.tools.heard(result, listing).catch(failed);
    }
    await toHost(message);
  };

  let over: (by: 'host' | 'server' | 'us') => void = () => {};
  const first = new Promise<'host' | 'server' | 'us'>((resolve) => {
    over = resolve;
  });
  host.onmessage = fromHost;
  host.onfaulty = (faulty) => toolsOf.faulty(faulty);
  host.onerror = failed;
  host.onclose = () => over('host');
  // One after the other: what is recorded of a list is recorded before anything that came after it is passed on.
  let inOrder = Promise.resolve();
  server.onmessage = (message) => {
    // At once, so that no execution that is about to start overlooks it.
    if ('method' in message && message.method === 'notifications/tools/list_changed') toolsOf.tools.changed();
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

  await declareChecklists(options.around);
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

type ProgressToken = string | number;

/** A request of the host that went on to the server; `listing`: its number, where it asks for tools. */
interface Passed {
  readonly method: string;
  readonly token: ProgressToken | undefined;
  readonly listing: number | null;
}

function tokenOf(params: JsonObject | undefined): ProgressToken | undefined {
  const token = isObject(params?._meta) ? params._meta.progressToken : undefined;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/** Whether a host that says so of itself has forms: an empty object under `elicitation` means them. */
function hasForms(params: JsonObject | undefined): boolean {
  const capabilities = params?.capabilities;
  const elicitation = isObject(capabilities) ? capabilities.elicitation : undefined;
  return isObject(elicitation) && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** What a host says for the gate is for the gate, wherever it says it. */
function forServer<M extends JSONRPCRequest | JSONRPCNotification>(message: M): M {
  const { params } = message;
  const meta = params?._meta as Json | undefined;
  if (meta === undefined || !isObject(meta) || !(CONTEXT_KEY in meta)) return message;
  const { _meta: _, ...rest } = params as JsonObject;
  const seen = withoutContext(meta);
  return { ...message, params: { ...rest, ...(seen === undefined ? {} : { _meta: seen }) } };
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
