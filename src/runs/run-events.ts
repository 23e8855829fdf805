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
  };
}

/** What a run rests on and each log holds once: the stream it stands in, the digest it is known by, and its event. */
export interface Declaration {
  readonly stream: StreamId;
  readonly digest: string;
  readonly event: () => Made;
}

/** The declarations of a run's tool and checklists, in the order in which they are written. */
export function declarationsOf(run: RunInput, made: MakeEvent): Declaration[] {
  const { tool, tool_digest, checklists } = run;
  return [
    {
      stream: streamOf.tool(tool.server, tool.name),
      digest: tool_digest,
      event: () => made('ToolDeclared', { digest: tool_digest, tool }),
    },
    ...checklists.map(({ digest, body }) => ({
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
    })),
  ];
}

/** A run as it stands in its call's stream: what it was given, each lookup, the verdict. */
export function runEvents(run: RunInput, driven: Driven, place: RunPlace, made: MakeEvent): Made[] {
  const { live } = place;
  return [
    made('RunStarted', {
      run: place.id,
      request: place.request,
      conversation: place.conversation,
      segments: run.segments.length,
      request_from: run.request_from,
      request_boundary: live === undefined ? 'assumed' : 'declared',
      gate: run.gate,
      ruleset: run.ruleset,
      phase: run.phase,
      now: run.now,
      supersedes: place.supersedes,
      follows: live?.follows ?? null,
      attempts: run.attempts,
      proposal: run.proposal,
      tool: { stream: streamOf.tool(run.tool.server, run.tool.name), digest: run.tool_digest },
      checklists: run.checklists.map(({ digest, body }) => ({
        stream: streamOf.checklist(body.declared_by, body.checklist),
        digest,
      })),
      unsound: run.unsound,
      action_key: { state: run.action_key, key: live?.action_key ?? null },
      entries: run.entries.map((entry, index) => ({ event: live?.entries[index] ?? null, entry })),
      ...(live === undefined || live.settings.length === 0 ? {} : { settings: [...live.settings] }),
      environment: place.environment,
      origin: place.origin,
      gated: place.gated,
    }),
    ...walksOf(driven.lookups).map((walk) => made('LookupPerformed', walk)),
    made('VerdictRecorded', { verdict: driven.verdict }),
  ];
}
