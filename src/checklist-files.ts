import type { LoadedChecklist } from './declarations/load.ts';
import * as declarations from './declarations/load.ts';
import type { SoundnessOptions } from './declarations/soundness.ts';
import { faultOf } from './gate/rules-for.ts';

/** The gate's own compiler, so that an expression that it could not run is told with file and line, before anything is judged by it. */
const COMPILED: SoundnessOptions = {
  compile: (source, define) => ({ fault: faultOf(source, define) }),
};

/**
 * Reads a checklist file, YAML or (by its name `.json`) JSON.
 *
 * @throws GroundsError `checklist/invalid` (exit 2) with every problem in `facts.problems`; `file/unreadable`, `file/not_utf8`
 */
export function loadChecklistFile(path: string, options: SoundnessOptions = {}): LoadedChecklist {
  return declarations.loadChecklistFile(path, { ...COMPILED, ...options });
}

/**
 * Reads the text of a checklist file.
 *
 * @throws GroundsError `checklist/invalid` (exit 2): `facts.problems` holds `{file, line, column, path, code, message, hint}`
 */
export function parseChecklist(
  text: string,
  fileName: string,
  options: SoundnessOptions = {},
): LoadedChecklist {
  return declarations.parseChecklist(text, fileName, { ...COMPILED, ...options });
}
