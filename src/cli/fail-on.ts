import { usage } from './report-error.ts';

/** The number of calls without grounds above which a command ends with 1, or null where none is asked for. */
export function thresholdOf(condition: string | undefined): number | null {
  if (condition === undefined) return null;
  const found = /^without-grounds(?:=(\d{1,15}))?$/.exec(condition);
  if (found === null) {
    throw usage(
      `--fail-on ${condition} is no condition.`,
      'Use --fail-on without-grounds, or without-grounds=5 to allow five.',
    );
  }
  return found[1] === undefined ? 0 : Number(found[1]);
}
