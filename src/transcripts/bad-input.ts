import { GroundsError } from '../errors.ts';
import type { IngressFault } from '../events/ingress.ts';
import type { Origin } from './conversation.ts';

const PREPARE =
  'Give the file as it was written by the recorder: one JSON document, or one conversation a line (JSON lines).';

/** What can be wrong with a transcript, and what to do about it. Each is an error `transcript/<key>` with exit 2. */
const HINTS = {
  'not-found': 'Check the path.',
  'is-a-directory': 'Name the files in it, for example with a pattern such as dir/*.jsonl.',
  unreadable: 'Check the permissions of the file.',
  empty: 'Nothing was read. Check that the export had finished and that this is the right file.',
  'line-too-long':
    'A line may have 32 MiB. Write one conversation a line (jq -c ".[]" turns an array of runs into lines).',
  'too-large': 'One document may have 256 MiB. Write one conversation a line: lines are read one at a time.',
  'not-utf-8': 'Convert the file to UTF-8, for example with iconv -t utf-8.',
  'nul-bytes': 'The file may be UTF-16 or damaged. Convert it to UTF-8, or export it again.',
  'lone-surrogate':
    'Such text has no UTF-8 form and can be neither stored nor quoted. Repair the recorder that cut a character in two.',
  'too-deep': 'No conversation needs this. Check how the file was made.',
  'not-json': `The text is not complete JSON: it may be cut off. ${PREPARE}`,
  'not-exact':
    'Reading on would change what was said. Write big or long numbers as strings, and each key once, then import again.',
  'is-yaml': 'A checklist is given with --checklist; transcripts are JSON, or JSON lines.',
  shape: 'Repair the line, or name another format: --format <name>.',
  'unknown-format':
    'If it is one of the known formats in another wrapper, take the messages out (jq) or name the format: --format <name>.',
  'no-such-format': 'Use one of the known names.',
} as const;

export type BadInput = keyof typeof HINTS;

/** One short paragraph: the file, the line, what is wrong; the hint says what to do. */
export function badInput(
  code: BadInput,
  origin: { file: string; line: number | null },
  what: string,
  facts: Record<string, unknown> = {},
): GroundsError {
  const where = origin.line === null ? origin.file : `${origin.file}, line ${origin.line}`;
  return new GroundsError(`transcript/${code}`, `${where}: ${what}.`, {
    facts: { file: origin.file, line: origin.line, ...facts },
    hint: HINTS[code],
  });
}

/** The input has the wrong shape at this pointer of the conversation. */
export function wrongShape(origin: Origin, pointer: string, what: string): GroundsError {
  return badInput('shape', origin, `${pointer === '' ? 'the value' : pointer} ${what}`, { pointer });
}

/** Something outside a call's arguments can't be kept exactly; within them it would be the call's own fault. */
export function notExact(fault: IngressFault, origin: Origin): GroundsError {
  const code = fault.code === 'lone_surrogate' ? 'lone-surrogate' : 'not-exact';
  const what = `${quoted(fault.pointer)} holds ${quoted(fault.lexeme)}, which can not be kept exactly (${fault.code})`;
  return badInput(code, origin, what, { pointer: fault.pointer, fault: fault.code, lexeme: fault.lexeme });
}

/** Hostile text, safe to print: escaped and cut. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
