import { GroundsError } from '../errors.ts';
import { digestOf } from '../events/digest.ts';
import { Checklist } from './checklist.ts';
import { readLocated } from './located-value.ts';
import { inFileOrder, type LocatedProblem, renderProblems } from './problem.ts';
import { readTextFile } from './read-file.ts';
import { shapeProblems } from './shape-problems.ts';
import { unknownPatterns } from './sound-patterns.ts';
import { type SoundnessOptions, soundnessOf } from './soundness.ts';

export interface LoadedChecklist {
  /** With every default in place: what the gate reads. */
  readonly checklist: Checklist;
  /** `sha256:` over the canonical bytes of `checklist`: comments, key order and the form of the file don't matter. */
  readonly digest: string;
}

const LIMITS = { units: 1_000_000, values: 50_000 };

/**
 * Reads a checklist file, YAML or (by its name `.json`) JSON.
 * @throws GroundsError `checklist/invalid` with every problem in `facts.problems`; `file/unreadable`, `file/not_utf8`.
 */
export function loadChecklistFile(path: string, options: SoundnessOptions = {}): LoadedChecklist {
  return parseChecklist(readTextFile(path), path, options);
}

/**
 * Reads the text of a checklist file. Problems of form are told first; only where there are none, those across items.
 * @throws GroundsError `checklist/invalid` (exit 2): `facts.problems` holds `{file, line, column, path, code, message, hint}`.
 */
export function parseChecklist(
  text: string,
  fileName: string,
  options: SoundnessOptions = {},
): LoadedChecklist {
  if (looksLikeTranscript(text)) {
    const message = 'This looks like a transcript, not like a checklist.';
    const hint = 'A checklist is a mapping with "grounds: 1", "checklist: <name>" and "declared_by: system".';
    const problem = { path: '', code: 'file/is_transcript', message, hint };
    throw invalid(fileName, [{ file: fileName, line: 1, column: 1, ...problem }]);
  }
  const read = readLocated(text, fileName, LIMITS);
  if (read.value === undefined) throw invalid(fileName, read.problems);
  if (read.value === null) {
    const hint = 'Begin with "grounds: 1", "checklist: <name>" and "declared_by: system".';
    const problem = { path: '', code: 'file/empty', message: 'The file is empty.', hint };
    throw invalid(fileName, [{ file: fileName, line: 1, column: 1, ...problem }]);
  }
  const parsed = Checklist.safeParse(read.value);
  if (!parsed.success) {
    throw invalid(
      fileName,
      shapeProblems(parsed.error.issues, read.value).map(({ part, ...problem }) => ({
        file: fileName,
        ...read.where(problem.path, part),
        ...problem,
      })),
    );
  }
  const unsound = [...soundnessOf(parsed.data, options), ...unknownPatterns(parsed.data)];
  if (unsound.length > 0) {
    throw invalid(
      fileName,
      unsound.map(({ path, code, message, hint }) => ({
        file: fileName,
        ...read.where(path, 'key'),
        path,
        code,
        message,
        hint,
      })),
    );
  }
  return { checklist: parsed.data, digest: digestOf(parsed.data) };
}

/** JSON on the first line (or throughout) that is an array, or a mapping with messages and no name of a checklist. */
function looksLikeTranscript(text: string): boolean {
  const start = text.trimStart();
  if (!start.startsWith('{') && !start.startsWith('[')) return false;
  const lines = start.split('\n', 1);
  const value = jsonOf(lines[0] ?? '') ?? jsonOf(start);
  if (Array.isArray(value)) return value.some((each) => isMapping(each) && !isChecklist(each));
  return isMapping(value) && !isChecklist(value) && TELLING.some((key) => Object.hasOwn(value, key));
}

/** What messages and conversations have, and no checklist does. */
const TELLING = [
  'messages',
  'role',
  'content',
  'conversation',
  'input',
  'output',
  'samples',
  'jsonrpc',
  'type',
];

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isChecklist(value: Record<string, unknown>): boolean {
  return Object.hasOwn(value, 'grounds') || Object.hasOwn(value, 'checklist');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function invalid(file: string, found: readonly LocatedProblem[]): GroundsError {
  const problems = inFileOrder(found);
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  return new GroundsError('checklist/invalid', `${count} in ${file}\n\n${renderProblems(problems)}`, {
    facts: { file, problems },
    hint: 'Correct these and run again; docs/checklist.md has every key with an example.',
    exit: 2,
  });
}
