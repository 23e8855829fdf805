import type { Resolver } from '../../replay/resolve.ts';
import { GroundsError, isGroundsError } from '../errors.ts';
import { encode } from '../events/canonical.ts';
import type { Json } from '../events/json.ts';
import type { Place } from '../events/place.ts';
import type { RunStarted } from '../events/run.ts';
import type { ToolDeclaration } from '../events/tool.ts';
import type { Verdict } from '../events/verdict.ts';
import { argumentsOf } from '../gate/arguments.ts';
import type { CallPast } from './call-past.ts';

/** What would be sent, and to which tool. */
export interface Sends {
  readonly tool: ToolDeclaration;
  readonly arguments: Json;
}

/**
 * The tool and the arguments of a run, read again at the places that its verdict names; `sealed` where a value can't be had.
 *
 * @throws GroundsError `executor/input-missing` (exit 3); `gate/place-differs` where a place no longer reads as what was judged
 */
export function sentBy(
  inputs: Resolver,
  started: RunStarted,
  position: number,
  verdict: Verdict,
): Sends | 'sealed' {
  const { run, missing } = inputs.resolve(started, position);
  if (run === null) {
    throw new GroundsError(
      'executor/input-missing',
      'The log does not hold what this verdict rests on, so nothing is executed.',
      { facts: { ...missing }, hint: 'Run grounds replay on this log: it says what is missing.', exit: 3 },
    );
  }
  try {
    return { tool: run.tool, arguments: argumentsOf(run, verdict) };
  } catch (error) {
    if (!isGroundsError(error)) throw error;
    if (error.code === 'events/sealed') return 'sealed';
    // The words at a place that is sealed can't be read, which is no difference.
    const place = error.code === 'gate/place-differs' ? (error.facts.place as Place) : null;
    const segment = place === null || place.in === 'entry' ? undefined : run.segments[place.segment];
    if (segment !== undefined && 'sealed' in segment.body) return 'sealed';
    throw error;
  }
}

/**
 * Whether another call has a start that may have had this very effect: the same tool, the same arguments. What the user said once
 * is asked for once, under however many ids it is proposed. What can't be compared counts as the same.
 */
export function sentTheSame(
  inputs: Resolver,
  { standing, runs }: CallPast,
  { tool }: { readonly tool: Pick<RunStarted['tool'], 'stream'> },
  sends: Sends | 'sealed',
): boolean {
  return (standing?.starts ?? []).some(({ outcome, data }) => {
    const run = runs.get(data.run);
    if (outcome === 'failed' || run === undefined || run.started.tool.stream !== tool.stream) return false;
    if (sends === 'sealed' || run.verdict === null) return true;
    const sent = sentBy(inputs, run.started, run.position, run.verdict.record);
    return sent === 'sealed' || encode(sent.arguments) === encode(sends.arguments);
  });
}
