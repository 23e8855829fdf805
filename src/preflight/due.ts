import { resolverOf } from '../../replay/resolve.ts';
import type { ReaderSpec } from '../declarations/checklist.ts';
import type { DataOf } from '../events/index.ts';
import { type RunInput, rulesFor } from '../gate/index.ts';
import { readPlace } from '../gate/keys.ts';
import { formatZone, zoneMinutes } from '../gate/readers/dates.ts';
import { readerOf } from '../gate/readers/index.ts';
import type { SyncLog } from '../log/index.ts';
import type { CallStanding } from '../projections/standing.ts';

/** What a deferral says of when. */
type Until = Pick<DataOf<'CallDeferred'>, 'timing' | 'until'>;

/**
 * The time that the words of a schedule mean, ISO 8601 with an offset: read at their place by the reader that the timing is declared
 * with, against the segment's own time. A date begins as the checklist's zone has it. null: what comes again and again, or waits for
 * something else than a time; and words that are no date or time, or one without a year that nothing says. RULES R3, R12.
 *
 * @throws GroundsError `events/sealed` where the words are sealed
 */
export function dueIn(run: RunInput, { timing, until }: Until): string | null {
  const rules = rulesFor(run);
  const detail = rules.timing[timing]?.detail;
  if (timing !== 'scheduled' || until === null || detail === undefined) return null;
  const kind = kindOf(detail, rules.readers);
  const reader = kind === null ? null : readerOf(detail, rules.readers);
  const value = reader === null ? undefined : readPlace(run, rules, reader, until.at);
  if (typeof value !== 'string' || value.startsWith('-')) return null;
  return kind === 'date' ? `${value}T00:00:00${formatZone(zoneMinutes(rules.zone) ?? 0)}` : value;
}

/** The time that a deferred call is due at; null where it has none, or waits no more as its newest run left it. */
export function dueOf(log: SyncLog, { run, deferred }: CallStanding): string | null {
  // A time is read for a call that is made once: until its trigger was judged, the run that deferred it is the newest.
  if (run === null || deferred === null || deferred.data.run !== run.id) return null;
  const { run: input } = resolverOf(log).resolve(run.started, run.position);
  return input === null ? null : dueIn(input, deferred.data);
}

/** Whether a reader of this name reads days or times. A built-in one can't be declared anew. */
function kindOf(name: string, specs: Readonly<Record<string, ReaderSpec>>): 'date' | 'datetime' | null {
  if (name === 'date' || name === 'datetime') return name;
  const spec = readerOf(name, {}) === null && Object.hasOwn(specs, name) ? specs[name] : undefined;
  if (spec === undefined) return null;
  return 'date' in spec ? 'date' : 'datetime' in spec ? 'datetime' : null;
}
