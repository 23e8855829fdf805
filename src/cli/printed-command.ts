import { printable } from './text.ts';
import { DEFAULT_LOG } from './which-log.ts';

/** What a shell takes for one word as it stands. */
const PLAIN = /^[\p{L}\p{N}_@%+=:,./…-]+$/u;

/** A command to copy: on the log that this one read, with whatever a shell would take apart in quotes. */
export function printedCommand(words: readonly string[], log: string): string {
  return `grounds ${words.map(shellWord).join(' ')}${onLog(log)}`;
}

/** What a printed command ends in, so that it reads the same log; nothing where that is the default. */
export function onLog(log: string): string {
  return log === DEFAULT_LOG ? '' : ` --db ${shellWord(log)}`;
}

function shellWord(word: string): string {
  // A line end in quotes would still be one on the screen.
  const shown = printable(word).replaceAll('\n', '\\u{a}');
  return PLAIN.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`;
}
