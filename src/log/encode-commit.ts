import { GroundsError } from '../errors.ts';
import { encode } from '../events/canonical.ts';
import type { Envelope, StreamId } from '../events/envelope.ts';
import { isInOrder } from '../events/in-order.ts';
import { leafOfText } from './leaf.ts';
import type { Commit, Expected, NewEvent } from './port.ts';

/** An event ready to store: encoded and hashed once, before any lock is taken. */
export interface EncodedEvent {
  readonly type: string;
  readonly bytes: Buffer;
  readonly leaf: Buffer;
}

export interface EncodedWrite {
  readonly stream: StreamId;
  readonly expected: Expected;
  readonly events: readonly EncodedEvent[];
}

export interface EncodedCommit {
  readonly writes: readonly EncodedWrite[];
  readonly unchanged: readonly { readonly stream: StreamId; readonly version: number }[];
}

/**
 * The canonical text of an envelope: its six keys and no others, written in sorted order.
 *
 * @throws GroundsError `events/not-json`
 */
export function encodeEnvelope({ at, data, id, schema, stream, type }: Envelope): string {
  if (
    isInOrder(at) &&
    isInOrder(data) &&
    isInOrder(id) &&
    isInOrder(stream) &&
    isInOrder(type) &&
    isInOrder(schema)
  ) {
    return JSON.stringify({ at, data, id, schema, stream, type });
  }
  return `{"at":${encode(at)},"data":${encode(data)},"id":${encode(id)},"schema":${encode(schema)},"stream":${encode(stream)},"type":${encode(type)}}`;
}

/**
 * Everything of an append that needs no log: shapes checked, events encoded and hashed. What the caller does to its
 * objects afterwards changes nothing.
 *
 * @throws GroundsError `log/bad-commit`, `events/not-json`
 */
export function encodeCommit(commit: Commit): EncodedCommit {
  const writes = commit.writes.map((write) => {
    checkStream(write.stream);
    if (!isExpected(write.expected)) {
      throw badCommit('an expected version is a count, none, exists or any', {
        stream: write.stream,
        expected: write.expected,
      });
    }
    const events = write.events.map((event) => encodeEvent(event, write.stream));
    return { stream: write.stream, expected: write.expected, events };
  });
  const unchanged = (commit.unchanged ?? []).map(({ stream, version }) => {
    checkStream(stream);
    if (!isCount(version)) throw badCommit('a version that was read is a count', { stream, version });
    return { stream, version };
  });
  return { writes, unchanged };
}

function encodeEvent(event: NewEvent, stream: StreamId): EncodedEvent {
  const { type, schema, id, at, data } = event;
  if (typeof type !== 'string' || type === '' || typeof id !== 'string' || typeof at !== 'string') {
    throw badCommit('an event has a type, an id and a time, all text', { type, id, at });
  }
  if (!isCount(schema)) throw badCommit('a schema number is a count', { type, schema });
  const { bytes, leaf } = leafOfText(encodeEnvelope({ at, data, id, schema, stream, type }));
  return { type, bytes, leaf };
}

function checkStream(stream: unknown): void {
  if (typeof stream !== 'string' || stream === '') throw badCommit('a stream has a name', { stream });
}

function isExpected(expected: unknown): boolean {
  return expected === 'none' || expected === 'exists' || expected === 'any' || isCount(expected);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && !Object.is(value, -0);
}

function badCommit(what: string, facts: Record<string, unknown>): GroundsError {
  return new GroundsError('log/bad-commit', `The commit is not well formed: ${what}.`, {
    facts,
    hint: 'Mend the commit; nothing was written.',
  });
}
