import type { Checklist } from '../../src/declarations/checklist.ts';
import type { SlotState } from '../../src/events/verdict.ts';
import type { Write } from './tau-bench.ts';

/** What of a write its reason is told from. */
type Judged = Pick<Write, 'tool' | 'verdict'>;

/** Why the gate found what it found, in one line: slots and sentences, never a value. */
export function reasonOf(write: Judged, checklist: Checklist): string {
  const { verdict } = write;
  if (verdict.kind === 'executable') return `executable: ${restsOn(write)}`;
  const states = verdict.slots ?? verdict.intent;
  const unknown = states.filter((slot) => slot.state === 'unknown');
  const said = [
    ...verdict.unmet.map(
      ({ slot, reason }) => `unmet \`${slot}\` ${sentence(write, checklist, slot) ?? reason}`,
    ),
    ...verdict.defects.map(({ at, reason }) => `defect at \`${at}\`: ${reason}`),
    ...unknown
      .filter(({ reason }) => reason !== 'waits_for')
      .map(({ slot, reason, route }) => `unknown \`${slot}\`: ${reason} (${route})`),
    ...lacking(states).map(({ fact, slots }) => `no measurement of \`${fact}\`, which ${slots} need`),
  ];
  return `${verdict.kind}: ${said.join('; ')}`;
}

/** The sentence of the policy that a condition stands for. */
function sentence(write: Judged, checklist: Checklist, slot: string): string | null {
  const name = slot.split('/')[0] as string;
  const says = checklist.tools[write.tool]?.conditions[name]?.says;
  return says === undefined ? null : `(“${says}”)`;
}

/** Facts that something waits for though none of its slots is open: what was never looked up. */
function lacking(states: readonly SlotState[]): { fact: string; slots: string }[] {
  const slots = new Set(states.map(({ slot }) => slot));
  const byFact = new Map<string, string[]>();
  for (const state of states) {
    if (state.state !== 'unknown' || state.waits_for.some((id) => slots.has(id))) continue;
    for (const fact of state.waits_for) byFact.set(fact, [...(byFact.get(fact) ?? []), state.slot]);
  }
  return [...byFact].map(([fact, waiting]) => ({
    fact,
    slots: waiting.map((slot) => `\`${slot}\``).join(', '),
  }));
}

/** What carries an executable verdict: each value's source, and what was let by. */
function restsOn({ verdict }: Judged): string {
  const values = (verdict.slots ?? []).filter(({ slot }) => slot.startsWith('/'));
  const bySource = new Map<string, string[]>();
  for (const state of values) {
    const why = state.state === 'known' ? state.reason : state.state;
    bySource.set(why, [...(bySource.get(why) ?? []), `\`${state.slot}\``]);
  }
  const parts = [...bySource].map(([why, slots]) => `${why} ${slots.join(', ')}`);
  if (verdict.not_run.length > 0) {
    parts.push(`not run ${verdict.not_run.map(({ slot, reason }) => `\`${slot}\` (${reason})`).join(', ')}`);
  }
  return parts.join('; ');
}
