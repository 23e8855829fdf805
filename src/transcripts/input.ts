import { closeSync, openSync, readSync } from 'node:fs';
import { badInput } from './bad-input.ts';

const MIB = 1024 * 1024;
/** Bytes that a line may have. */
const LINE_CAP = 32 * MIB;
/** Bytes that a document may have, or the lines of one conversation together. */
export const DOCUMENT_CAP = 256 * MIB;

/** A line's bytes without its end; null where it was longer than the cap. `line` counts from 1. */
export interface Line {
  readonly line: number;
  readonly bytes: Buffer | null;
}

/** A file read once, in order, a chunk at a time (a pipe will do). */
export interface Input {
  next(): Line | null;
  /** All that is left; null where it is more than the cap. */
  rest(cap: number): Buffer | null;
  close(): void;
}

/** Throws `transcript/not-found`, `…/is-a-directory` and `…/unreadable`. A byte order mark at the start is dropped. */
export function openInput(file: string): Input {
  const fd = guarded(file, () => openSync(file, 'r'));
  let held = Buffer.alloc(0);
  let line = 0;
  let ended = false;
  let skipping = false;
  let started = false;

  function more(): boolean {
    if (ended) return false;
    const chunk = Buffer.allocUnsafe(MIB);
    const size = guarded(file, () => readSync(fd, chunk, 0, chunk.length, null));
    ended = size === 0;
    held = held.length === 0 ? chunk.subarray(0, size) : Buffer.concat([held, chunk.subarray(0, size)]);
    return !ended;
  }

  function start(): void {
    if (started) return;
    started = true;
    while (held.length < 3 && more());
    if (held[0] === 0xef && held[1] === 0xbb && held[2] === 0xbf) held = held.subarray(3);
  }

  function take(): Buffer | null {
    const pieces: Buffer[] = [];
    let size = 0;
    for (;;) {
      const end = held.indexOf(0x0a);
      const piece = end === -1 ? held : held.subarray(0, end);
      held = end === -1 ? Buffer.alloc(0) : held.subarray(end + 1);
      pieces.push(piece);
      size += piece.length;
      if (size > LINE_CAP) {
        skipping = end === -1;
        return null;
      }
      if (end !== -1 || !more()) return pieces.length === 1 ? piece : Buffer.concat(pieces);
    }
  }

  /** Past the rest of a line that was too long, only when another line is asked for. */
  function skip(): void {
    for (; skipping; ) {
      const end = held.indexOf(0x0a);
      held = end === -1 ? Buffer.alloc(0) : held.subarray(end + 1);
      skipping = end === -1 && more();
    }
  }

  return {
    next() {
      start();
      skip();
      if (held.length === 0 && !more()) return null;
      line++;
      return { line, bytes: take() };
    },
    rest(cap) {
      const pieces = [held];
      let size = held.length;
      while (size <= cap) {
        held = Buffer.alloc(0);
        if (!more()) return Buffer.concat(pieces);
        pieces.push(held);
        size += held.length;
      }
      return null;
    },
    close: () => closeSync(fd),
  };
}

/** The lines of bytes that are held already; `line` is the number of the first. */
export function linesOf(bytes: Buffer, line: number): () => Line | null {
  let start = 0;
  let number = line;
  return () => {
    if (start > bytes.length) return null;
    const found = bytes.indexOf(0x0a, start);
    const end = found === -1 ? bytes.length : found;
    const piece = bytes.subarray(start, end);
    start = end + 1;
    return { line: number++, bytes: piece };
  };
}

function guarded<T>(file: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const code = String((error as { code?: unknown }).code);
    const origin = { file, line: null };
    if (code === 'ENOENT' || code === 'ENOTDIR') throw badInput('not-found', origin, 'there is no such file');
    if (code === 'EISDIR') throw badInput('is-a-directory', origin, 'is a directory, not a transcript');
    throw badInput('unreadable', origin, `can not be read (${code})`, { errno: code });
  }
}
