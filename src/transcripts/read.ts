import type { GroundsError } from '../errors.ts';
import { isGroundsError } from '../errors.ts';
import { lineCounter } from '../events/ingress-fault.ts';
import { isArray, isObject, type Json } from '../events/json.ts';
import { badInput } from './bad-input.ts';
import type { Conversation } from './conversation.ts';
import type { Format, Piece } from './format.ts';
import { formatsFor } from './formats.ts';
import { DOCUMENT_CAP, type Input, type Line, linesOf, openInput } from './input.ts';
import { elementsOf, joined, type Received } from './received.ts';
import { elementStarts, startsOf } from './source-text.ts';
import { isBlank, type Read, readBytes } from './text.ts';

export interface ReadOptions {
  /** The name of the format, where it should not be told from the input. */
  readonly format?: string;
  /**
   * Takes what is wrong with a line, or with one conversation of a document; reading then goes on with the next.
   * Without it the error is thrown when the line is reached.
   */
  readonly onFault?: (error: GroundsError) => void;
}

/**
 * The conversations of a file, in order, each whole or not at all. Lines (one conversation each, an array of them, or
 * one message of a single conversation) are read one at a time, up to 32 MiB each; a document (one conversation or an array
 * of them) as a whole, up to 256 MiB. Which of the two it is follows from whether the first line is a complete value.
 *
 * Throws `GroundsError` `transcript/…` with exit 2, with file and line among its facts.
 */
export function* readTranscripts(file: string, options: ReadOptions = {}): Generator<Conversation, void> {
  const formats = formatsFor(file, options.format);
  const reading: Reading = {
    file,
    formats,
    forced: options.format !== undefined,
    fault: options.onFault ?? raise,
  };
  const input = openInput(file);
  try {
    let first = nextFilled(input.next);
    let read = first && readLine(first, file);
    if (read && 'received' in read && isHeader(read.received.value)) {
      first = nextFilled(input.next);
      read = first && readLine(first, file);
    }
    if (!first || !read) throw badInput('empty', { file, line: null }, 'the file is empty');
    if ('error' in read && beginsAsChecklist(file, first)) {
      throw badInput('is-yaml', { file, line: null }, 'it looks like a checklist, not like a transcript');
    }
    const format = 'received' in read ? pieceFormat(read.received.value, formats) : undefined;
    if (format) yield* readPieces(format, first, read, input.next, reading);
    else if ('received' in read || first.bytes === null) yield* readLines(first, read, input.next, reading);
    else yield* readDocument(first, first.bytes, read, input, reading);
  } finally {
    input.close();
  }
}

/** Comments and a document's start may stand before what every checklist begins with. */
function beginsAsChecklist(file: string, first: Line): boolean {
  // Nothing else is opened again: a pipe can be read only once.
  if (kindOfLine(first) !== 'before') return kindOfLine(first) === 'begins';
  const input = openInput(file);
  try {
    for (let count = 0; count < 100; count++) {
      const line = nextFilled(input.next);
      const kind = line === null ? 'other' : kindOfLine(line);
      if (kind !== 'before') return kind === 'begins';
    }
    return false;
  } finally {
    input.close();
  }
}

function kindOfLine({ bytes }: Line): 'begins' | 'before' | 'other' {
  const text = bytes?.subarray(0, 200).toString('utf8') ?? '';
  if (/^\ufeff?(grounds|checklist|declared_by)\s*:/.test(text)) return 'begins';
  return /^\ufeff?(#|---)/.test(text) ? 'before' : 'other';
}

/** A first line that only describes the file, as data sets of traces have it. */
function isHeader(value: Json): boolean {
  return isObject(value) && isObject(value.metadata) && Object.keys(value).length === 1;
}

type Next = () => Line | null;

interface Reading {
  readonly file: string;
  readonly formats: readonly Format[];
  readonly forced: boolean;
  readonly fault: (error: GroundsError) => void;
}

/**
 * The first line is no complete value: the file is one document, unless another line is a conversation by itself; then
 * the first line is at fault. A single message on a line tells nothing: in a document cut short it is a fragment.
 */
function* readDocument(
  first: Line,
  head: Buffer,
  broken: Read,
  input: Input,
  reading: Reading,
): Generator<Conversation> {
  const second = nextFilled(input.next);
  if (second === null || second.bytes === null || isConversation(second, reading)) {
    yield* readLines(first, broken, second === null ? input.next : withFirst(second, input.next), reading);
    return;
  }
  const rest = input.rest(DOCUMENT_CAP - head.length - second.bytes.length);
  if (rest === null) {
    reading.fault(
      badInput('too-large', { file: reading.file, line: first.line }, 'the document has more than 256 MiB'),
    );
    return;
  }
  // As many line ends between as there were, so that lines keep their numbers.
  const between = Buffer.alloc(second.line - first.line, '\n');
  const bytes = Buffer.concat([head, between, second.bytes, Buffer.from('\n'), rest]);
  const whole = readBytes(bytes, reading.file, first.line);
  if ('received' in whole) yield* wholeDocument(whole, first.line, reading);
  else if (anyLine(linesOf(bytes, first.line), (line) => isConversation(line, reading))) {
    const next = linesOf(bytes, first.line);
    yield* readLines(nextFilled(next) ?? first, broken, next, reading);
  } else reading.fault(whole.error);
}

/** A document may also be the one piece of a conversation, written over several lines. */
function* wholeDocument(
  whole: { received: Received; text: string },
  line: number,
  reading: Reading,
): Generator<Conversation> {
  const piece = pieceFormat(whole.received.value, reading.formats);
  if (piece) yield* one(piece, joined([whole.received]), line, reading);
  else yield* conversationsIn(whole, line, reading);
}

function* readLines(first: Line, read: Read, next: Next, reading: Reading): Generator<Conversation> {
  let here = read;
  for (let line: Line | null = first; line; line = nextFilled(next)) {
    if (line !== first) here = readLine(line, reading.file);
    if ('error' in here) reading.fault(here.error);
    else yield* conversationsIn(here, line.line, reading);
  }
}

/** All lines together are one conversation: with one of them missing it would be another. */
function* readPieces(
  format: Format,
  first: Line,
  read: Read,
  next: Next,
  reading: Reading,
): Generator<Conversation> {
  const pieces: Received[] = [];
  let size = 0;
  let here = read;
  for (let line: Line | null = first; line; line = nextFilled(next)) {
    if (line !== first) here = readLine(line, reading.file);
    const at = { file: reading.file, line: line.line };
    size += line.bytes?.length ?? 0;
    if ('error' in here) return reading.fault(here.error);
    if (!format.claimsPiece(here.received.value)) {
      return reading.fault(badInput('shape', at, 'it is not one message, as the lines before it are'));
    }
    if (size > DOCUMENT_CAP) {
      return reading.fault(badInput('too-large', at, 'the conversation has more than 256 MiB'));
    }
    pieces.push(here.received);
  }
  yield* one(format, joined(pieces), first.line, reading);
}

/** A value is one conversation, or an array of them. */
function* conversationsIn(
  { received, text }: { received: Received; text: string },
  line: number,
  reading: Reading,
): Generator<Conversation> {
  const { value } = received;
  const whole = reading.formats.find((format) => format.claims(value));
  if (whole || !isArray(value)) return yield* one(whole, received, line, reading, text);
  if (value.length === 0) {
    return reading.fault(badInput('empty', { file: reading.file, line }, 'the array holds no conversation'));
  }
  const starts = text.includes('\n') ? elementStarts(text) : [];
  const whereIs = lineCounter(text);
  for (const [i, element] of elementsOf(received, value).entries()) {
    const here = line + whereIs(starts[i] ?? 0).line - 1;
    const format = reading.formats.find((candidate) => candidate.claims(element.value));
    yield* one(format, element, here, reading);
  }
}

/** `text` is the source of the value, where lines are to be counted in it. */
function* one(
  format: Format | undefined,
  received: Received,
  line: number,
  reading: Reading,
  text = '',
): Generator<Conversation> {
  const origin = { file: reading.file, line };
  const chosen = format ?? (reading.forced ? reading.formats[0] : undefined);
  const pieces = guarded(reading, () => {
    if (chosen) return chosen.split?.(received, origin) ?? [{ received, pointer: null, run: null }];
    const known = reading.formats.map(({ name }) => name).join(', ');
    throw badInput('unknown-format', origin, `it is no conversation in a known format (${known})`);
  });
  if (!chosen || !pieces) return;
  const lines = linesIn(text, pieces);
  for (const [i, piece] of pieces.entries()) {
    const at = { file: reading.file, line: line + (lines[i] ?? 1) - 1 };
    const conversation = guarded(reading, () => chosen.read(piece.received, at, piece.run));
    if (conversation) yield conversation;
  }
}

/** The line within a text on which each piece starts; pieces come in the order of the text. */
function linesIn(text: string, pieces: readonly Piece[]): number[] {
  if (!text.includes('\n')) return [];
  const starts = startsOf(
    text,
    pieces.flatMap(({ pointer }) => pointer ?? []),
  );
  const whereIs = lineCounter(text);
  return pieces.map(({ pointer }) => (pointer === null ? 1 : whereIs(starts.get(pointer) ?? 0).line));
}

/** What is wrong with one conversation is a fault, and the rest is read. */
function guarded<T>(reading: Reading, action: () => T): T | null {
  try {
    return action();
  } catch (error) {
    if (!isGroundsError(error)) throw error;
    reading.fault(error);
    return null;
  }
}

function pieceFormat(value: Json, formats: readonly Format[]): Format | undefined {
  if (formats.some((format) => format.claims(value))) return undefined;
  return formats.find((format) => format.claimsPiece(value));
}

function isConversation(line: Line, { file, formats }: Reading): boolean {
  const read = readLine(line, file);
  return 'received' in read && formats.some((format) => format.claims(read.received.value));
}

function readLine({ line, bytes }: Line, file: string): Read {
  if (bytes) return readBytes(bytes, file, line);
  return { error: badInput('line-too-long', { file, line }, 'the line has more than 32 MiB') };
}

function nextFilled(next: Next): Line | null {
  for (let line = next(); line; line = next()) {
    if (line.bytes === null || !isBlank(line.bytes)) return line;
  }
  return null;
}

function withFirst(first: Line, next: Next): Next {
  let line: Line | null = first;
  return () => {
    const given = line ?? next();
    line = null;
    return given;
  };
}

function anyLine(next: Next, fits: (line: Line) => boolean): boolean {
  for (let line = nextFilled(next); line; line = nextFilled(next)) if (fits(line)) return true;
  return false;
}

function raise(error: GroundsError): never {
  throw error;
}
