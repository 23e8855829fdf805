import { plainOf } from '../events/content.ts';
import type { Json } from '../events/json.ts';
import type { Verdict } from '../events/verdict.ts';
import type { RunInput } from '../gate/index.ts';

/** What the user answered for a slot of this call, where something else is proposed: no question is left, the proposal has to change. */
export interface AnsweredOtherwise {
  readonly slot: string;
  readonly value: Json;
}

/** Read at the places that the verdict itself names, so that it is the very answer that was held against the proposal. RULES R7b. */
export function answeredOtherwise(run: RunInput, { slots }: Verdict): readonly AnsweredOtherwise[] {
  return (slots ?? []).flatMap(({ slot, state, rejected }): AnsweredOtherwise[] => {
    if (state !== 'unknown') return [];
    return rejected.flatMap(({ source, reason, place }) => {
      if (source !== 'user_answer' || reason !== 'differs_from_proposal' || place?.in !== 'entry') return [];
      const entry = run.entries[place.entry];
      return entry?.kind === 'answer' && 'plain' in entry.value
        ? [{ slot, value: plainOf(entry.value) }]
        : [];
    });
  });
}
