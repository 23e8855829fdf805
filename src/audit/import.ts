import { isGroundsError } from '../errors.ts';
import { encode } from '../events/canonical.ts';
import { uuidFrom } from '../events/ids.ts';
import type { DataOf, Frozen, Made } from '../events/index.ts';
import { EVENTS, type EventType, streamOf } from '../events/index.ts';
import type { Environment } from '../events/run.ts';
import { walksOf } from '../events/walk.ts';
import type { Commit, SyncLog } from '../log/index.ts';
import type { Conversation } from '../transcripts/index.ts';
import { outcomeOf } from './outcome.ts';
import { type AuditedCall, auditCalls, type Declared, type ToolTable, toolTable } from './runs.ts';

export interface ImportOptions {
  readonly log: SyncLog;
  readonly declared: Declared;
  /** When it is recorded: UTC with milliseconds. */
  readonly clock: () => string;
  readonly newId: () => string;
  readonly environment: Environment;
}

/** One call as it was imported, or found again. */
export interface ImportedCall {
  readonly call_id: string;
  readonly run_id: string | null;
  readonly audited: AuditedCall;
  /** false: the log already held this run. */
  readonly added: boolean;
}

export interface Importer {
  /** Records one conversation with all its runs, in one transaction: after a crash it is there whole or not at all. */
  add(conversation: Conversation): readonly ImportedCall[];
}

/**
 * Records what the gate would have found for calls that already ran. Ids come from the log's own key and the conversation, so
 * that importing the same transcript again adds nothing; another checklist or gate adds a new run to the same call.
 */
export function importerOf(options: ImportOptions): Importer {
  const { log, declared } = options;
  const tools = toolTable(declared);
  const known = knownDeclarations(log);
  return {
    add: (conversation) => {
      for (let tries = 1; ; tries++) {
        try {
          return addConversation(options, tools, known, conversation);
        } catch (error) {
          // Another import of the same conversation came first: then there is nothing, or less, to add.
          if (!isGroundsError(error) || error.code !== 'log/conflict' || tries >= TRIES) throw error;
          known.forget();
        }
      }
    },
  };
}

/** How often a conversation is begun anew where other processes write to the same log. */
const TRIES = 20;

interface Known {
  forget(): void;
  has(stream: string, digest: string): boolean;
  add(stream: string, digest: string): void;
}

/** Which declarations the log holds; each declaring stream is read once. */
function knownDeclarations(log: SyncLog): Known {
  const byStream = new Map<string, Set<string>>();
  const digests = (stream: string): Set<string> => {
    let known = byStream.get(stream);
    if (known === undefined) {
      known = new Set();
      for (const page of log.readSync({ stream })) {
        for (const { event } of page) known.add((event.data as { digest: string }).digest);
      }
      byStream.set(stream, known);
    }
    return known;
  };
  return {
    forget: () => byStream.clear(),
    has: (stream, digest) => digests(stream).has(digest),
    add: (stream, digest) => {
      digests(stream).add(digest);
    },
  };
}

function addConversation(
  options: ImportOptions,
  tools: ToolTable,
  known: Known,
  conversation: Conversation,
): ImportedCall[] {
  const { log, declared } = options;
  const key = log.importKey;
  const id = uuidFrom(key, 'conversation', encode(conversation.identity));
  const request = uuidFrom(key, 'request', id);
  const stream = streamOf.conversation(id);
  const fresh = log.versionSync(stream) === 0;
  const at = options.clock();
  // What is built here has its shape from the types, and what came from outside was checked when it was read: checking each
  // event once more would cost a tenth of an import. A test parses every event that an import writes.
  const made = <T extends EventType>(type: T, data: Frozen<DataOf<T>>): Made<T> => ({
    type,
    schema: EVENTS[type].schema,
    id: options.newId(),
    at,
    data,
  });

  const commits: Commit[] = [];
  const declaredNow: { stream: string; digest: string }[] = [];
  let written = 0;
  const segmentsUpTo = (count: number): Commit['writes'] => {
    if (!fresh || count <= written) return [];
    const events = conversation.segments
      .slice(written, count)
      .map(({ segment, message, part }) => made('SegmentAdded', { segment, source: { message, part } }));
    const write = { stream, expected: written === 0 ? ('none' as const) : written, events };
    written = count;
    return [write];
  };
  const declare = (name: string, digest: string, event: () => Made): Commit['writes'] => {
    if (
      known.has(name, digest) ||
      declaredNow.some((item) => item.stream === name && item.digest === digest)
    ) {
      return [];
    }
    declaredNow.push({ stream: name, digest });
    return [{ stream: name, expected: 'any', events: [event()] }];
  };

  const calls: ImportedCall[] = [];
  for (const audited of auditCalls(conversation, declared, tools)) {
    const { call, run, driven, gated } = audited;
    const callId = uuidFrom(key, 'call', id, String(call.message), String(call.index));
    const callStream = streamOf.call(callId);
    const runId = uuidFrom(
      key,
      'run',
      callId,
      run.gate,
      run.ruleset,
      run.tool_digest,
      ...run.checklists.map(({ digest }) => digest),
      ...run.unsound.map(({ digest }) => digest),
    );
    const earlier = fresh ? NOTHING : runsOf(log, callStream);
    const origin = { file: conversation.origin.file, line: conversation.origin.line, message: call.message };
    const seen = driven === null ? earlier.observedUngated : earlier.runs.includes(runId);
    calls.push({ call_id: callId, run_id: driven === null ? null : runId, audited, added: !seen });
    if (seen) continue;

    let version = earlier.version;
    const expected = (): number | 'none' => (version === 0 ? 'none' : version);
    if (driven !== null) {
      const events: Made[] = [
        made('RunStarted', {
          run: runId,
          request,
          conversation: id,
          segments: run.segments.length,
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
          tool: { stream: streamOf.tool(run.tool.server, run.tool.name), digest: run.tool_digest },
          checklists: run.checklists.map(({ digest, body }) => ({
            stream: streamOf.checklist(body.declared_by, body.checklist),
            digest,
          })),
          unsound: run.unsound,
          action_key: { state: 'ok', key: null },
          entries: run.entries.map((entry) => ({ event: null, entry })),
          environment: options.environment,
          origin,
          gated: true,
        }),
        ...walksOf(driven.lookups).map((walk) => made('LookupPerformed', walk)),
        made('VerdictRecorded', { verdict: driven.verdict }),
      ];
      commits.push({
        writes: [
          ...declare(streamOf.tool(run.tool.server, run.tool.name), run.tool_digest, () =>
            made('ToolDeclared', { digest: run.tool_digest, tool: run.tool }),
          ),
          ...run.checklists.flatMap(({ digest, body }) =>
            declare(streamOf.checklist(body.declared_by, body.checklist), digest, () =>
              made('ChecklistDeclared', {
                digest,
                declared_by: body.declared_by,
                written_by: body.written_by ?? null,
                place: null,
                body: body as never,
              }),
            ),
          ),
          ...segmentsUpTo(call.before),
          { stream: callStream, expected: expected(), events },
        ],
      });
      version += events.length;
    }
    if (earlier.version === 0 || driven === null) {
      const result = call.result === null ? undefined : conversation.segments[call.result]?.segment;
      commits.push({
        writes: [
          ...segmentsUpTo(call.result === null ? call.before : call.result + 1),
          {
            stream: callStream,
            expected: expected(),
            events: [
              made('CallObserved', {
                tool: call.tool,
                result: call.result,
                outcome: outcomeOf(run, result),
                gated,
                arguments:
                  driven !== null || call.arguments.value === null ? null : { plain: call.arguments.value },
                origin: driven === null ? origin : null,
              }),
            ],
          },
        ],
      });
    }
  }
  const rest = segmentsUpTo(conversation.segments.length);
  if (rest.length > 0) commits.push({ writes: rest });
  if (commits.length > 0) log.appendSync(commits);
  for (const { stream: name, digest } of declaredNow) known.add(name, digest);
  return calls;
}

interface Earlier {
  readonly version: number;
  readonly runs: readonly string[];
  /** The newest word about it is that it stands outside the gate. */
  readonly observedUngated: boolean;
}

const NOTHING: Earlier = { version: 0, runs: [], observedUngated: false };

function runsOf(log: SyncLog, stream: string): Earlier {
  let version = 0;
  let observedUngated = false;
  const runs: string[] = [];
  for (const page of log.readSync({ stream })) {
    for (const { event } of page) {
      version++;
      if (event.type === 'RunStarted') {
        runs.push((event.data as DataOf<'RunStarted'>).run);
        observedUngated = false;
      }
      if (event.type === 'CallObserved') observedUngated = !(event.data as DataOf<'CallObserved'>).gated;
    }
  }
  return { version, runs, observedUngated };
}
