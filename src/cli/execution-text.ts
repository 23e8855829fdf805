import type { ExecutionRate, QuestionRate } from '../projections/summary.ts';
import { plural } from './text.ts';

/** How many stopped calls came to be executed; nothing where none was stopped. */
export function executionLine({ stopped, executed, rate }: ExecutionRate): string {
  if (rate === null) return '';
  const percent = Math.round(rate * 1000) / 10;
  return `${executed} of ${plural(stopped, 'call')} that the gate stopped ${executed === 1 ? 'was' : 'were'} executed later, on good grounds (${percent} %)`;
}

/** How much the user was asked for what was made of it; nothing where nobody was asked. */
export function askedLine({ asked, started, per_started_call }: QuestionRate): string {
  if (asked === 0) return '';
  const each =
    per_started_call === null
      ? 'no call was started'
      : `${per_started_call.toFixed(1)} for each of ${plural(started, 'started call')}`;
  return `${plural(asked, 'question')} asked, ${each}`;
}
