import type { Checklist } from '../src/declarations/checklist.ts';
import type { ToolDeclaration } from '../src/declarations/tool.ts';
import type { DeclaredAt, RunStarted } from '../src/events/run.ts';
import type { Segment } from '../src/events/segment.ts';
import { streamOf } from '../src/events/streams.ts';
import type { RunInput } from '../src/gate/types.ts';
import type { StoredRow, SyncLog } from '../src/log/index.ts';
import { keepNewest } from '../src/runs/keep-newest.ts';

/** Where the inputs of a run stand in the log. */
export interface InputsAt {
  /** The tool, then the checklists. */
  readonly declarations: readonly number[];
  /** By segment; it may hold more than the run saw. */
  readonly segments: readonly number[];
}

/** What the log does not hold. */
interface Missing {
  readonly stream: string;
  readonly digest: string | null;
}

/** A run's input as the log holds it, or what of it the log does not hold. */
export type Resolved =
  | { readonly run: RunInput; readonly at: InputsAt; readonly missing: null }
  | { readonly run: null; readonly missing: Missing };

/** What a run goes by, likewise: no segment is read for it. */
export type Declared =
  | {
      readonly ruled: Pick<RunInput, 'ruleset' | 'tool' | 'checklists'>;
      /** The tool, then the checklists. */
      readonly at: readonly number[];
      readonly missing: null;
    }
  | { readonly ruled: null; readonly missing: Missing };

export interface Resolver {
  /** `before`: only what was recorded before this position can have been an input. */
  resolve(started: RunStarted, before: number): Resolved;
  declared(started: RunStarted, before: number): Declared;
  /** How many segments of a conversation have passed; resolving a run reads only those that have not. */
  held(conversation: string): number;
  /** Takes a segment's row as it passes, so that it need not be read again. */
  note(row: StoredRow): void;
  /** The newest run that a call's stream holds before this version. */
  runBefore(stream: string, version: number): string | null;
}

interface Kept {
  readonly segments: Segment[];
  readonly positions: number[];
}

const CONVERSATION = 'conversation/';

/** How many conversations' segments are kept; runs of one conversation stand together in a log. */
const KEPT = 8;

/**
 * Resolves what a `RunStarted` names by reference. Each declaration and segment is read and parsed once, and the same
 * objects serve every run, so that the gate's memos by identity hold across a conversation's runs.
 *
 * @param seen is told of each row that was read, to check it and to count it.
 */
export function resolverOf(log: SyncLog, seen: (row: StoredRow) => void = () => {}): Resolver {
  const bodies = new Map<string, { readonly body: unknown; readonly position: number }>();
  const lists = new Map<string, RunInput['checklists']>();
  const conversations = new Map<string, Kept>();

  const declaration = (at: DeclaredAt, before: number): { body: unknown; position: number } | undefined => {
    const key = `${at.stream} ${at.digest}`;
    if (!bodies.has(key)) {
      for (const page of log.readSync({ stream: at.stream })) {
        for (const row of page) {
          seen(row);
          const data = dataOf<{ digest: string; tool?: unknown; body?: unknown }>(row);
          if (data === null) continue;
          const name = `${at.stream} ${data.digest}`;
          if (!bodies.has(name)) bodies.set(name, { body: data.tool ?? data.body, position: row.position });
        }
      }
    }
    const found = bodies.get(key);
    return found === undefined || found.position >= before ? undefined : found;
  };

  const conversation = (id: string): Kept => {
    let known = conversations.get(id);
    if (known === undefined) {
      known = { segments: [], positions: [] };
      keepNewest(conversations, id, known, KEPT);
    }
    return known;
  };

  const segmentsOf = (id: string, count: number, before: number): Kept | null => {
    const known = conversation(id);
    if (known.segments.length < count) {
      const stream = streamOf.conversation(id);
      for (const page of log.readSync({ stream, fromVersion: known.segments.length, toVersion: count })) {
        for (const row of page) {
          seen(row);
          keep(known, row);
        }
      }
    }
    if (known.segments.length < count) return null;
    if (count > 0 && (known.positions[count - 1] as number) >= before) return null;
    return known;
  };

  const declared = (started: RunStarted, before: number): Declared => {
    const tool = declaration(started.tool, before);
    if (tool === undefined)
      return { ruled: null, missing: { stream: started.tool.stream, digest: started.tool.digest } };
    const found = started.checklists.map((at) => declaration(at, before));
    const lost = started.checklists.find((_, index) => found[index] === undefined);
    if (lost !== undefined) return { ruled: null, missing: { stream: lost.stream, digest: lost.digest } };
    const listKey = JSON.stringify(started.checklists);
    let checklists = lists.get(listKey);
    if (checklists === undefined) {
      checklists = started.checklists.map(({ digest }, index) => ({
        digest,
        body: found[index]?.body as Checklist,
      }));
      lists.set(listKey, checklists);
    }
    return {
      missing: null,
      at: [tool.position, ...found.map((item) => item?.position as number)],
      ruled: { ruleset: started.ruleset, tool: tool.body as ToolDeclaration, checklists },
    };
  };

  return {
    declared,
    resolve(started, before) {
      const known = declared(started, before);
      if (known.missing !== null) return { run: null, missing: known.missing };
      const kept = segmentsOf(started.conversation, started.segments, before);
      if (kept === null)
        return {
          run: null,
          missing: { stream: streamOf.conversation(started.conversation), digest: null },
        };
      return {
        missing: null,
        at: { declarations: known.at, segments: kept.positions },
        run: {
          ...known.ruled,
          gate: started.gate,
          phase: started.phase,
          now: started.now,
          attempts: started.attempts,
          proposal: started.proposal,
          tool_digest: started.tool.digest,
          unsound: started.unsound,
          action_key: started.action_key.state,
          segments: kept.segments.slice(0, started.segments),
          request_from: started.request_from,
          entries: started.entries.map(({ entry }) => entry),
        },
      };
    },
    held: (id) => conversations.get(id)?.segments.length ?? 0,
    note(row) {
      if (!row.stream.startsWith(CONVERSATION)) return;
      const id = row.stream.slice(CONVERSATION.length);
      if (row.version > 0 && !conversations.has(id)) return;
      const known = conversation(id);
      if (row.version === known.segments.length) keep(known, row);
    },
    runBefore(stream, version) {
      const query = {
        stream,
        types: ['RunStarted'],
        toVersion: version,
        direction: 'backward',
        limit: 1,
      } as const;
      for (const page of log.readSync(query)) {
        for (const row of page) return dataOf<RunStarted>(row)?.run ?? null;
      }
      return null;
    },
  };
}

function keep(known: Kept, row: StoredRow): void {
  known.segments.push(dataOf<{ segment: Segment }>(row)?.segment as Segment);
  known.positions.push(row.position);
}

/** null where the bytes can't be read: whoever checks the rows says so, at that position. */
function dataOf<T>(row: StoredRow): T | null {
  try {
    return (row.event as { data?: T } | null)?.data ?? null;
  } catch {
    return null;
  }
}
