import { encode } from '../events/canonical.ts';
import { uuidFrom } from '../events/ids.ts';
import { EVENTS, streamOf } from '../events/index.ts';
import type { Commit, SyncLog } from '../log/index.ts';
import { type HeldRuns, heldDeclarations, heldRuns } from '../runs/held.ts';
import { type Recording, recorded } from '../runs/recording.ts';
import { type Declaration, declarationsOf, type MakeEvent, runEvents } from '../runs/run-events.ts';
import type { Conversation } from '../transcripts/index.ts';
import { outcomeOf } from './outcome.ts';
import { type AuditedCall, auditCalls, type ToolTable, toolTable } from './runs.ts';

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
export function importerOf(options: Recording): Importer {
  const { log, declared } = options;
  const tools = toolTable(declared);
  const known = knownDeclarations(log);
  return {
    // Another import of the same conversation came first: then there is nothing, or less, to add.
    add: (conversation) =>
      recorded(TRIES, () => addConversation(options, tools, known, conversation), known.forget),
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
      known = new Set(heldDeclarations(log, stream));
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
  options: Recording,
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
  const made: MakeEvent = (type, data) => ({
    type,
    schema: EVENTS[type].schema,
    id: options.newId(),
    at,
    data,
  });

  const commits: Commit[] = [];
  const declaredNow: Declaration[] = [];
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
  const declare = (declaration: Declaration): Commit['writes'] => {
    const { stream, digest, event } = declaration;
    if (
      known.has(stream, digest) ||
      declaredNow.some((item) => item.stream === stream && item.digest === digest)
    ) {
      return [];
    }
    declaredNow.push(declaration);
    return [{ stream, expected: 'any', events: [event()] }];
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
    const earlier = fresh ? NOTHING : heldRuns(log, callStream);
    const origin = { file: conversation.origin.file, line: conversation.origin.line, message: call.message };
    const seen = driven === null ? earlier.observedUngated : earlier.runs.includes(runId);
    calls.push({ call_id: callId, run_id: driven === null ? null : runId, audited, added: !seen });
    if (seen) continue;

    let version = earlier.version;
    const expected = (): number | 'none' => (version === 0 ? 'none' : version);
    if (driven !== null) {
      const place = {
        id: runId,
        request,
        conversation: id,
        supersedes: earlier.runs.at(-1) ?? null,
        environment: options.environment,
        origin,
        gated: true,
      };
      const events = runEvents(run, driven, place, made);
      commits.push({
        writes: [
          ...declarationsOf(run, made).flatMap(declare),
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
                arguments:
                  driven !== null || call.arguments.value === null ? null : { plain: call.arguments.value },
                gated,
                origin: driven === null ? origin : null,
                outcome: outcomeOf(run, result),
                result: call.result,
                tool: call.tool,
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

const NOTHING: HeldRuns = { version: 0, runs: [], observedUngated: false };
