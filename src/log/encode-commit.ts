import { GroundsError } from '../errors.ts';
import { encode } from '../events/canonical.ts';
import type { Envelope, StreamId } from '../events/envelope.ts';
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
 * The canonical text of an envelope, its six keys written in sorted order in one pass.
 *
 * @throws GroundsError `events/not-json`
 */
export function encodeEnvelope(event: Envelope): string {
  return `{"at":${encode(event.at)},"data":${encode(event.data)},"id":${encode(event.id)},"schema":${encode(event.schema)},"stream":${encode(event.stream)},"type":${encode(event.type)}}`;
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
    const stream = encode(write.stream);
    const events = write.events.map((event) => encodeEvent(event, stream));
    return { stream: write.stream, expected: write.expected, events };
  });
  const unchanged = (commit.unchanged ?? []).map(({ stream, version }) => {
    checkStream(stream);
    if (!isCount(version)) throw badCommit('a version that was read is a count', { stream, version });
    return { stream, version };
  });
  return { writes, unchanged };
}

/** The same text as `encodeEnvelope`; the stream is encoded once a write. */
function encodeEvent(event: NewEvent, stream: string): EncodedEvent {
  const { type, schema, id, at, data } = event;
  if (typeof type !== 'string' || type === '' || typeof id !== 'string' || typeof at !== 'string') {
    throw badCommit('an event has a type, an id and a time, all text', { type, id, at });
  }
  if (!isCount(schema)) throw badCommit('a schema number is a count', { type, schema });
  const text = `{"at":${encode(at)},"data":${encode(data)},"id":${encode(id)},"schema":${schema},"stream":${stream},"type":${encode(type)}}`;
  return { type, ...leafOfText(text) };
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
