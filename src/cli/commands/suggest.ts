import type { GroundsError } from '../../errors.ts';
import { type Draft, renderDraft, suggest as suggestFrom } from '../../suggest/index.ts';
import type { Conversation } from '../../transcripts/index.ts';
import { conversationsIn } from '../conversations.ts';
import { declaredBy } from '../declared.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../json-text.ts';
import { progressOn } from '../progress.ts';
import { usage } from '../report-error.ts';
import { plural, printable } from '../text.ts';
import { requireFiles } from '../transcript-files.ts';

export interface SuggestOptions {
  readonly json?: boolean;
  readonly tools?: readonly string[];
  readonly format?: string;
  readonly name: string;
  readonly examples: boolean;
  readonly keepGoing?: boolean;
}

const CHECKLIST_NAME = /^[a-z0-9][a-z0-9_.-]*(\/[a-z0-9][a-z0-9_.-]*)*$/;

/**
 * Prints a draft of a checklist, or with `--json` what it was drawn from, as one object. Nothing is recorded.
 *
 * @returns 0; 2 where `--keep-going` skipped something
 */
export function suggest(io: Io, files: readonly string[], options: SuggestOptions): number {
  if (!CHECKLIST_NAME.test(options.name)) {
    throw usage(
      `${options.name} is no name of a checklist.`,
      'Write lower-case parts with / between them: shop/policy.',
    );
  }
  const { tools } = declaredBy({ tools: options.tools ?? [], ruleset: 'standard' });
  requireFiles(files);
  const faults: GroundsError[] = [];
  const draft = suggestFrom(conversations(io, files, options, faults), [...tools.values()], {
    examples: options.examples,
  });
  print(io, draft, options);
  for (const fault of faults) io.err(`skipped: ${printable(fault.message)}\n`);
  return faults.length > 0 ? 2 : 0;
}

function* conversations(
  io: Io,
  files: readonly string[],
  options: SuggestOptions,
  faults: GroundsError[],
): Generator<Conversation> {
  const progress = progressOn(io);
  let read = 0;
  try {
    for (const file of files) {
      for (const conversation of conversationsIn(file, options, faults)) {
        yield conversation;
        progress.tell(`${file}  ${plural(++read, 'conversation')}`);
      }
    }
  } finally {
    progress.clear();
  }
}

function print(io: Io, draft: Draft, options: SuggestOptions): void {
  io.out(options.json === true ? `${jsonText(draft)}\n` : renderDraft(draft, { name: options.name }));
}
