import type { ToolDeclaration } from '../declarations/tool.ts';
import { encode } from '../events/canonical.ts';
import { digestOf } from '../events/digest.ts';
import { uuidFrom } from '../events/ids.ts';
import { makeEvent, streamOf } from '../events/index.ts';
import type { Segment } from '../events/segment.ts';
import type { Verdict } from '../events/verdict.ts';
import { listConditions } from '../gate/conditions.ts';
import { drive, isGated, locate, type RunInput, rulesFor } from '../gate/index.ts';
import { proposedArguments } from '../gate/slot-list.ts';
import type { Commit } from '../log/index.ts';
import { type Declared, undeclaredTool } from '../runs/declared.ts';
import { heldRuns, undeclaredYet } from '../runs/held.ts';
import { nowOf } from '../runs/now.ts';
import { type Recording, recorded } from '../runs/recording.ts';
import { declarationsOf, type MakeEvent, runEvents } from '../runs/run-events.ts';
import { requestOf } from '../runs/standing.ts';
import { alignConversation } from './align-conversation.ts';
import { requireKnownNames } from './known-names.ts';
import { namedCall } from './named-calls.ts';
import type { ReadRequest } from './read-request.ts';

export interface Checked {
  readonly call_id: string;
  readonly run_id: string;
  readonly gated: boolean;
  /** What the gate was given. */
  readonly input: RunInput;
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
 * conversation, is a new run of the same call. One conversation is one request: of its calls the executor sends the same once.
 *
 * @throws GroundsError `check/conversation-differs`, those of `requireKnownNames`, and those of the log
 */
export function checkRun(options: Recording, request: ReadRequest): Checked {
  return recorded(ATTEMPTS, () => recordOnce(options, request));
}

function recordOnce({ log, declared, clock, newId, environment }: Recording, request: ReadRequest): Checked {
  const key = log.importKey;
  const conversation = uuidFrom(
    key,
    'checked conversation',
    request.conversation_id === null
      ? encode(request.segments.map(({ segment }) => segment))
      : `named ${request.conversation_id}`,
  );
  const stream = streamOf.conversation(conversation);
  const { held, segments, fresh } = alignConversation(log, stream, request);
  const run = runInputOf(declared, request, segments);
  requireKnownNames(run);
  const call =
    request.id === null
      ? uuidFrom(key, 'checked call', conversation, encode([run.tool.name, run.proposal, segments.length]))
      : namedCall(key, conversation, request.id);
  const { segments: _, checklists, tool: __, ...rest } = run;
  const id = uuidFrom(
    key,
    'checked run',
    call,
    encode({ ...rest, checklists: checklists.map(({ digest }) => digest), seen: segments.length }),
  );

  const callStream = streamOf.call(call);
  const earlier = heldRuns(log, callStream);
  const gated = isGated(run, request.arguments.value ?? undefined);
  const driven = drive(run, (lookup) => locate(run, lookup));
  const checked = {
    call_id: call,
    run_id: id,
    gated,
    input: run,
    verdict: driven.verdict,
    verdict_digest: digestOf(driven.verdict),
    conditions: new Set(listConditions(rulesFor(run), proposedArguments(run)).map(({ id: each }) => each)),
  };
  if (earlier.runs.includes(id)) return { ...checked, added: false };

  const request_id = uuidFrom(key, 'request', conversation);
  const standing = requestOf(log, request_id);
  const at = clock();
  const made: MakeEvent = (type, data) => makeEvent(type, data, { id: newId(), at });
  const place = {
    id,
    request: request_id,
    conversation,
    supersedes: earlier.runs.at(-1) ?? null,
    environment,
    origin: null,
    gated,
  };
  const writes: Commit['writes'] = [
    ...declarationsOf(run, made).flatMap((declaration) => undeclaredYet(log, declaration)),
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
      events: runEvents(run, driven, place, made),
    },
    // Its request is assumed and never opened; that its calls are found there keeps one of them from being sent twice. It stands behind
    // the run: right before it, it would say that the call was opened in a live request.
    ...(standing?.calls.includes(call)
      ? []
      : [
          {
            stream: streamOf.request(request_id),
            expected: standing?.version ?? ('none' as const),
            events: [made('CallOpened', { call })],
          },
        ]),
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
  return declared.tools.get(given) ?? undeclaredTool(given);
}
