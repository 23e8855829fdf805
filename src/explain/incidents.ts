import type { DataOf } from '../events/index.ts';
import type { SyncLog } from '../log/index.ts';
import type { CallPlace } from '../projections/call-row.ts';
import { openOf } from './record.ts';
import type { Explanation } from './schema.ts';

/** What was reported of a call, of any of its runs, oldest first. */
export function incidentsOf(log: SyncLog, place: CallPlace): Explanation['incidents'] {
  const incidents: Explanation['incidents'] = [];
  for (const page of log.readSync({ stream: place.stream, types: ['IncidentReported'] })) {
    for (const { event } of page) {
      const { run, slots, text, happened_at } = event.data as DataOf<'IncidentReported'>;
      incidents.push({
        event: event.id,
        at: event.at,
        run_id: run,
        slots,
        text: openOf(text) ?? null,
        happened_at,
      });
    }
  }
  return incidents;
}
