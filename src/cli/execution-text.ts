import type { ExecutionRate } from '../projections/summary.ts';
import { plural } from './text.ts';

/** How many stopped calls came to be executed; nothing where none was stopped. */
export function executionLine({ stopped, executed, rate }: ExecutionRate): string {
  if (rate === null) return '';
  const percent = Math.round(rate * 1000) / 10;
  return `${executed} of ${plural(stopped, 'call')} that the gate stopped ${executed === 1 ? 'was' : 'were'} executed later, on good grounds (${percent} %)`;
}
