import type { DataOf } from '../events/index.ts';
import type { Segment } from '../events/segment.ts';
import { failedResult, type RunInput, rulesFor } from '../gate/index.ts';

/**
 * How a call ended that somebody else made, as far as its transcript tells. Where neither the format marks failures nor a
 * checklist declares what one looks like (`tool_errors`), a result says only that the call returned: `unknown`.
 */
export function outcomeOf(
  run: Pick<RunInput, 'checklists' | 'tool' | 'ruleset'>,
  result: Segment | undefined,
): DataOf<'CallObserved'>['outcome'] {
  if (result === undefined) return 'unknown';
  if (failedResult(run, result)) return 'failed';
  const told = typeof result.observes?.failed === 'boolean' || rulesFor(run).toolErrors.length > 0;
  return told ? 'succeeded' : 'unknown';
}
