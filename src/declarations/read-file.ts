import { readFileSync } from 'node:fs';
import { GroundsError } from '../errors.ts';

/**
 * A file's text.
 * @throws GroundsError `file/unreadable` where it can't be opened, `file/not_utf8` where its bytes are not UTF-8.
 */
export function readTextFile(path: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown';
    throw new GroundsError('file/unreadable', `${path} can not be read (${reason}).`, {
      facts: { path, reason },
      hint: 'Check the path and the rights to read it.',
      cause,
    });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new GroundsError('file/not_utf8', `${path} is not UTF-8 text.`, {
      facts: { path },
      hint: 'Save it as UTF-8.',
      cause,
    });
  }
}
