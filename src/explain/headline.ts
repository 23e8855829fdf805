import type { RunReplay } from '../../replay/report.ts';
import type { Verdict } from '../events/verdict.ts';
import type { CallRow } from '../projections/call-row.ts';
import type { Condition, Explanation, Slot } from './schema.ts';
import { plural } from './sentences.ts';

type Headline = Explanation['headline'];

/**
 * The conclusion, with what it counts. `row` decides; the counts are those of its verdict.
 *
 * @param imported the call is known by another gate's record alone
 */
export function headlineOf(
  row: CallRow,
  verdict: Verdict | null,
  slots: readonly Slot[] | null,
  conditions: readonly Condition[] | null,
  replayed: RunReplay | null,
  imported: boolean,
): Headline {
  const ran = row.outcome !== 'not_executed';
  const kind: Headline['kind'] = !row.gated
    ? 'outside_the_gate'
    : ran
      ? row.ran_without_grounds
        ? 'ran_without_grounds'
        : 'ran_on_good_grounds'
      : row.verdict === 'executable'
        ? 'would_have_run'
        : 'did_not_run';
  const counted = slots === null ? null : slots.length;
  const unconfirmed = slots === null ? null : slots.filter(({ state }) => state === 'unknown').length;
  return {
    kind,
    says: imported ? OTHER_GATE : saysOf(kind, row, verdict, slots ?? [], conditions ?? []),
    slots: counted,
    unconfirmed,
    conditions: conditions === null ? null : conditions.length,
    unmet: verdict?.unmet.length ?? 0,
    record: recordOf(replayed),
  };
}

const OTHER_GATE = 'another gate judged this call; its record is kept as it came, and was not checked';

/** What comes before any conclusion: the record is not what was written, or the gate doesn't reach its verdict again. */
function recordOf(replayed: RunReplay | null): Headline['record'] {
  switch (replayed?.finding) {
    case 'INPUT_TAMPERED':
      return {
        state: 'changed',
        says: 'what this rests on is not what was written, so nothing below can be relied on',
      };
    case 'VERDICT_DIFFERS':
    case 'LOOKUP_MISSING':
    case 'LOOKUP_UNUSED':
    case 'LOOKUP_DIFFERS':
      return {
        state: 'does_not_replay',
        says: `the same gate over the same record finds otherwise (${replayed.finding})`,
      };
    default:
      return null;
  }
}

function saysOf(
  kind: Headline['kind'],
  row: CallRow,
  verdict: Verdict | null,
  slots: readonly Slot[],
  conditions: readonly Condition[],
): string {
  switch (kind) {
    case 'outside_the_gate':
      return 'this call is declared reversible, so nothing was checked';
    case 'ran_on_good_grounds':
    case 'would_have_run': {
      const unrun = conditions.filter(({ state }) => state === 'not_run').length;
      const met = conditions.length - unrun;
      const parts = [
        slots.length === 0 ? 'no slots are declared' : `all ${plural(slots.length, 'slot')} confirmed`,
      ];
      if (met > 0) parts.push(`${plural(met, 'condition')} met`);
      if (unrun > 0) parts.push(`${unrun} not run`);
      return parts.join(', ');
    }
    default:
      return verdict === null ? 'no verdict stands behind it' : shortfall(row, verdict, slots, conditions);
  }
}

function shortfall(
  row: CallRow,
  verdict: Verdict,
  slots: readonly Slot[],
  conditions: readonly Condition[],
): string {
  if (verdict.slots === null) {
    switch (verdict.kind) {
      case 'intent_undetermined':
        return 'what was asked for, or when, is not settled; no list of slots was made';
      case 'tool_undetermined':
        return 'the user’s words are not settled to mean this tool; no list of slots was made';
      default:
        return `${plural(verdict.defects.length, 'declaration')} can not be used as it stands; no list of slots was made`;
    }
  }
  const parts: string[] = [];
  const open = slots.filter(({ state, kind }) => state === 'unknown' && kind !== 'arguments').length;
  if (slots.some(({ kind, state }) => kind === 'arguments' && state === 'unknown')) {
    parts.push(...slots.flatMap(({ kind, says }) => (kind === 'arguments' ? [says] : [])));
  }
  const all = slots.filter(({ kind }) => kind !== 'arguments').length;
  if (open > 0) parts.push(`${open} of ${plural(all, 'slot')} ${was(open)} not confirmed`);
  const waiting = conditions.filter(({ state }) => state === 'unknown').length;
  if (waiting > 0) parts.push(`${of(waiting, conditions.length)} could not be checked`);
  const unmet = conditions.filter(({ state }) => state === 'unmet').length;
  if (unmet > 0) parts.push(`${of(unmet, conditions.length)} ${was(unmet)} not met`);
  const others = verdict.unmet.length - unmet;
  if (others > 0) parts.push(`${plural(others, 'other requirement')} ${was(others)} not met`);
  if (parts.length > 0) return parts.join(', ');
  return verdict.kind === 'schedulable'
    ? 'it waits for its trigger'
    : row.outcome === 'not_executed'
      ? 'it was not executed'
      : 'it ran without the verdict that it needs';
}

function of(part: number, all: number): string {
  return `${part} of ${plural(all, 'condition')}`;
}

function was(count: number): string {
  return count === 1 ? 'was' : 'were';
}
