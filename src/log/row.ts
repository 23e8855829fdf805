import { GroundsError } from '../errors.ts';
import type { Envelope, StreamId } from '../events/envelope.ts';
import type { Recorded } from './port.ts';

/** What the table holds of one event. Everything but `position` and `bytes` is derived and can be recomputed. */
export interface Row {
  readonly position: number;
  readonly stream: StreamId;
  readonly version: number;
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly leaf: Uint8Array;
}

/** A row as it is read: the event is parsed from the bytes when it is first asked for, so hashing loops never parse. */
export interface StoredRow extends Row, Recorded {}

/** A class, because a getter on a prototype is several times cheaper a row than one on a fresh object. */
class LazyRow implements StoredRow {
  readonly position: number;
  readonly stream: StreamId;
  readonly version: number;
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly leaf: Uint8Array;
  #text: string | undefined;
  #event: Envelope | undefined;

  constructor(row: Row) {
    this.position = row.position;
    this.stream = row.stream;
    this.version = row.version;
    this.type = row.type;
    this.bytes = row.bytes;
    this.leaf = row.leaf;
  }

  /** The bytes as UTF-8; what is none of it is U+FFFD. */
  get text(): string {
    this.#text ??= textOf(this.bytes);
    return this.#text;
  }

  get event(): Envelope {
    this.#event ??= parseEnvelope(this.text, this.position);
    return this.#event;
  }
}

/** The text of a row that is being read. */
export function textOfRow(row: Row): string {
  return row instanceof LazyRow ? row.text : textOf(row.bytes);
}

function textOf(bytes: Uint8Array): string {
  if (bytes instanceof Buffer) return bytes.toString('utf8');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

export function storedRow(row: Row): StoredRow {
  return new LazyRow(row);
}

function parseEnvelope(text: string, position: number): Envelope {
  try {
    return JSON.parse(text) as Envelope;
  } catch (error) {
    throw new GroundsError(
      'log/damaged',
      `The event at position ${position} is no longer JSON: it was changed.`,
      {
        facts: { position },
        hint: 'Keep the file as it is; grounds replay says what else was changed.',
        exit: 4,
        cause: error,
      },
    );
  }
}
