import { type Resolver, resolverOf } from '../../replay/resolve.ts';
import { GroundsError } from '../errors.ts';
import { plainOf } from '../events/content.ts';
import type { DataOf } from '../events/index.ts';
import type { Json } from '../events/json.ts';
import type { StoredRow, SyncLog } from '../log/index.ts';
import type { CallPlace } from '../projections/call-row.ts';
import { renderRecord } from './render-record.ts';

export type RecordOf = (place: CallPlace) => Json | null;

/**
 * Gives a call's record in the skeleton's shape: an imported one as it came, the newest run of Grounds' own as `renderRecord`
 * has it, with values read from the log. null where there is neither: no gate stood before that call.
 *
 * The function throws GroundsError `record/input-missing` where the log does not hold what a verdict rested on, and what
 * `renderRecord` throws.
 */
export function recordsFrom(log: SyncLog): RecordOf {
  const resolver = resolverOf(log);
  return (place) =>
    place.run === null ? importedRecord(log, place) : ownRecord(log, resolver, place, place.run);
}

function importedRecord(log: SyncLog, { stream }: CallPlace): Json | null {
  for (const { event } of rowsOf(log, { stream, types: ['RecordImported'] })) {
    return plainOf((event.data as DataOf<'RecordImported'>).record);
  }
  return null;
}

function ownRecord(
  log: SyncLog,
  resolver: Resolver,
  { stream }: CallPlace,
  run: { readonly from: number; readonly to: number },
): Json | null {
  const types = ['RunStarted', 'VerdictRecorded'];
  const [first, last] = rowsOf(log, { stream, types, fromVersion: run.from, toVersion: run.to });
  if (first === undefined || last === undefined) return null;
  const started = first.event.data as DataOf<'RunStarted'>;
  const { verdict } = last.event.data as DataOf<'VerdictRecorded'>;
  const resolved = resolver.resolve(started, first.position);
  if (resolved.run === null) throw inputMissing(resolved.missing);
  const beside = { action_key: started.action_key.key, resolved_at: first.event.at };
  return renderRecord(resolved.run, verdict, beside) as Json;
}

function rowsOf(log: SyncLog, query: Parameters<SyncLog['readSync']>[0]): StoredRow[] {
  const rows: StoredRow[] = [];
  for (const page of log.readSync(query)) rows.push(...page);
  return rows;
}

function inputMissing(missing: { readonly stream: string; readonly digest: string | null }): GroundsError {
  return new GroundsError('record/input-missing', 'The log does not hold what a verdict rested on.', {
    facts: { ...missing },
    hint: 'Run grounds replay on this log: it says what is missing. The full log may be elsewhere.',
    exit: 3,
  });
}
