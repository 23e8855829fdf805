import { type Stats, statSync } from 'node:fs';
import { badInput } from '../transcripts/bad-input.ts';

/**
 * That each file is there, before the first is read and anything is written.
 * @throws GroundsError `transcript/not-found`, `transcript/is-a-directory`, `transcript/unreadable`
 */
export function requireFiles(files: readonly string[]): void {
  for (const file of files) {
    const stat = statOf(file);
    if (stat === undefined) throw badInput('not-found', { file, line: null }, 'there is no such file');
    if (stat.isDirectory()) {
      throw badInput('is-a-directory', { file, line: null }, 'is a directory, not a transcript');
    }
  }
}

function statOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    throw badInput('unreadable', { file, line: null }, `can not be read (${code})`, { errno: code });
  }
}
