import type { Checklist } from '../src/declarations/checklist.ts';
import type { ToolDeclaration } from '../src/declarations/tool.ts';
import type { DeclaredAt, RunStarted } from '../src/events/run.ts';
import type { Segment } from '../src/events/segment.ts';
import { streamOf } from '../src/events/streams.ts';
import type { RunInput } from '../src/gate/types.ts';
import type { StoredRow, SyncLog } from '../src/log/index.ts';

/** A run's input as the log holds it, or what of it the log does not hold. */
export type Resolved =
  | { readonly run: RunInput; readonly missing: null }
  | { readonly run: null; readonly missing: { readonly stream: string; readonly digest: string | null } };

export interface Resolver {
  /** `before`: only what was recorded before this position can have been an input. */
  resolve(started: RunStarted, before: number): Resolved;
}

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
  const conversations = new Map<string, { segments: Segment[]; positions: number[] }>();

  const declaration = (at: DeclaredAt, before: number): unknown => {
    const key = `${at.stream} ${at.digest}`;
    if (!declared.has(key)) {
      for (const page of log.readSync({ stream: at.stream })) {
        for (const row of page) {
          seen(row);
          const data = row.event.data as { digest: string; tool?: unknown; body?: unknown };
          const name = `${at.stream} ${data.digest}`;
          if (!declared.has(name))
            declared.set(name, { body: data.tool ?? data.body, position: row.position });
        }
      }
    }
    const found = declared.get(key);
    return found === undefined || found.position >= before ? undefined : found.body;
  };

  const segmentsOf = (id: string, count: number, before: number): readonly Segment[] | null => {
    let known = conversations.get(id);
    if (known === undefined) {
      known = { segments: [], positions: [] };
      conversations.set(id, known);
      for (const oldest of conversations.keys()) {
        if (conversations.size <= KEPT) break;
        conversations.delete(oldest);
      }
    }
    if (known.segments.length < count) {
      const stream = streamOf.conversation(id);
      for (const page of log.readSync({ stream, fromVersion: known.segments.length, toVersion: count })) {
        for (const row of page) {
          seen(row);
          known.segments.push((row.event.data as { segment: Segment }).segment);
          known.positions.push(row.position);
        }
      }
    }
    if (known.segments.length < count) return null;
    if (count > 0 && (known.positions[count - 1] as number) >= before) return null;
    return known.segments.slice(0, count);
  };

  return {
    resolve(started, before) {
      const missing = (stream: string, digest: string | null): Resolved => ({
        run: null,
        missing: { stream, digest },
      });
      const tool = declaration(started.tool, before);
      if (tool === undefined) return missing(started.tool.stream, started.tool.digest);
      const bodies = started.checklists.map((at) => ({ digest: at.digest, body: declaration(at, before) }));
      const lost = started.checklists.find((_, index) => bodies[index]?.body === undefined);
      if (lost !== undefined) return missing(lost.stream, lost.digest);
      const segments = segmentsOf(started.conversation, started.segments, before);
      if (segments === null) return missing(streamOf.conversation(started.conversation), null);
      const listKey = JSON.stringify(started.checklists);
      let checklists = lists.get(listKey);
      if (checklists === undefined) {
        checklists = bodies as { digest: string; body: Checklist }[];
        lists.set(listKey, checklists);
      }
      return {
        missing: null,
        run: {
          gate: started.gate,
          ruleset: started.ruleset,
          phase: started.phase,
          now: started.now,
          attempts: started.attempts,
          proposal: started.proposal,
          tool: tool as ToolDeclaration,
          tool_digest: started.tool.digest,
          checklists,
          unsound: started.unsound,
          action_key: started.action_key.state,
          segments,
          request_from: started.request_from,
          entries: started.entries.map(({ entry }) => entry),
        },
      };
    },
  };
}
