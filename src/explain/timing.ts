import type { SlotState, Verdict } from '../events/verdict.ts';
import { TIMINGS, type Timing } from '../events/vocabulary.ts';
import { findWords } from '../gate/conversation.ts';
import type { Rules } from '../gate/rules-for.ts';
import type { RunInput } from '../gate/types.ts';

/**
 * The timing that a verdict settled, read again where it was settled from: the words, the trigger, what a hook
 * judged, or the declaration that no words mean now. null where it is not settled.
 */
export function timingOf(run: RunInput, rules: Rules, verdict: Verdict): Timing | null {
  const when = stateOf(verdict, 'when');
  if (when?.state !== 'known') return null;
  const { place } = when;
  if (when.reason === 'unmarked') return 'immediate';
  if (when.reason === 'judged') {
    const judged = run.entries.findLast((entry) => entry.kind === 'timing');
    return judged?.kind === 'timing' ? judged.timing : null;
  }
  if (place?.in === 'entry') {
    const entry = run.entries[place.entry];
    return entry?.kind === 'trigger' ? entry.timing : null;
  }
  const detail = verdict.intent.find(({ slot }) => slot.startsWith('when/'));
  if (detail !== undefined) return detail.slot.slice('when/'.length) as Timing;
  const segment = place?.in === 'text' ? run.segments[place.segment] : undefined;
  if (place?.in !== 'text' || segment === undefined) return null;
  return (
    TIMINGS.find((kind) =>
      findWords(segment, rules.timing[kind]?.words ?? []).some(
        ({ start, end }) => start === place.start && end === place.end,
      ),
    ) ?? null
  );
}

function stateOf(verdict: Verdict, id: string): SlotState | undefined {
  return verdict.intent.find(({ slot }) => slot === id);
}
