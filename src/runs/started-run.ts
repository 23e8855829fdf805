import type { DataOf } from '../events/index.ts';
import { streamOf } from '../events/streams.ts';
import type { SyncLog } from '../log/index.ts';

/** A run of a call as it was started, and where that stands; null where the call has no such run. */
export function startedRun(
  log: SyncLog,
  call: string,
  run: string | null,
): { readonly started: DataOf<'RunStarted'>; readonly position: number } | null {
  for (const page of log.readSync({ stream: streamOf.call(call), types: ['RunStarted'] })) {
    for (const { event, position } of page) {
      const started = event.data as DataOf<'RunStarted'>;
      if (started.run === run) return { started, position };
    }
  }
  return null;
}
