import { createReadStream } from 'node:fs';
import { badInput } from '../transcripts/bad-input.ts';
import type { Received } from '../transcripts/received.ts';
import { isBlank, readBytes } from '../transcripts/text.ts';
import type { Io } from './io.ts';
import { notJson, requestFault } from './read-request.ts';
import { requireFiles } from './transcript-files.ts';

const CAP = 32 * 1024 * 1024;

export interface RequestText {
  readonly received: Received;
  readonly line: number;
}

/**
 * The requests of a file or of stdin (`-`), each as soon as its line is there, so that another program can ask and wait for
 * the answer. A first line that is no complete value begins one request over several lines.
 *
 * @throws GroundsError `transcript/…`, with file and line
 */
export async function* requestsIn(io: Io, name: string): AsyncGenerator<RequestText, void> {
  const file = name === '-' ? 'stdin' : name;
  if (name !== '-') requireFiles([name]);
  const chunks = name === '-' ? io.stdin() : createReadStream(name);
  let any = false;
  let whole: Buffer[] | null = null;
  let wholeFrom = 1;
  let size = 0;
  for await (const { line, bytes } of linesIn(chunks, file)) {
    if (whole !== null) {
      size += bytes.length + 1;
      if (size > CAP) throw requestFault('line-too-long', { file, line: wholeFrom });
      whole.push(bytes);
      continue;
    }
    if (isBlank(bytes)) continue;
    const read = readBytes(bytes, file, line);
    if ('received' in read) {
      any = true;
      yield { received: read.received, line };
    } else if (any || read.error.code !== 'transcript/not-json') throw notJson(read.error);
    else {
      whole = [bytes];
      wholeFrom = line;
      size = bytes.length;
    }
  }
  if (whole !== null) {
    const read = readBytes(
      Buffer.from(whole.map((line) => line.toString('latin1')).join('\n'), 'latin1'),
      file,
      wholeFrom,
    );
    if ('error' in read) throw notJson(read.error);
    any = true;
    yield { received: read.received, line: wholeFrom };
  }
  if (!any) throw requestFault('empty', { file, line: null });
}

async function* linesIn(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
): AsyncGenerator<{ readonly line: number; readonly bytes: Buffer }> {
  let held: Buffer[] = [];
  let size = 0;
  let line = 1;
  try {
    for await (const chunk of chunks) {
      let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      for (let end = rest.indexOf(0x0a); end !== -1; end = rest.indexOf(0x0a)) {
        yield { line, bytes: Buffer.concat([...held, rest.subarray(0, end)]) };
        held = [];
        size = 0;
        line++;
        rest = rest.subarray(end + 1);
      }
      held.push(rest);
      size += rest.length;
      if (size > CAP) throw requestFault('line-too-long', { file, line });
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined || !/^E[A-Z]+$/.test(code)) throw error;
    throw badInput('unreadable', { file, line: null }, `can not be read (${code})`, { errno: code });
  }
  if (size > 0) yield { line, bytes: Buffer.concat(held) };
}
