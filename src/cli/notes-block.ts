import { printable, wrapped } from './text.ts';

const TOP_NOTES = 5;

/**
 * What the form of a conversation could not tell, and what was made of it: a title with its lines, empty where there is
 * nothing. A role that is not known comes first: what a person said may stand under it, and then confirms nothing.
 */
export function notesBlock(of: 'transcripts' | 'requests', notes: readonly string[], width: number): string {
  if (notes.length === 0) return '';
  const ofRoles = notes.filter((note) => note.startsWith('The role '));
  const ordered = [...ofRoles, ...notes.filter((note) => !ofRoles.includes(note))];
  const lines = ordered.slice(0, TOP_NOTES).flatMap((note) =>
    wrapped(printable(note), width - 4)
      .split('\n')
      .map((line, i) => (i === 0 ? line : `  ${line}`)),
  );
  const more = ordered.length - TOP_NOTES;
  return [
    `what the ${of} can not tell, and what was made of it`,
    ...lines.map((line) => `  ${line}`),
    ...(more > 0 ? [`  and ${more} more (--json has all)`] : []),
  ].join('\n');
}
