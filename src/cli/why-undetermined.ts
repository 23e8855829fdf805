import { nearest } from '../declarations/nearest.ts';
import { isTyped } from '../gate/conversation.ts';
import type { Checked } from './check-run.ts';
import { oneLine } from './text.ts';

/** What no checklist at all leaves open; `audit` and `check` go on from here. */
export const NO_CHECKLIST =
  'No checklist was given. So nobody has said which words ask for which tool, what measures a value, or which calls can be taken back: every call stands under the gate, and none can be executable.';

/**
 * What a request lacks as a whole, where no verdict could be but undetermined: no checklist, a tool that none declares, a
 * conversation in which the user typed nothing. The reasons in the verdict alone would send its reader to the user.
 */
export function whyUndetermined({ gated, input, verdict }: Checked, others: readonly string[]): string[] {
  if (!gated || verdict.kind === 'executable' || verdict.kind === 'schedulable') return [];
  const says: string[] = [];
  if (input.checklists.length === 0) {
    says.push(
      `${NO_CHECKLIST} Next: write one (docs/checklist.md begins with the smallest), and check again with --checklist <file>.`,
    );
  } else {
    const known = new Set(
      input.checklists.flatMap(({ body }) => [
        ...Object.keys(body.tools),
        ...Object.keys(body.intent.act_words),
      ]),
    );
    const { name } = input.tool;
    if (!known.has(name)) {
      const meant = nearest(name, [...known, ...others]);
      says.push(
        `No checklist declares the tool ${oneLine(name, 64)}, nor which words ask for it${meant === undefined ? '.' : `; did you mean ${oneLine(meant, 64)}?`}`,
      );
    }
  }
  if (!input.segments.some(isTyped)) {
    says.push(
      'Nothing in this conversation was typed by the user, so nothing in it can ask for a call. What a person typed is a message of the role "user", or a segment {"author": "user", "typed": true}.',
    );
  }
  return says;
}
