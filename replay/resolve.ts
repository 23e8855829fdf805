import type { Checklist } from '../src/declarations/checklist.ts';
import type { ToolDeclaration } from '../src/declarations/tool.ts';
import type { DeclaredAt, RunStarted } from '../src/events/run.ts';
import type { Segment } from '../src/events/segment.ts';
import { streamOf } from '../src/events/streams.ts';
import type { RunInput } from '../src/gate/types.ts';
import type { StoredRow, SyncLog } from '../src/log/index.ts';

/** Where the inputs of a run stand in the log. */
export interface InputsAt {
  /** The tool, then the checklists. */
  readonly declarations: readonly number[];
  /** By segment; it may hold more than the run saw. */
  readonly segments: readonly number[];
}

/** A run's input as the log holds it, or what of it the log does not hold. */
export type Resolved =
  | { readonly run: RunInput; readonly at: InputsAt; readonly missing: null }
  | { readonly run: null; readonly missing: { readonly stream: string; readonly digest: string | null } };

export interface Resolver {
  /** `before`: only what was recorded before this position can have been an input. */
  resolve(started: RunStarted, before: number): Resolved;
  /** Whether all segments of a run have passed, so that resolving it reads none. */
  hasSegments(started: RunStarted): boolean;
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
  const declared = new Map<string, { readonly body: unknown; readonly position: number }>();
  const lists = new Map<string, RunInput['checklists']>();
  const conversations = new Map<string, Kept>();

  const declaration = (at: DeclaredAt, before: number): { body: unknown; position: number } | undefined => {
    const key = `${at.stream} ${at.digest}`;
    if (!declared.has(key)) {
      for (const page of log.readSync({ stream: at.stream })) {
        for (const row of page) {
          seen(row);
          const data = dataOf<{ digest: string; tool?: unknown; body?: unknown }>(row);
          if (data === null) continue;
          const name = `${at.stream} ${data.digest}`;
          if (!declared.has(name))
            declared.set(name, { body: data.tool ?? data.body, position: row.position });
        }
      }
    }
    const found = declared.get(key);
    return found === undefined || found.position >= before ? undefined : found;
  };

  const conversation = (id: string): Kept => {
    let known = conversations.get(id);
    if (known === undefined) {
      known = { segments: [], positions: [] };
      conversations.set(id, known);
      for (const oldest of conversations.keys()) {
        if (conversations.size <= KEPT) break;
        conversations.delete(oldest);
      }
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

  return {
    resolve(started, before) {
      const missing = (stream: string, digest: string | null): Resolved => ({
        run: null,
        missing: { stream, digest },
      });
      const tool = declaration(started.tool, before);
      if (tool === undefined) return missing(started.tool.stream, started.tool.digest);
      const found = started.checklists.map((at) => declaration(at, before));
      const lost = started.checklists.find((_, index) => found[index] === undefined);
      if (lost !== undefined) return missing(lost.stream, lost.digest);
      const kept = segmentsOf(started.conversation, started.segments, before);
      if (kept === null) return missing(streamOf.conversation(started.conversation), null);
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
        at: {
          declarations: [tool.position, ...found.map((item) => item?.position as number)],
          segments: kept.positions,
        },
        run: {
          gate: started.gate,
          ruleset: started.ruleset,
          phase: started.phase,
          now: started.now,
          attempts: started.attempts,
          proposal: started.proposal,
          tool: tool.body as ToolDeclaration,
          tool_digest: started.tool.digest,
          checklists,
          unsound: started.unsound,
          action_key: started.action_key.state,
          segments: kept.segments.slice(0, started.segments),
          request_from: started.request_from,
          entries: started.entries.map(({ entry }) => entry),
        },
      };
    },
    hasSegments: ({ conversation: id, segments }) =>
      (conversations.get(id)?.segments.length ?? 0) >= segments,
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
