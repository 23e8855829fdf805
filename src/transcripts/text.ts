import type { GroundsError } from '../errors.ts';
import type { IngressFault } from '../events/ingress.ts';
import { badInput } from './bad-input.ts';
import { type Received, receive } from './received.ts';

/** The value that some bytes of the file denote, or what is wrong with them. `line` is where the bytes start. */
export type Read = { readonly received: Received; readonly text: string } | { readonly error: GroundsError };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function readBytes(bytes: Buffer, file: string, line: number): Read {
  const text = decode(bytes);
  if (text === null) {
    const at = { file, line: line + linesBeforeFault(bytes) };
    return { error: badInput('not-utf-8', at, 'these bytes are not UTF-8 text') };
  }
  const read = receive(text);
  return 'fault' in read ? { error: unreadable(text, read.fault, file, line) } : { received: read, text };
}

function unreadable(text: string, fault: IngressFault, file: string, line: number): GroundsError {
  const at = { file, line: line + fault.line - 1 };
  const facts = { column: fault.column, fault: fault.code };
  if (fault.code === 'too_deep')
    return badInput('too-deep', at, `it nests too deep at column ${fault.column}`, facts);
  const nul = text.indexOf('\0');
  if (nul !== -1) {
    const before = text.slice(0, nul).split('\n').length - 1;
    return badInput(
      'nul-bytes',
      { file, line: line + before },
      'it holds NUL bytes, which JSON text does not have',
    );
  }
  return badInput('not-json', at, `it stops being JSON at column ${fault.column}`, facts);
}

function decode(bytes: Buffer): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

function linesBeforeFault(bytes: Buffer): number {
  let lines = 0;
  for (let start = 0; start < bytes.length; lines++) {
    const end = bytes.indexOf(0x0a, start);
    if (end === -1 || decode(bytes.subarray(start, end)) === null) return lines;
    start = end + 1;
  }
  return lines;
}

export function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
