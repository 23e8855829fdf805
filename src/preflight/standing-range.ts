import { GroundsError } from '../errors.ts';
import type { Satisfies } from '../events/satisfies.ts';
import { type RunInput, rulesFor } from '../gate/index.ts';
import { isRange, takesRange } from '../gate/standing-ranges.ts';

/** A [Verify] label, and how far a setting satisfies it. */
export interface RangeGiven {
  readonly slot: string;
  /** CEL over `args` and `now`: `args.amount <= 100`. */
  readonly within: string;
}

/**
 * A standing range for the very tool of a run: what its label promises there may be another thing in its next version.
 *
 * @throws GroundsError `settings/no-such-label`, `settings/range-invalid`
 */
export function rangeFor(run: RunInput, { slot, within }: RangeGiven): Satisfies {
  const { labels } = rulesFor(run);
  if (!labels.some((label) => label.id === slot && takesRange(label))) {
    throw new GroundsError(
      'settings/no-such-label',
      `${run.tool.name} has no [Verify] label ${slot} that a setting could satisfy.`,
      {
        facts: { tool: run.tool.name, slot, labels: labels.filter(takesRange).map(({ id }) => id) },
        hint: 'Name a [Verify] label of the tool that is not for each time; nothing else is satisfied by a range.',
      },
    );
  }
  if (!isRange(within)) {
    throw new GroundsError(
      'settings/range-invalid',
      `The range for ${slot} is no expression over args and now.`,
      {
        facts: { slot, within },
        hint: 'Write an expression such as "args.amount <= 100"; it may read args and now, and nothing else.',
      },
    );
  }
  return { tool: run.tool_digest, slot, within };
}
