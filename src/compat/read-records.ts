import { lineCounter } from '../events/ingress-fault.ts';
import { isArray, type Json } from '../events/json.ts';
import type { Origin } from '../events/run.ts';
import { badInput } from '../transcripts/bad-input.ts';
import { DOCUMENT_CAP, type Input, type Line, openInput } from '../transcripts/input.ts';
import { elementStarts } from '../transcripts/source-text.ts';
import { isBlank, type Read, readBytes } from '../transcripts/text.ts';
import { notExact, requireRecord } from './record-fault.ts';

/** One exported record, as it was received. */
export interface ReadRecord {
  readonly record: Json;
  readonly version: string;
  readonly origin: Origin;
}

/**
 * The records of a file, in order: JSON lines, each a record or an array of them, or one document over several lines. A
 * record that can't be kept exactly is refused, since whatever is read else would not be what was recorded.
 *
 * @throws GroundsError `record/not-exact`, `record/shape`, `record/version`, `transcript/…` of the file and its text
 */
export function* readRecords(file: string): Generator<ReadRecord, void> {
  const input = openInput(file);
  try {
    const first = nextFilled(input);
    if (first === null) throw badInput('empty', { file, line: null }, 'the file is empty');
    const read = readLine(first, file);
    // A first line that is no complete value begins a document.
    if ('error' in read && first.bytes !== null) {
      return yield* recordsIn(readDocument(read, first.bytes, first.line, input, file), file, first.line);
    }
    yield* recordsIn(read, file, first.line);
    for (let line = nextFilled(input); line !== null; line = nextFilled(input)) {
      yield* recordsIn(readLine(line, file), file, line.line);
    }
  } finally {
    input.close();
  }
}

function* recordsIn(read: Read, file: string, line: number): Generator<ReadRecord> {
  if ('error' in read) throw read.error;
  const { received, text } = read;
  const [fault] = received.faults;
  if (fault !== undefined) throw notExact(fault, { file, line });
  if (!isArray(received.value)) {
    yield recordAt(received.value, { file, line, message: 0 });
    return;
  }
  const starts = elementStarts(text);
  const whereIs = lineCounter(text);
  for (const [message, value] of received.value.entries()) {
    yield recordAt(value, { file, line: line + whereIs(starts[message] ?? 0).line - 1, message });
  }
}

function recordAt(value: Json, origin: Origin): ReadRecord {
  return { record: value, version: requireRecord(value, origin).version, origin };
}

function readDocument(broken: Read, head: Buffer, line: number, input: Input, file: string): Read {
  const rest = input.rest(DOCUMENT_CAP - head.length);
  if (rest === null) {
    return { error: badInput('too-large', { file, line }, 'the document has more than 256 MiB') };
  }
  // What is cut off by itself is said of its own line.
  if (rest.toString('latin1').trim() === '') return broken;
  return readBytes(Buffer.concat([head, Buffer.from('\n'), rest]), file, line);
}

function readLine({ line, bytes }: Line, file: string): Read {
  if (bytes !== null) return readBytes(bytes, file, line);
  return { error: badInput('line-too-long', { file, line }, 'the line has more than 32 MiB') };
}

function nextFilled(input: Input): Line | null {
  for (let line = input.next(); line !== null; line = input.next()) {
    if (line.bytes === null || !isBlank(line.bytes)) return line;
  }
  return null;
}
