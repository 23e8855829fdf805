import type { Resolver } from '../../replay/resolve.ts';
import { type DataOf, parseStream, streamOf } from '../events/index.ts';
import type { RunStarted } from '../events/run.ts';
import { rulesFor } from '../gate/index.ts';
import type { SyncLog } from '../log/index.ts';
import type { CallPast } from './call-past.ts';
import { requireWhole } from './require-whole.ts';

/** The tools whose results measure a fact of the run, or make it stale. RULES R8b. */
export function touchingTools(inputs: Resolver, started: RunStarted, position: number): ReadonlySet<string> {
  const { ruled } = inputs.declared(started, position);
  const facts = ruled === null ? [] : rulesFor(ruled).facts;
  return new Set(
    facts.flatMap(({ measured_by, stale_after }) => [
      ...measured_by.map(({ tool }) => tool),
      ...stale_after.flatMap(({ tools }) => tools),
    ]),
  );
}

/** Whether another call was started since that may have changed what this run rests on; what failed changed nothing. */
export function touched({ standing, runs }: CallPast, tools: ReadonlySet<string>, position: number): boolean {
  return (standing?.starts ?? []).some((start) => {
    const stream = runs.get(start.data.run)?.started.tool.stream;
    const name = stream === undefined ? null : parseStream(stream);
    return (
      start.position > position &&
      start.outcome !== 'failed' &&
      (name?.kind !== 'tool' || tools.has(name.name))
    );
  });
}

/** What a conversation holds beyond what a run saw, and at which version. */
export interface SaidSince {
  readonly version: number;
  /** Pieces typed by the user. */
  readonly typed: number;
  /** Results of the tools that touch the run. */
  readonly measured: number;
}

/** Reads the conversation once: what the run saw of it, and is not known yet, is kept for its values. */
export function saidSince(
  log: SyncLog,
  inputs: Resolver,
  { conversation, segments }: RunStarted,
  touching: ReadonlySet<string>,
): SaidSince {
  let version = segments;
  let typed = 0;
  let measured = 0;
  const stream = streamOf.conversation(conversation);
  for (const page of log.readSync({ stream, fromVersion: Math.min(inputs.held(conversation), segments) })) {
    for (const row of page) {
      requireWhole(row);
      inputs.note(row);
      if (row.version < segments) continue;
      version = row.version + 1;
      const { segment } = row.event.data as DataOf<'SegmentAdded'>;
      if (segment.typed) typed++;
      if (segment.observes !== null && touching.has(segment.observes.tool)) measured++;
    }
  }
  return { version, typed, measured };
}
