import type { Envelope } from '../events/envelope.ts';
import { encodeEnvelope } from './encode-commit.ts';
import { leafHash } from './leaf.ts';
import { type Row, type StoredRow, textOfRow } from './row.ts';

/**
 * - `leaf`: the stored leaf hash is not that of the bytes
 * - `not-json`: the bytes are not UTF-8 JSON of an envelope
 * - `canonical`: the bytes are not the canonical form of what they say (or say more than an envelope)
 * - `columns`: the stream or type column is not the bytes'
 * - `position`: not the next position of the log
 * - `version`: not the next version of its stream
 */
export type RowProblemCode = 'leaf' | 'not-json' | 'canonical' | 'columns' | 'position' | 'version';

export interface RowProblem {
  readonly code: RowProblemCode;
  readonly position: number;
  readonly facts: Readonly<Record<string, unknown>>;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Recomputes what derives from a row's own bytes. It proves nothing of order or completeness: that is the tree's part.
 *
 * @returns the first problem, or null
 */
export function checkRow(row: Row | StoredRow): RowProblem | null {
  if ('event' in row && isWhole(row)) return null;
  const problem = (code: RowProblemCode, facts: Record<string, unknown> = {}): RowProblem => ({
    code,
    position: row.position,
    facts,
  });
  const leaf = leafHash(row.bytes);
  if (!leaf.equals(row.leaf)) {
    return problem('leaf', { stored: Buffer.from(row.leaf).toString('hex'), derived: leaf.toString('hex') });
  }
  const read = parse(row.bytes);
  if (read === null) return problem('not-json');
  if (!isCanonical(read.text, read.event)) return problem('canonical');
  const { stream, type } = read.event;
  if (row.stream !== stream)
    return problem('columns', { column: 'stream', stored: row.stream, derived: stream });
  if (row.type !== type) return problem('columns', { column: 'type', stored: row.type, derived: type });
  return null;
}

/**
 * Checks rows one after the other, from `from` on: each as `checkRow` does, and that positions and the versions of each
 * stream are dense. It keeps one number a stream.
 *
 * @param from the first position to come; where it is not 0, the first version seen of a stream is taken as it is
 */
export function rowChecker(from = 0): (row: Row | StoredRow) => RowProblem | null {
  const inOrder = orderChecker(from);
  return (row) => inOrder(row) ?? checkRow(row);
}

/** The part of `rowChecker` that reads no bytes: positions, and the versions of each stream, are dense. */
export function orderChecker(from = 0): (row: Row) => RowProblem | null {
  const versions = new Map<string, number>();
  let position = from;
  return (row) => {
    const expected = position;
    const version = versions.get(row.stream) ?? (from === 0 ? 0 : row.version);
    position = row.position + 1;
    versions.set(row.stream, row.version + 1);
    if (row.position !== expected) {
      return { code: 'position', position: row.position, facts: { expected } };
    }
    if (row.version !== version) {
      return {
        code: 'version',
        position: row.position,
        facts: { stream: row.stream, stored: row.version, derived: version },
      };
    }
    return null;
  };
}

/**
 * The good case of a row that is read: its text and event are made once, for whoever reads on too. A text that is equal to what
 * its event encodes to is canonical and nothing more. What is wrong, or only looks so, is told the long way.
 */
function isWhole(row: StoredRow): boolean {
  try {
    const { event } = row;
    const text = textOfRow(row);
    return (
      keysInOrder(event) &&
      JSON.stringify(event) === text &&
      !MAY_BE_NEITHER.test(text) &&
      Object.keys(event).join() === ENVELOPE &&
      leafHash(row.bytes).equals(row.leaf) &&
      row.stream === event.stream &&
      row.type === event.type
    );
  } catch {
    return false;
  }
}

/** Half a surrogate pair is written so, and nothing canonical holds one; and bytes that are no UTF-8 are read so. */
const MAY_BE_NEITHER = /\\ud|\ufffd/;

const ENVELOPE = 'at,data,id,schema,stream,type';

/**
 * Whether JSON.stringify gives the canonical text of what JSON.parse gave, but for half surrogate pairs: keys in UTF-16 order,
 * and no integer that stands for its neighbours too.
 */
function keysInOrder(value: object): boolean {
  if (Array.isArray(value)) return value.every(inOrder);
  const keys = Object.keys(value);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    if (i > 0 && key < (keys[i - 1] as string)) return false;
    if (!inOrder((value as Record<string, unknown>)[key])) return false;
  }
  return true;
}

function inOrder(value: unknown): boolean {
  if (typeof value === 'object') return value === null || keysInOrder(value);
  return typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value);
}

function parse(bytes: Uint8Array): { text: string; event: Envelope } | null {
  try {
    const text = utf8.decode(bytes);
    const event: unknown = JSON.parse(text);
    return typeof event === 'object' && event !== null ? { text, event: event as Envelope } : null;
  } catch {
    return null;
  }
}

/** What the encoder refuses is not canonical either. */
function isCanonical(text: string, event: Envelope): boolean {
  try {
    return encodeEnvelope(event) === text;
  } catch {
    return false;
  }
}
