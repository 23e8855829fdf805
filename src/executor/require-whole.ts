import { GroundsError } from '../errors.ts';
import { checkRow, type StoredRow } from '../log/index.ts';

/**
 * Nothing is executed on a row that is not what was hashed.
 *
 * @throws GroundsError `executor/damaged` (exit 4)
 */
export function requireWhole(row: StoredRow): void {
  const problem = checkRow(row);
  if (problem === null) return;
  throw new GroundsError(
    'executor/damaged',
    `The event at position ${row.position} is not what was recorded, so nothing is executed.`,
    {
      facts: { position: row.position, stream: row.stream, problem: problem.code },
      hint: 'Keep the file as it is; grounds replay says what else was changed.',
      exit: 4,
    },
  );
}
