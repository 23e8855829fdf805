import type { SlotState, Verdict } from '../events/verdict.ts';
import type { GapOwner } from '../events/vocabulary.ts';
import { ownerOf } from './gaps.ts';

/** What a verdict says of one slot that somebody says was wrong, and so whose work it is. */
export interface Attribution {
  readonly slot: string;
  /** null: the verdict has no such slot. */
  readonly state: SlotState['state'] | null;
  readonly source: SlotState['rejected'][number]['source'] | null;
  /** Where the value first came from. */
  readonly origin: SlotState['rejected'][number]['source'] | null;
  readonly rule: string | null;
  readonly reason: string | null;
  readonly declared_by: SlotState['declared_by'] | null;
  readonly owner: GapOwner;
}

/**
 * Where a wrong value, condition or intent leads: to the source that it was confirmed from, and to whoever keeps that source.
 * RULES R21 says so of blanks; of a slot that was confirmed, it is the keeper of its origin.
 */
export function attributionOf(verdict: Verdict | null, slot: string): Attribution {
  const intent = verdict?.intent.find((state) => state.slot === slot);
  const state = intent ?? verdict?.slots?.find((each) => each.slot === slot);
  if (state === undefined) {
    return {
      slot,
      state: null,
      source: null,
      origin: null,
      rule: null,
      reason: null,
      declared_by: null,
      owner: 'undetermined',
    };
  }
  const { rule, reason, declared_by } = state;
  const source = state.state === 'unknown' ? null : state.source;
  const origin = state.state === 'known' ? state.origin : source;
  return {
    slot,
    state: state.state,
    source,
    origin,
    rule,
    reason,
    declared_by,
    owner: ownerOfWrong(state, intent !== undefined, origin),
  };
}

function ownerOfWrong(state: SlotState, intent: boolean, origin: Attribution['origin']): GapOwner {
  if (state.state === 'unknown') return ownerOf({ intent, reason: state.reason, route: state.route });
  if (intent) return 'conversation_design';
  // A condition holds by its expression, whatever it read.
  if (!state.slot.startsWith('/')) return 'declarer';
  switch (origin) {
    // The user said it: what was asked, shown or understood is the question's.
    case 'user_answer':
    case 'instruction':
    case 'pre_set_data':
      return 'asking';
    case 'measured_data':
      return 'integration';
    // The schema alone allows the value, or a rule computes it.
    case null:
      return 'declarer';
    case 'prior_state':
      return 'undetermined';
  }
}
