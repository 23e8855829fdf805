import type { JSONRPCErrorResponse, JSONRPCRequest, RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { ToolDeclaration } from '../declarations/tool.ts';
import { isObject, isWellFormed, type Json, type JsonObject } from '../events/json.ts';
import { isGated } from '../gate/index.ts';
import { undeclaredTool } from '../runs/declared.ts';
import { spansOf } from '../transcripts/source-text.ts';
import { contextOf, type HostContext, withoutContext } from './context.ts';
import { elicitingHost } from './elicit.ts';
import { holdsMark, withoutMarks } from './exact-message.ts';
import { gateBefore } from './gated-call.ts';
import { isObserved, recordMeasurement } from './measure.ts';
import type { GatewayOptions } from './options.ts';
import { ConnectionLost, type Peer, RemoteError } from './peer.ts';
import { faulted } from './refusal.ts';
import { type Standing, type Whereabouts, whereIs } from './requests.ts';
import { type ToolList, toolList } from './tool-list.ts';
import { errorResponse, type Faulty, inexact, JSON_RPC, NeverSent } from './transport.ts';
import type { ServerAnswer } from './upstream-call.ts';

/** The two sides, as far as tool calls need them. */
export interface Sides {
  readonly host: Peer;
  readonly server: Peer;
  /** What the server is called in the log. */
  readonly serverName: () => string;
  /** Whether the host can ask its user by a form. */
  readonly elicits: () => boolean;
}

/** What a session does with tool calls. */
export interface ToolCalls {
  readonly tools: ToolList;
  /** Answers one: outside the gate as the server does, else through it. Never throws. */
  answer(request: JSONRPCRequest, signal: AbortSignal): Promise<ServerAnswer>;
  /** Answers one that can't be read exactly; it gets its run all the same, and is never executed. CASE 23. */
  faulty(faulty: Faulty): Promise<JSONRPCErrorResponse>;
}

const LISTING = 60_000;
const CALLING = 60_000;
const ANSWERING = 10 * 60_000;

export function toolCalls({ host, server, serverName, elicits }: Sides, options: GatewayOptions): ToolCalls {
  const { around } = options;
  const whereabouts: Whereabouts = { conversation: around.newId(), requests: new Map() };
  const tools = toolList(around, serverName);
  const declared = async (name: string, signal: AbortSignal): Promise<ToolDeclaration> => {
    const list = (cursor: string | undefined): Promise<JsonObject> =>
      server.ask('tools/list', cursor === undefined ? {} : { cursor }, { timeout: LISTING, signal });
    await tools.upToDate(list);
    return tools.get(name) ?? { ...undeclaredTool(name), server: serverName() };
  };
  const gate = gateBefore({
    around,
    server,
    name: options.name ?? 'grounds-mcp',
    key: options.key,
    timeout: options.timeout ?? CALLING,
    user: options.user,
    lists: (name) => tools.get(name) !== null,
    redeclared: ({ name }, signal) => declared(name, signal),
    ask: elicitingHost({ around, host, elicits, patience: options.patience ?? ANSWERING }),
  });

  const read = async (
    at: Standing,
    tool: string,
    args: Json,
    more: JsonObject,
    signal: AbortSignal,
  ): Promise<JsonObject> => {
    const result = await server.ask('tools/call', { ...more, name: tool, arguments: args }, { signal });
    if (isObserved(around.declared.checklists, tool))
      await recordMeasurement(around, at.conversation, { tool, arguments: args, result });
    return result;
  };

  const called = async (
    id: RequestId,
    params: JsonObject & { readonly name: string },
    args: Json | string,
    context: HostContext,
    signal: AbortSignal,
  ): Promise<ServerAnswer> => {
    const { name, arguments: _, _meta: meta, ...rest } = params;
    const seen = withoutContext(isObject(meta) ? meta : undefined) as JsonObject | undefined;
    const more: JsonObject = { ...rest, ...(seen === undefined ? {} : { _meta: seen }) };
    try {
      const tool = await declared(name, signal);
      const at = await whereIs(around, whereabouts, context);
      const { checklists, ruleset } = around.declared;
      if (typeof args !== 'string' && !isGated({ checklists, ruleset, tool }, args))
        return { result: (await read(at, name, args, more, signal)) as never };
      if (params.task !== undefined) return invalid('A gated call is not run as a task.');
      const form = { declaresOutput: tools.declaresOutput(name) };
      return await gate.call({ id, tool, arguments: args, context, at, more, form, signal });
    } catch (error) {
      if (error instanceof RemoteError) return { error };
      if (error instanceof ConnectionLost || error instanceof NeverSent)
        return { error: { code: JSON_RPC.closed, message: error.message, data: undefined } };
      options.onerror?.(error instanceof Error ? error : new Error(String(error)));
      return { result: faulted(error, { declaresOutput: tools.declaresOutput(name) }) };
    }
  };

  return {
    tools,
    async answer(request, signal) {
      const params = (request.params ?? {}) as JsonObject;
      const { name, arguments: args = {} } = params;
      if (typeof name !== 'string' || !isObject(args))
        return invalid('A tool call has a name, and arguments that are an object.');
      if (!isToolName(name)) return invalid('No tool has this name, so nothing was done.');
      const { context, problem } = contextOf(isObject(params._meta) ? params._meta : undefined);
      if (context === null) {
        const what =
          'What stands under _meta["grounds/context"] is not what its schema says, so nothing was done.';
        return invalid(what, problem);
      }
      return called(request.id, { ...params, name }, args, context, signal);
    },
    async faulty({ id, method, text, value, fault }) {
      const told = inexact('This request', fault);
      const refused = errorResponse(id, JSON_RPC.invalidRequest, told.message, told.data);
      const params = isObject(value) && isObject(value.params) ? value.params : {};
      const { name } = params;
      if (method !== 'tools/call' || typeof name !== 'string' || !isToolName(name)) return refused;
      const received = spansOf(text, (pointer) => ARGUMENTS.startsWith(pointer)).get(ARGUMENTS);
      const meta = withoutMarks(isObject(params._meta) ? params._meta : {}) as JsonObject;
      const { context } = contextOf(meta);
      if (received === undefined || context === null) return refused;
      // What else the host brings with it can't be read exactly either: only where it stands is taken.
      const bare = { ...context, segments: [], segments_from: undefined };
      await called(id, { name }, received, bare, AbortSignal.timeout(LISTING));
      return refused;
    },
  };
}

const ARGUMENTS = '/params/arguments';

/** The log names a stream by it: it is not empty, and a text that can be written as it is. */
function isToolName(name: string): boolean {
  return name !== '' && isWellFormed(name) && !holdsMark(name);
}

function invalid(message: string, data?: unknown): ServerAnswer {
  return { error: { code: JSON_RPC.invalidParams, message, data } };
}
