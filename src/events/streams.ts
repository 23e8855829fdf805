import { GroundsError } from '../errors.ts';
import type { StreamId } from './envelope.ts';
import { escapeSegment, unescapeSegment } from './pointer.ts';

/** What a stream is named by. Ids are opaque: no user id, account or key design stands in hashed bytes. */
export type StreamName =
  | { readonly kind: 'conversation' | 'call' | 'request'; readonly id: string }
  | { readonly kind: 'tool'; readonly server: string; readonly name: string }
  | { readonly kind: 'checklist'; readonly owner: string; readonly name: string }
  | { readonly kind: 'setting'; readonly user: string; readonly name: string };

export type StreamKind = StreamName['kind'];

/**
 * Parts are escaped as in a JSON Pointer (`/` is `~1`), so that every name has one stream and comes back whole. An id or a name that is
 * empty has none: each throws `events/stream` then, as reading it would.
 */
export const streamOf = {
  conversation: (id: string): StreamId => join('conversation', id),
  call: (id: string): StreamId => join('call', id),
  request: (id: string): StreamId => join('request', id),
  /** The server may be empty: a transcript often doesn't say. */
  tool: (server: string, name: string): StreamId => join('tool', server, name),
  checklist: (owner: string, name: string): StreamId => join('checklist', owner, name),
  /** `user` is an opaque id, for example of `uuidFrom`. */
  setting: (user: string, name: string): StreamId => join('setting', user, name),
};

/** What the names of a user's setting streams have in common: a query's `under`. */
export function settingsUnder(user: string): string {
  return `setting/${escapeSegment(user)}`;
}

function join(...parts: string[]): StreamId {
  const stream = parts.map(escapeSegment).join('/');
  if (parts.at(-1) === '') throw noStream(stream);
  return stream;
}

/** @throws GroundsError `events/stream` where it names no stream of ours. */
export function parseStream(stream: StreamId): StreamName {
  const [kind, ...rest] = stream.split('/').map(unescapeSegment);
  const [first, second] = rest;
  if (first !== undefined && first !== '' && rest.length === 1) {
    if (kind === 'conversation' || kind === 'call' || kind === 'request') return { kind, id: first };
  }
  if (first !== undefined && second !== undefined && second !== '' && rest.length === 2) {
    if (kind === 'tool') return { kind, server: first, name: second };
    if (kind === 'checklist') return { kind, owner: first, name: second };
    if (kind === 'setting') return { kind, user: first, name: second };
  }
  throw noStream(stream);
}

function noStream(stream: StreamId): GroundsError {
  return new GroundsError('events/stream', `'${stream}' is not the name of a stream.`, {
    facts: { stream },
    hint: 'Streams are call/<id>, conversation/<id>, request/<id>, tool/<server>/<name>, checklist/<owner>/<name> and setting/<user>/<name>.',
  });
}
