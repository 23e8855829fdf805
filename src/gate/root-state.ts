import type { Json } from '../events/json.ts';
import type { SlotState } from '../events/verdict.ts';
import { checkSchema } from './payload.ts';
import type { Rules } from './rules-for.ts';
import { unknownState } from './states.ts';
import type { RunInput } from './types.ts';

/** What is wrong with the arguments or their schema as a whole. */
export function rootState(run: RunInput, rules: Rules, proposal: Json | undefined): SlotState | null {
  if (run.proposal !== null && proposal === undefined) {
    return unknownState('/', 'provider', 'R7', 'arguments_unreadable', 'definition_repair');
  }
  if (rules.slotsFromProposal !== null) return null;
  // A missing schema is not one that requires nothing.
  if (rules.schema === null)
    return unknownState('/', 'provider', 'R7', 'schema_missing', 'definition_repair');
  const checked = checkSchema(rules.schema);
  return 'fault' in checked
    ? unknownState('/', rules.schemaBy, 'R7', checked.fault, 'definition_repair')
    : null;
}

/** What was sent could not be read exactly: asking the user for what stands in it would fill nothing. RULES R7, S19. */
export function waitingForArguments(state: SlotState): SlotState {
  if (state.state !== 'unknown' || state.route === 'definition_repair') return state;
  return {
    ...state,
    pending: false,
    reason: 'waits_for',
    route: 'definition_repair',
    rule: 'S19',
    waits_for: ['/'],
  };
}
