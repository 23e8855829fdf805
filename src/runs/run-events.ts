import type { StreamId } from '../events/envelope.ts';
import { type DataOf, type EventType, type Frozen, type Made, streamOf } from '../events/index.ts';
import type { Environment } from '../events/run.ts';
import { walksOf } from '../events/walk.ts';
import type { Driven, RunInput } from '../gate/index.ts';

/** Makes an event with an id and a time of its own. */
export type MakeEvent = <T extends EventType>(type: T, data: Frozen<DataOf<T>>) => Made<T>;

/** Where a run stands in a log. */
export interface RunPlace {
  readonly id: string;
  readonly request: string;
  readonly conversation: string;
  /** The run of the same call before it. */
  readonly supersedes: string | null;
  readonly environment: Environment;
  readonly origin: Frozen<DataOf<'RunStarted'>>['origin'];
  readonly gated: boolean;
  /** What a live run knows besides; an audit assumes one request a conversation and has none of the rest. */
  readonly live?: {
    /** The run of another call of this request that this one goes round (R16). */
    readonly follows: string | null;
    /** Opaque. */
    readonly action_key: string | null;
    /** The event that each entry of the run was made from, in the same order. */
    readonly entries: readonly (string | null)[];
    /** The setting streams that it looked at, as it found them. */
    readonly settings: readonly { readonly stream: string; readonly version: number }[];
    /** Opaque; null where nobody said. */
    readonly user: string | null;
  };
}

/** What a run rests on and each log holds once: the stream it stands in, the digest it is known by, and its event. */
export interface Declaration {
  readonly stream: StreamId;
  readonly digest: string;
  readonly event: () => Made;
}

/** The declarations of a run's tool and checklists, in the order in which they are written. */
export function declarationsOf({ tool, tool_digest, checklists }: RunInput, made: MakeEvent): Declaration[] {
  return [
    toolDeclaration(tool, tool_digest, made),
    ...checklists.map((checklist) => checklistDeclaration(checklist, made)),
  ];
}

export function toolDeclaration(tool: RunInput['tool'], digest: string, made: MakeEvent): Declaration {
  return {
    stream: streamOf.tool(tool.server, tool.name),
    digest,
    event: () => made('ToolDeclared', { digest, tool }),
  };
}

export function checklistDeclaration(
  { digest, body }: RunInput['checklists'][number],
  made: MakeEvent,
): Declaration {
  return {
    stream: streamOf.checklist(body.declared_by, body.checklist),
    digest,
    event: () =>
      made('ChecklistDeclared', {
        digest,
        declared_by: body.declared_by,
        written_by: body.written_by ?? null,
        place: null,
        body: body as never,
      }),
  };
}

/**
 * A run as it stands in its call's stream: what it was given, each lookup, the verdict. Its keys are sorted, so that its plain
 * JSON text is already canonical.
 *
 * @param made for what was given
 * @param found for what the gate found: it has its shape from the gate's own types
 */
export function runEvents(
  run: RunInput,
  driven: Driven,
  place: RunPlace,
  made: MakeEvent,
  found: MakeEvent = made,
): Made[] {
  const { live } = place;
  return [
    made('RunStarted', {
      action_key: { key: live?.action_key ?? null, state: run.action_key },
      attempts: run.attempts,
      checklists: run.checklists.map(({ digest, body }) => ({
        digest,
        stream: streamOf.checklist(body.declared_by, body.checklist),
      })),
      conversation: place.conversation,
      entries: run.entries.map((entry, index) => ({ entry, event: live?.entries[index] ?? null })),
      environment: place.environment,
      follows: live?.follows ?? null,
      gate: run.gate,
      gated: place.gated,
      now: run.now,
      origin: place.origin,
      phase: run.phase,
      proposal: run.proposal,
      request: place.request,
      request_boundary: live === undefined ? 'assumed' : 'declared',
      request_from: run.request_from,
      ruleset: run.ruleset,
      run: place.id,
      segments: run.segments.length,
      ...(live === undefined || live.settings.length === 0 ? {} : { settings: [...live.settings] }),
      supersedes: place.supersedes,
      tool: { digest: run.tool_digest, stream: streamOf.tool(run.tool.server, run.tool.name) },
      unsound: run.unsound,
      ...(live?.user == null ? {} : { user: live.user }),
    }),
    ...walksOf(driven.lookups).map((walk) => found('LookupPerformed', walk)),
    found('VerdictRecorded', { verdict: driven.verdict }),
  ];
}
