import { GroundsError } from '../errors.ts';
import type { StreamId } from '../events/envelope.ts';
import type { Query } from './port.ts';

const DEFAULT_PAGE = 512;

/** A query with every default filled in; ranges are half-open. */
export interface Plan {
  readonly streams: readonly StreamId[] | null;
  readonly under: string | null;
  readonly types: readonly string[] | null;
  readonly from: number;
  readonly to: number;
  readonly fromVersion: number;
  readonly toVersion: number;
  readonly backward: boolean;
  readonly limit: number;
  readonly page: number;
}

/**
 * Fills in a query for a log that holds `size` events now: what is appended while it is read is not part of it. A reader that
 * takes the size itself, when it first matters, leaves it out.
 *
 * @throws GroundsError `log/bad-query`
 */
export function planQuery(query: Query, size = Number.MAX_SAFE_INTEGER): Plan {
  for (const name of ['from', 'to', 'fromVersion', 'toVersion', 'limit'] as const) {
    requireCount(name, query[name], 0);
  }
  requireCount('page', query.page, 1);
  const { stream, streams, under } = query;
  if ([stream, streams, under].filter((each) => each !== undefined).length > 1)
    throw badQuery('give one of stream, streams and under', { stream, streams, under });
  if (query.stream === undefined && (query.fromVersion ?? query.toVersion) !== undefined) {
    throw badQuery('versions are those of one stream: give it', {
      fromVersion: query.fromVersion,
      toVersion: query.toVersion,
    });
  }
  if (query.direction !== undefined && query.direction !== 'forward' && query.direction !== 'backward') {
    throw badQuery('a direction is forward or backward', { direction: query.direction });
  }
  return {
    streams: stream === undefined ? (streams ?? null) : [stream],
    under: under ?? null,
    types: query.types ?? null,
    from: query.from ?? 0,
    to: Math.min(query.to ?? size, size),
    fromVersion: query.fromVersion ?? 0,
    toVersion: query.toVersion ?? Number.MAX_SAFE_INTEGER,
    backward: query.direction === 'backward',
    limit: query.limit ?? Number.MAX_SAFE_INTEGER,
    page: query.page ?? DEFAULT_PAGE,
  };
}

function requireCount(name: string, value: number | undefined, least: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return;
  throw badQuery(`${name} is a whole number from ${least} up`, { [name]: value });
}

function badQuery(what: string, facts: Record<string, unknown>): GroundsError {
  return new GroundsError('log/bad-query', `The query can not be read: ${what}.`, {
    facts,
    hint: 'Mend the query.',
  });
}
