/** Something wrong in a declaration, at a path (a JSON Pointer into it), with what to do about it. */
export interface Problem {
  readonly path: string;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** A problem with its position in the file: 1-based line and column. */
export interface LocatedProblem extends Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** How many problems are shown; `facts.problems` of the error holds all of them. */
const SHOWN = 10;

/** `file:line:column  what is wrong  →  what to do`, one a paragraph, in the order of the file. */
export function renderProblems(problems: readonly LocatedProblem[]): string {
  const shown = problems
    .slice(0, SHOWN)
    .map(({ file, line, column, message, hint }) => `${file}:${line}:${column}  ${message}  →  ${hint}`);
  const rest = problems.length - shown.length;
  if (rest > 0) shown.push(`… and ${rest} more.`);
  return shown.join('\n\n');
}

export function inFileOrder(problems: readonly LocatedProblem[]): LocatedProblem[] {
  return [...problems].sort((a, b) => a.line - b.line || a.column - b.column || compare(a.code, b.code));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
