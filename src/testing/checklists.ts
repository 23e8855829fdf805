import { loadChecklistFile, parseChecklist } from '../checklist-files.ts';
import type { Checklist, ChecklistFile } from '../declarations/checklist.ts';
import type { LoadedChecklist } from '../declarations/load.ts';
import { GroundsError } from '../errors.ts';

/** A checklist: a path, the text of one (with a line break in it), an object as it is written in a file, or a loaded one. */
export type GivenChecklist = string | ChecklistFile | Checklist | LoadedChecklist;

/**
 * Reads checklists as a log would: whole and checked, so that a test never rests on one that could not be loaded.
 *
 * @throws GroundsError `checklist/invalid` with every problem; `file/unreadable`.
 */
export function checklistsOf(given: GivenChecklist | readonly GivenChecklist[]): readonly LoadedChecklist[] {
  const all = (Array.isArray(given) ? given : [given]) as readonly GivenChecklist[];
  const loaded = all.map((each) => load(each, []));
  // A provider's or user's checklist may name facts and readers of the system's beside it.
  const result = all.map((each, index) =>
    load(
      each,
      loaded.filter((_, other) => other !== index).map(({ checklist }) => checklist),
    ),
  );
  const twice = result.find(
    ({ digest }, index) => result.findIndex((other) => other.digest === digest) !== index,
  );
  if (twice !== undefined) {
    throw new GroundsError(
      'testing/checklist',
      `The checklist ${twice.checklist.checklist} is given twice.`,
      {
        facts: { digest: twice.digest },
        hint: 'Give each checklist once.',
      },
    );
  }
  return result;
}

function load(given: GivenChecklist, beside: readonly Checklist[]): LoadedChecklist {
  const options = beside.length > 0 ? { beside } : {};
  if (typeof given !== 'string') {
    if ('digest' in given) return given;
    return parseChecklist(JSON.stringify(given), `${given.checklist}.json`, options);
  }
  return given.includes('\n')
    ? parseChecklist(given, 'checklist.yaml', options)
    : loadChecklistFile(given, options);
}
