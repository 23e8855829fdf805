import { nowOf } from '../audit/now.ts';
import type { Declared } from '../audit/runs.ts';
import type { ToolDeclaration } from '../declarations/tool.ts';
import { GroundsError, isGroundsError } from '../errors.ts';
import { encode } from '../events/canonical.ts';
import { digestOf } from '../events/digest.ts';
import { uuidFrom } from '../events/ids.ts';
import { type DataOf, type EventType, type Frozen, type Made, makeEvent, streamOf } from '../events/index.ts';
import type { Environment } from '../events/run.ts';
import type { Segment } from '../events/segment.ts';
import type { Verdict } from '../events/verdict.ts';
import { walksOf } from '../events/walk.ts';
import { listConditions } from '../gate/conditions.ts';
import { drive, isGated, locate, type RunInput, rulesFor } from '../gate/index.ts';
import { proposedArguments } from '../gate/slot-list.ts';
import type { Commit, SyncLog } from '../log/index.ts';
import type { ReadRequest } from './read-request.ts';

export interface CheckOptions {
  readonly log: SyncLog;
  readonly declared: Declared;
  /** When it is recorded: UTC with milliseconds. */
  readonly clock: () => string;
  readonly newId: () => string;
  readonly environment: Environment;
}

export interface Checked {
  readonly call_id: string;
  readonly run_id: string;
  readonly gated: boolean;
  readonly verdict: Verdict;
  readonly verdict_digest: string;
  /** The ids of its conditions among the verdict's slots: the rest are values and labels. */
  readonly conditions: ReadonlySet<string>;
  /** false: the log already held this very run, and nothing was written. */
  readonly added: boolean;
}

/** Another process may write between reading and appending; then it is read again. */
const ATTEMPTS = 5;

/**
 * Judges one request and records it in one commit: what is new of its conversation, what is declared, its lookups and its
 * verdict. The same request again gives the same run and adds nothing; under the same id another proposal, or more of the
 * conversation, is a new run of the same call.
 *
 * @throws GroundsError `check/conversation-differs`, and those of the log
 */
export function checkRun(options: CheckOptions, request: ReadRequest): Checked {
  for (let attempt = 1; ; attempt++) {
    try {
      return recordOnce(options, request);
    } catch (error) {
      if (attempt === ATTEMPTS || !isGroundsError(error) || error.code !== 'log/conflict') throw error;
    }
  }
}

function recordOnce(
  { log, declared, clock, newId, environment }: CheckOptions,
  request: ReadRequest,
): Checked {
  const key = log.importKey;
  const segments = request.segments.map(({ segment }) => segment);
  const conversation = uuidFrom(
    key,
    'checked conversation',
    request.conversation_id === null ? encode(segments) : `named ${request.conversation_id}`,
  );
  const run = runInputOf(declared, request, segments);
  const call = uuidFrom(
    key,
    'checked call',
    conversation,
    request.id === null ? encode([run.tool.name, run.proposal, segments.length]) : `named ${request.id}`,
  );
  const { segments: _, checklists, tool: __, ...rest } = run;
  const id = uuidFrom(
    key,
    'checked run',
    call,
    encode({ ...rest, checklists: checklists.map(({ digest }) => digest), seen: segments.length }),
  );

  const stream = streamOf.conversation(conversation);
  const held = heldSegments(log, stream, segments, request);
  const callStream = streamOf.call(call);
  const earlier = runsOf(log, callStream);
  const gated = isGated(run, request.arguments.value ?? undefined);
  const driven = drive(run, (lookup) => locate(run, lookup));
  const checked = {
    call_id: call,
    run_id: id,
    gated,
    verdict: driven.verdict,
    verdict_digest: digestOf(driven.verdict),
    conditions: new Set(listConditions(rulesFor(run), proposedArguments(run)).map(({ id: each }) => each)),
  };
  if (earlier.runs.includes(id)) return { ...checked, added: false };

  const at = clock();
  const made = <T extends EventType>(type: T, data: Frozen<DataOf<T>>): Made<T> =>
    makeEvent(type, data, { id: newId(), at });
  const toolStream = streamOf.tool(run.tool.server, run.tool.name);
  const fresh = request.segments.slice(held);
  const writes: Commit['writes'] = [
    ...declaration(log, toolStream, run.tool_digest, () =>
      made('ToolDeclared', { digest: run.tool_digest, tool: run.tool }),
    ),
    ...run.checklists.flatMap(({ digest, body }) =>
      declaration(log, streamOf.checklist(body.declared_by, body.checklist), digest, () =>
        made('ChecklistDeclared', {
          digest,
          declared_by: body.declared_by,
          written_by: body.written_by ?? null,
          place: null,
          body: body as never,
        }),
      ),
    ),
    ...(fresh.length === 0
      ? []
      : [
          {
            stream,
            expected: held === 0 ? ('none' as const) : held,
            events: fresh.map(({ segment, message, part }) =>
              made('SegmentAdded', { segment, source: { message, part } }),
            ),
          },
        ]),
    {
      stream: callStream,
      expected: earlier.version === 0 ? 'none' : earlier.version,
      events: [
        made('RunStarted', {
          run: id,
          request: uuidFrom(key, 'request', conversation),
          conversation,
          segments: segments.length,
          request_from: run.request_from,
          request_boundary: 'assumed',
          gate: run.gate,
          ruleset: run.ruleset,
          phase: run.phase,
          now: run.now,
          supersedes: earlier.runs.at(-1) ?? null,
          follows: null,
          attempts: run.attempts,
          proposal: run.proposal,
          tool: { stream: toolStream, digest: run.tool_digest },
          checklists: run.checklists.map(({ digest, body }) => ({
            stream: streamOf.checklist(body.declared_by, body.checklist),
            digest,
          })),
          unsound: run.unsound,
          action_key: { state: 'ok', key: null },
          entries: run.entries.map((entry) => ({ event: null, entry })),
          environment,
          origin: null,
          gated,
        }),
        ...walksOf(driven.lookups).map((walk) => made('LookupPerformed', walk)),
        made('VerdictRecorded', { verdict: driven.verdict }),
      ],
    },
  ];
  log.appendSync([{ writes }]);
  return { ...checked, added: true };
}

function runInputOf(declared: Declared, request: ReadRequest, segments: readonly Segment[]): RunInput {
  const checklists = [...declared.checklists, ...request.checklists];
  const tool = toolOf(declared, request.tool);
  const { text, value } = request.arguments;
  return {
    gate: declared.gate,
    ruleset: declared.ruleset,
    phase: request.phase,
    now:
      request.now ??
      nowOf(
        checklists.map(({ body }) => body),
        segments,
      ),
    attempts: { intent: 0, tool: 0 },
    proposal: {
      received: text === null ? null : { plain: text },
      prepared: value === null ? null : { plain: value },
    },
    tool,
    tool_digest: digestOf(tool),
    checklists,
    unsound: declared.unsound,
    action_key: 'ok',
    segments,
    request_from: 0,
    entries: request.entries,
  };
}

function toolOf(declared: Declared, given: string | ToolDeclaration): ToolDeclaration {
  if (typeof given !== 'string') return given;
  return (
    declared.tools.get(given) ?? {
      server: 'default',
      name: given,
      description: null,
      input_schema: null,
      annotations: null,
    }
  );
}

/**
 * How many segments of this conversation the log holds already. They must be those that the request brings: trust and order
 * are fixed when a segment arrives.
 */
function heldSegments(
  log: SyncLog,
  stream: string,
  segments: readonly Segment[],
  request: ReadRequest,
): number {
  let held = 0;
  for (const page of log.readSync({ stream })) {
    for (const { event } of page) {
      const brought = segments[held];
      const stored = (event.data as DataOf<'SegmentAdded'>).segment;
      // A request may be judged on less than is known by now; it may not tell it otherwise.
      if (brought !== undefined && encode(brought) !== encode(stored)) throw differs(request, held);
      held++;
    }
  }
  return held;
}

function differs(request: ReadRequest, segment: number): GroundsError {
  const message = request.segments[segment]?.message ?? null;
  return new GroundsError(
    'check/conversation-differs',
    `Message ${message} of the conversation ${request.conversation_id} is not the one that the log holds.`,
    {
      facts: { conversation_id: request.conversation_id, message, segment },
      hint: 'Bring the conversation as it was, with what is new at its end; for another conversation give another conversation_id.',
    },
  );
}

function declaration(log: SyncLog, stream: string, digest: string, event: () => Made): Commit['writes'] {
  for (const page of log.readSync({ stream })) {
    for (const { event: known } of page) if ((known.data as { digest: string }).digest === digest) return [];
  }
  return [{ stream, expected: log.versionSync(stream), events: [event()] }];
}

function runsOf(
  log: SyncLog,
  stream: string,
): { readonly version: number; readonly runs: readonly string[] } {
  const runs: string[] = [];
  for (const page of log.readSync({ stream, types: ['RunStarted'] })) {
    for (const { event } of page) runs.push((event.data as DataOf<'RunStarted'>).run);
  }
  return { version: log.versionSync(stream), runs };
}
