import { digestOf } from '../../src/events/digest.ts';
import type { StoredRow } from '../../src/log/index.ts';
import { wrongStarts } from '../executor/stood.ts';
import { againstArguments } from './arguments-sent.ts';
import type { Effect } from './effects.ts';
import { dataIn, recordOf, rowsOf } from './record.ts';
import { againstWhatWasSaid } from './said-for.ts';
import { MAX_AGE, type Stage } from './stage.ts';

/** How a story came out. */
export type Outcome = Pick<Stage, 'log' | 'effects' | 'executions' | 'unwanted'>;

/**
 * What speaks against anything that was done to the world, from the rows of the log alone and with no code of those who
 * asked, judged or executed. Empty where each of it was right.
 */
export function wrongEffects({ log, effects, executions, unwanted }: Outcome): string[] {
  const rows = rowsOf(log);
  const wrong = wrongStarts(log);
  const keys = new Set<string>();
  for (const effect of effects) {
    const claim = (holds: boolean, what: string): void => {
      if (!holds) wrong.push(`effect ${effect.key}: ${what}`);
    };
    claim(!keys.has(effect.key), 'came twice of one start');
    keys.add(effect.key);
    claim(!unwanted.has(`${effect.call} ${effect.run}`) || effect.by !== 'second', 'was not accepted');
    againstEffect(rows, effect, claim);
  }
  const verdicts = rows.flatMap((row) => dataIn(row, 'CallStarted')?.verdict ?? []);
  if (new Set(verdicts).size !== verdicts.length) wrong.push('two starts of one verdict');
  for (const execution of executions) {
    if (execution.decision === 'refuse') continue;
    const { start, outcome } = execution;
    if (outcome === 'succeeded' && !keys.has(start)) wrong.push(`execution ${start}: nothing was called`);
  }
  return wrong;
}

function againstEffect(
  rows: readonly StoredRow[],
  effect: Effect,
  claim: (holds: boolean, what: string) => void,
): void {
  const starts = rows.filter((row) => dataIn(row, 'CallStarted')?.idempotency_key === effect.key);
  const [start] = starts;
  claim(starts.length === 1, `has ${starts.length} starts`);
  const record = start === undefined ? null : recordOf(rows, start);
  claim(record !== null, 'has no run or no verdict');
  if (start === undefined || record === null) return;
  claim(start.position < effect.size, 'came before its start was in the log');
  claim(start.stream === `call/${effect.call}` && record.run.run === effect.run, 'is of another call');

  const { verdict, verdictRow, own, run } = record;
  claim(
    own.findLast(({ type }) => type === 'VerdictRecorded')?.event.id === verdictRow.event.id,
    'is not of the newest verdict',
  );
  claim(verdict.kind === 'executable' && verdict.phase === 'at_trigger', `is of one that is ${verdict.kind}`);
  claim(verdict.unknown_count === 0 && verdict.unmet.length === 0, 'has something unknown or unmet');
  claim(verdict.defects.length === 0, 'has something that is declared wrongly');
  const age = Date.parse(start.event.at) - Date.parse(verdictRow.event.at);
  // The decision was made a moment before it was written.
  claim(age >= 0 && age <= MAX_AGE + 60_000, 'is of a verdict that was too old');
  const digest = digestOf(effect.tool);
  claim(digest === run.tool.digest && digest === verdict.rests_on.tool, 'is of another tool');

  againstArguments(effect, record, claim);
  againstWhatWasSaid(effect, record, claim);
}
