import { z } from 'zod';
import { GroundsError } from '../errors.ts';
import type { Uuid } from '../events/identity.ts';
import { makeEvent, streamOf } from '../events/index.ts';
import type { Json } from '../events/json.ts';
import { randomId } from '../events/random-id.ts';
import type { ToolDeclaration } from '../events/tool.ts';
import type { Signer } from '../keys/index.ts';
import type { SyncLog } from '../log/index.ts';
import { callHook, DEADLINE } from '../preflight/call-hook.ts';
import { again } from '../runs/again.ts';
import { callTool, type ToolCall } from './call-tool.ts';
import type { Closed, Recorder } from './close-start.ts';
import { decide, type Facts, type Refusal } from './decide.ts';
import { callOfRun } from './find-run.ts';
import { inputsOf, type ReadFacts, readFacts } from './read-facts.ts';
import { reconcile, type Settlement } from './reconcile.ts';
import { recordOutcome } from './record-outcome.ts';
import { type UnfinishedStart, unfinishedStarts } from './unfinished.ts';

/** What an executor is made of. */
export interface ExecutorOptions {
  readonly log: SyncLog;
  readonly call: ToolCall;
  /** Its name and version, or an opaque id; it stands in every decision. */
  readonly name: string;
  /** Signs its records. */
  readonly key?: Signer;
  /** How old a verdict may be, in milliseconds. Default 10 minutes. */
  readonly maxAge?: number;
  /** How long a call may take, in milliseconds; after that nobody knows what became of it. Default 5 minutes. */
  readonly timeout?: number;
  /** A policy of its own: anything but true is a refusal (`executor_declined`), and so are a throw and an answer too late. */
  readonly accepts?: (about: Accepting) => boolean | Promise<boolean>;
  /** How long `accepts` may take, in milliseconds. Default 30 seconds, as a hook. */
  readonly deadline?: number;
  /** UTC with milliseconds. */
  readonly clock?: () => string;
  readonly newId?: () => Uuid;
}

export interface Accepting {
  readonly run: Uuid;
  readonly call: Uuid;
  readonly tool: ToolDeclaration;
  readonly arguments: Json;
  /** Aborted at the deadline. */
  readonly signal: AbortSignal;
}

/** A run, or a call: then its newest run. With both, the run of this call. */
export type Asked =
  | { readonly run: Uuid; readonly call?: Uuid }
  | { readonly call: Uuid; readonly run?: Uuid };

interface Decided {
  readonly run: Uuid;
  readonly call: Uuid;
  /** The verdict event that was decided on; null where there was none. */
  readonly verdict: Uuid | null;
  /** The `ExecutionDecided` event. */
  readonly decided: Uuid;
}

export type Execution =
  | (Decided & {
      readonly decision: 'refuse';
      readonly refused: readonly Refusal[];
      /** false: this very refusal stood in the log already. */
      readonly recorded: boolean;
    })
  | (Decided & {
      readonly decision: 'execute';
      readonly start: Uuid;
      readonly idempotency_key: Uuid;
      readonly tool: string;
      readonly arguments: Json;
      readonly outcome: 'succeeded' | 'failed' | 'unknown';
      /** Of a failure, or of why nobody knows. */
      readonly code: string | null;
      /** Where the result stands in the log. */
      readonly result: Closed['result'];
      /** What the caller gave back, as it gave it; undefined where it gave nothing. */
      readonly answer: unknown;
    });

export interface Executor {
  readonly name: string;
  /**
   * Decides on a run as the log holds it, and calls only where nothing speaks against it. Exactly one start comes of one
   * verdict, whoever else tries; and nothing is tried again by itself.
   *
   * @throws GroundsError `executor/no-such-run`; `executor/damaged` (exit 4), `executor/input-missing` (exit 3),
   * `gate/place-differs`: nothing was called. Those of the log: before the start was durable nothing was called.
   * `executor/outcome-not-recorded`: the call was made, and what became of it stands in the facts and nowhere else.
   */
  execute(asked: Asked, options?: { readonly signal?: AbortSignal }): Promise<Execution>;
  /** Starts that nobody knows the end of, the oldest first; one that is still running is among them. */
  unfinished(): Iterable<UnfinishedStart>;
  /** Says what became of one. @throws GroundsError as `reconcile` says */
  reconcile(settlement: Settlement): Promise<Closed>;
}

const MAX_AGE = 10 * 60_000;
const TIMEOUT = 5 * 60_000;

/** A conflict means that somebody else got on; each time it is read and decided again, which mostly ends in a refusal. */
const TRIES = 100;

/**
 * The party outside the gate that reads a recorded verdict, decides, calls, and writes its own record. RULES R16.
 *
 * @throws GroundsError `executor/options`
 * @example
 * const executor = createExecutor({
 *   log,
 *   name: 'bank-executor/1.2.0',
 *   call: async (tool, args, { idempotencyKey, signal }) => {
 *     const response = await bank.post(tool.name, args, { idempotencyKey, signal });
 *     return { result: response.body, failed: !response.ok };
 *   },
 * });
 * const execution = await executor.execute({ run });
 */
export function createExecutor(options: ExecutorOptions): Executor {
  const { log, name, maxAge = MAX_AGE, timeout = TIMEOUT, deadline = DEADLINE } = options;
  requireOptions(options, maxAge, timeout, deadline);
  const clock = options.clock ?? (() => new Date().toISOString());
  const newId = options.newId ?? randomId;
  const inputs = inputsOf(log);
  const recorder: Recorder = { log, clock, newId, key: options.key ?? null };

  const judged = async (read: ReadFacts): Promise<ReturnType<typeof decide>> => {
    const facts: Facts = { ...read.facts, now: clock(), max_age: maxAge, accepted: true };
    const decision = decide(facts);
    if (decision.decision === 'refuse' || options.accepts === undefined || read.sends === null)
      return decision;
    const { run, call, sends } = read;
    // Fail closed: a policy that throws, is late, or answers anything but true, has not accepted.
    const about = { run, call, ...structuredClone(sends) };
    const { said } = await callHook(options.accepts, about, z.literal(true), { name: 'accepts', deadline });
    // A policy may take its time, and the verdict grows older meanwhile.
    return decide({ ...facts, now: clock(), accepted: said === 'answer' });
  };

  const refuse = async (read: ReadFacts, refused: readonly Refusal[]): Promise<Execution> => {
    const decided = { run: read.run, call: read.call, verdict: read.facts.verdict?.event ?? null };
    const known = read.refusals.find(
      (each) => each.executor === name && each.refused.join() === refused.join(),
    );
    // Saying the same again tells nobody anything, and a caller in a loop would fill the disk.
    if (known !== undefined)
      return { ...decided, decision: 'refuse', refused, decided: known.event, recorded: false };
    const event = decisionEvent(read, 'refuse', refused);
    await log.append({
      writes: [{ stream: streamOf.call(read.call), expected: read.version, events: [event] }],
    });
    return { ...decided, decision: 'refuse', refused, decided: event.id, recorded: true };
  };

  const decisionEvent = (read: ReadFacts, decision: 'execute' | 'refuse', refused: readonly Refusal[]) =>
    makeEvent(
      'ExecutionDecided',
      { decision, executor: name, refused, run: read.run, verdict: read.facts.verdict?.event ?? null },
      { id: newId(), at: clock() },
    );

  /** Decision and start, one durable commit that holds only where nothing of what was read has moved. */
  const start = async (read: ReadFacts, verdict: Uuid): Promise<{ decided: Uuid; start: Uuid }> => {
    const decision = decisionEvent(read, 'execute', []);
    const id = newId();
    const started = makeEvent(
      'CallStarted',
      { decision: decision.id, idempotency_key: id, run: read.run, verdict },
      { id, at: clock() },
    );
    await log.append({
      writes: [{ stream: streamOf.call(read.call), expected: read.version, events: [decision, started] }],
      unchanged: read.unchanged,
    });
    return { decided: decision.id, start: id };
  };

  return {
    name,
    async execute(asked, { signal } = {}) {
      signal?.throwIfAborted();
      const call = asked.call ?? callOfRun(log, asked.run as Uuid);
      const begun = await again(async () => {
        const read = readFacts(log, inputs, call, asked.run ?? null);
        const { decision, refused } = await judged(read);
        const verdict = read.facts.verdict?.event ?? null;
        if (decision === 'refuse' || read.sends === null || verdict === null)
          return { execution: await refuse(read, refused) };
        return { read, verdict, sends: read.sends, ...(await start(read, verdict)) };
      }, TRIES);
      if ('execution' in begun) return begun.execution;

      const { read, sends, verdict, decided } = begun;
      const { tool, arguments: args } = sends;
      const context = { idempotencyKey: begun.start, run: read.run, call };
      const cameOut = await callTool(options.call, tool, args, context, { timeout, signal });
      const closed = await recordOutcome(recorder, read, begun.start, cameOut, sends);
      return {
        run: read.run,
        call,
        verdict,
        decided,
        decision: 'execute',
        start: begun.start,
        idempotency_key: begun.start,
        tool: tool.name,
        // What the log holds may be shared with later runs: nobody gets it to change.
        arguments: structuredClone(args),
        outcome: closed.outcome === 'open' ? 'unknown' : closed.outcome,
        code: 'code' in cameOut ? cameOut.code : null,
        result: closed.result,
        answer: 'result' in cameOut ? cameOut.result : undefined,
      };
    },
    unfinished: () => unfinishedStarts(log),
    reconcile: (settlement) => reconcile(recorder, settlement),
  };
}

function requireOptions(
  { log, call, name, accepts }: ExecutorOptions,
  maxAge: number,
  timeout: number,
  deadline: number,
): void {
  const isTime = (each: number): boolean => Number.isFinite(each) && each > 0 && each <= 0x7fff_ffff;
  const rules: readonly (readonly [boolean, string])[] = [
    [
      typeof (log as SyncLog | undefined)?.append === 'function',
      'log is the log that holds the verdicts: one that openSqliteLogSync gives',
    ],
    [typeof call === 'function', 'call is the function that makes the real call'],
    [typeof name === 'string' && name.trim() !== '', 'name says which executor it is, and is never empty'],
    [accepts === undefined || typeof accepts === 'function', 'accepts is a function'],
    [Number.isFinite(maxAge) && maxAge >= 0, 'maxAge is a number of milliseconds'],
    [
      isTime(timeout) && isTime(deadline),
      'timeout and deadline are numbers of milliseconds, at most 24 days',
    ],
  ];
  const problem = rules.find(([holds]) => !holds)?.[1];
  if (problem === undefined) return;
  throw new GroundsError('executor/options', `The executor can't be made: ${problem}.`, {
    facts: { name, maxAge, timeout, deadline },
    hint: 'Mend the options of createExecutor.',
  });
}
