import type { CallToolResult, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { type GroundsError, isGroundsError } from '../errors.ts';
import { encode } from '../events/canonical.ts';
import { streamOf } from '../events/index.ts';
import type { Json, JsonObject } from '../events/json.ts';
import type { ToolDeclaration } from '../events/tool.ts';
import { createExecutor, type Execution, type Executor, saysOf, wouldRepeat } from '../executor/index.ts';
import type { Signer } from '../keys/index.ts';
import type { Around } from '../preflight/around.ts';
import { defer } from '../preflight/deferral.ts';
import { judge } from '../preflight/judge.ts';
import { NO_HOOKS } from '../preflight/world.ts';
import { isUnfinished } from '../projections/standing.ts';
import { standingOf } from '../runs/standing.ts';
import type { Ask } from './ask-host.ts';
import type { HostContext } from './context.ts';
import { forOperator } from './for-operator.ts';
import type { Peer } from './peer.ts';
import { notExecutable, notReached, notStarted, outcomeUnknown, type RefusalForm } from './refusal.ts';
import { earlierCall, type Standing } from './requests.ts';
import { callServer, type ServerAnswer } from './upstream-call.ts';

/** One call of a tool under the gate, as the host sent it. */
export interface Gated {
  readonly id: RequestId;
  readonly tool: ToolDeclaration;
  /** A text where it could not be read exactly. */
  readonly arguments: Json | string;
  readonly context: HostContext;
  readonly at: Standing;
  /** What else stands in the request's params; nothing of the host's context is in it. */
  readonly more: JsonObject;
  readonly form: RefusalForm;
  /** Aborted where the host gives up. */
  readonly signal: AbortSignal;
}

export interface Gate {
  /** Judges, asks, executes; what it gives is the answer to the host. @throws GroundsError; nothing was called then */
  call(gated: Gated): Promise<ServerAnswer>;
}

export interface GateOptions {
  readonly around: Around;
  readonly server: Peer;
  /** Executors say who they are. */
  readonly name: string;
  readonly key: Signer | undefined;
  /** Of a call, in milliseconds. */
  readonly timeout: number;
  readonly user: string | undefined;
  /** Asks the server for its tools where it said that they changed; gives the definition as it is now. */
  readonly redeclared: (tool: ToolDeclaration, signal: AbortSignal) => Promise<ToolDeclaration>;
  /** Whether the server lists a tool of this name. */
  readonly lists: (name: string) => boolean;
  readonly ask: Ask;
}

/** Verdicts that leave something to the user. */
const ASKABLE: ReadonlySet<string> = new Set(['intent_undetermined', 'tool_undetermined', 'unknown']);

/** More rounds than questions can be asked is a host that answers without saying anything. */
const MOST_ROUNDS = 12;

/**
 * Stands before calls that can't be put back: judges each, asks its user for what is open, and executes only from a verdict
 * that the log holds.
 */
export function gateBefore(options: GateOptions): Gate {
  const { around, server, ask } = options;
  /** What goes with a call beside its arguments, and where its answer goes, by run: a call may be judged twice at once. */
  const flights = new Map<string, { readonly more: JsonObject; answer: ServerAnswer | null }>();
  const executor: Executor = createExecutor({
    log: around.log,
    name: options.name,
    timeout: options.timeout,
    clock: around.clock,
    newId: around.newId,
    ...(options.key === undefined ? {} : { key: options.key }),
    call: (tool, args, context) => {
      const flight = flights.get(context.run);
      return callServer(server, tool.name, args, context, flight?.more ?? {}, (answer) => {
        if (flight !== undefined) flight.answer = answer;
      });
    },
  });
  const busy = new Map<string, Promise<unknown>>();

  const callOnce = async (gated: Gated): Promise<ServerAnswer> => {
    const { at, context, form, signal } = gated;
    const user = context.user ?? options.user;
    const earlier = earlierCall(around, at, {
      call: context.call,
      user,
      tool: streamOf.tool(gated.tool.server, gated.tool.name),
      arguments: gated.arguments,
    });
    if (earlier?.pending === true) return { result: pending(around, earlier.call, form) };
    const call = earlier?.call ?? around.newId();
    const put = new Set<string>();
    let notes: readonly string[] = [];
    for (let round = 1; ; round++) {
      const tool = await options.redeclared(gated.tool, signal);
      const judged = await judge(around, {
        ...at,
        call,
        tool,
        arguments: gated.arguments,
        ...(user === undefined ? {} : { user }),
        ...(context.now === undefined ? {} : { now: context.now }),
      });
      // No answer makes arguments readable that are not.
      if (typeof gated.arguments === 'string') return { result: notExecutable(judged, [], form) };
      if (judged.verdict.kind === 'schedulable') {
        await defer(around, judged);
        return { result: notExecutable(judged, [], form) };
      }
      if (judged.verdict.kind !== 'executable') {
        // No answer makes the same call run twice for one request, so nobody is asked for any.
        const isOpen = ASKABLE.has(judged.verdict.kind);
        if (isOpen && wouldRepeat(around.log, { ...at, call }, { tool, arguments: gated.arguments }))
          return { result: notStarted(judged, { refused: ['repeated'] }, saysOf, form) };
        const known = { listed: options.lists(tool.name), hooks: around.world !== NO_HOOKS };
        const operator = forOperator(judged, known);
        if (operator.deadEnd) return { result: notExecutable(judged, [], form, operator.notes) };
        const asked = await ask(judged, { at, related: gated.id, user, signal, put });
        notes = [...new Set([...notes, ...asked.notes])];
        if (asked.heard && round < MOST_ROUNDS && !signal.aborted) continue;
        return { result: notExecutable(judged, asked.open, form, [...notes, ...operator.notes]) };
      }
      // What the server announced while it was judged is recorded now, so that the executor sees it.
      await options.redeclared(tool, signal);
      const flight = { more: gated.more, answer: null as ServerAnswer | null };
      flights.set(judged.run, flight);
      let execution: Execution;
      try {
        execution = await executor.execute({ call, run: judged.run }, { signal });
      } catch (error) {
        // It was made: whoever hears that nothing was done would make it again.
        if (isNotRecorded(error)) return { result: outcomeUnknown(startOf(error, call, judged.run), form) };
        throw error;
      } finally {
        flights.delete(judged.run);
      }
      if (execution.decision === 'refuse') return { result: notStarted(judged, execution, saysOf, form) };
      const { start, code, outcome, run } = execution;
      if (outcome === 'unknown') return { result: outcomeUnknown({ call, run, start, code }, form) };
      if (flight.answer !== null) return flight.answer;
      // Somebody else may have settled it meanwhile; only the executor knows that it was never made.
      const never = outcome === 'failed' && code === 'tool/not-reached';
      return { result: (never ? notReached : outcomeUnknown)({ call, run, start, code }, form) };
    }
  };

  return {
    /** The same call twice at once is one after the other, so that neither takes the other's verdict away. */
    async call(gated) {
      const key = `${gated.at.request} ${sameAs(gated)}`;
      const before = busy.get(key) ?? Promise.resolve();
      const mine = before.catch(() => {}).then(() => callOnce(gated));
      busy.set(key, mine);
      try {
        return await mine;
      } finally {
        if (busy.get(key) === mine) busy.delete(key);
      }
    },
  };
}

/** What two calls of a request have in common where they are the same: the order of keys is no difference. */
function sameAs({ tool, arguments: args }: Gated): string {
  const named = [tool.server, tool.name, args];
  try {
    return encode(named);
  } catch {
    return JSON.stringify(named);
  }
}

function isNotRecorded(error: unknown): error is GroundsError {
  return isGroundsError(error) && error.code === 'executor/outcome-not-recorded';
}

function startOf({ code, facts: { start } }: GroundsError, call: string, run: string) {
  return { call, run, start: typeof start === 'string' ? start : null, code };
}

function pending({ log }: Around, call: string, form: RefusalForm): CallToolResult {
  const start = standingOf(log, call)?.starts.findLast(isUnfinished);
  return outcomeUnknown({ call, run: start?.data.run ?? null, start: start?.id ?? null, code: null }, form);
}
