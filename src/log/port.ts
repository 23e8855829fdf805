import type { Envelope, StreamId } from '../events/envelope.ts';

/** An event to write; the log adds the stream, and gives position and version. */
export interface NewEvent {
  readonly type: string;
  readonly schema: number;
  readonly id: string;
  readonly at: string;
  readonly data: unknown;
}

export type Expected = number | 'none' | 'exists' | 'any';

/**
 * One atomic commit over any number of streams. `expected` is the stream's version before the write: its event count
 * (0 and 'none' mean no stream yet). `unchanged` is the read set: streams that must still be at the version that was read.
 */
export interface Commit {
  readonly writes: readonly {
    readonly stream: StreamId;
    readonly expected: Expected;
    readonly events: readonly NewEvent[];
  }[];
  readonly unchanged?: readonly { readonly stream: StreamId; readonly version: number }[];
}

/** `first` is the position of the commit's first event, `next` the one after its last; equal for a commit that writes nothing. */
export interface Appended {
  readonly first: number;
  readonly next: number;
}

export interface Recorded {
  /** Dense, from 0, in the order of commit. */
  readonly position: number;
  /** Place in its stream, dense from 0. */
  readonly version: number;
  readonly event: Envelope;
  /** The stored canonical bytes, as they are. */
  readonly bytes: Uint8Array;
  /** RFC 6962 leaf hash: SHA-256(0x00 ‖ bytes). */
  readonly leaf: Uint8Array;
}

export interface Query {
  readonly stream?: StreamId;
  readonly streams?: readonly StreamId[];
  /** The streams whose names begin with this and a slash: `setting/u` has `setting/u/…`. */
  readonly under?: string;
  readonly types?: readonly string[];
  /** Positions, half-open; default the whole log as it is when reading begins. */
  readonly from?: number;
  readonly to?: number;
  /** Versions of `stream`, half-open. */
  readonly fromVersion?: number;
  readonly toVersion?: number;
  readonly direction?: 'forward' | 'backward';
  readonly limit?: number;
  /** Rows a page, default 512. */
  readonly page?: number;
}

/**
 * The port. An append either is durable when the promise resolves or has written nothing. A conflict is a
 * `GroundsError` with code `log/conflict` and the actual version of each stream that differed.
 */
export interface Log {
  append(commit: Commit): Promise<Appended>;
  read(query: Query): AsyncIterable<readonly Recorded[]>;
  /** The number of events a stream holds. */
  version(stream: StreamId): Promise<number>;
  size(): Promise<number>;
  close(): Promise<void>;
}
