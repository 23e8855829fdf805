import type { StreamId } from '../events/envelope.ts';
import type { DataOf } from '../events/index.ts';
import type { Commit, SyncLog } from '../log/index.ts';
import { newestDeclared } from './newest-declared.ts';
import type { Declaration } from './run-events.ts';

/** What a call's stream holds. The version is the one that was read: what came after it is a conflict. */
export interface HeldRuns {
  readonly version: number;
  readonly runs: readonly string[];
  /** The newest word about it is that it stands outside the gate. */
  readonly observedUngated: boolean;
}

export function heldRuns(log: SyncLog, stream: StreamId): HeldRuns {
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

/** The digests of all declarations in a declaring stream: as many as its version says. */
export function heldDeclarations(log: SyncLog, stream: StreamId): string[] {
  const digests: string[] = [];
  for (const page of log.readSync({ stream })) {
    for (const { event } of page) digests.push((event.data as { digest: string }).digest);
  }
  return digests;
}

/**
 * The write of a declaration that is not the newest of its stream; none where it is. One that was in force before and is again is
 * declared again: an executor goes by the newest.
 */
export function undeclaredYet(log: SyncLog, { stream, digest, event }: Declaration): Commit['writes'] {
  const newest = newestDeclared(log, stream);
  return newest.digest === digest ? [] : [{ stream, expected: newest.version, events: [event()] }];
}
