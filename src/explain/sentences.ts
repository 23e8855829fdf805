import type { Party, ReasonId, Route } from '../events/vocabulary.ts';

/** Every reason as a sentence for a person who has not read the rules. */
export const REASON_SAYS: Readonly<Record<ReasonId, string>> = {
  answered: 'the user answered it',
  candidate_confirmed: 'the user confirmed the earlier value that was shown',
  located: 'it stands in what the user typed',
  approved: 'the user approved it as it was shown',
  setting: 'the user settled it earlier',
  measured: 'it was measured',
  inherited: 'taken over from the last executed record',
  computed: 'it is computed, and holds as its condition does',
  fixed_by_schema: 'the schema allows this value only',
  met: 'its requirement is met',
  unmarked: 'no declared words say when: by declaration that means now',
  carried: 'carried over from the instruction',
  act_words: 'by a declared act word',
  user_action_name: 'by the user’s own name for the tool',
  judged: 'judged by a hook, which may be a model',
  single_tool: 'by declaration there is one tool only',
  answered_none: 'the user said that there is none',
  setting_none: 'the user settled earlier that there is none',
  measured_none: 'it was measured that there is none',
  declined: 'the user said no to it',
  required_null: 'it is required, and there is none',
  condition_false: 'the condition is false',
  condition_null: 'what the condition checks is known to be nothing',
  payload_invalid: 'the arguments do not fit the tool’s schema',
  lookup_failed: 'a lookup failed',
  measured_format: 'what was measured does not fit the slot',
  no_source: 'nothing is declared that could confirm it',
  checklist_unsound: 'a checklist can not be used as it stands',
  not_allowed_to_declare: 'its declarer may not declare this',
  label_malformed: 'the line of the tool’s description can not be read',
  schema_missing: 'the tool came without a schema',
  schema_unreadable: 'the tool’s schema can not be read',
  schema_unbounded: 'judging the tool’s schema might never end',
  arguments_unreadable: 'the arguments can not be read exactly',
  expression_invalid: 'the expression can not be compiled',
  expression_failed: 'the expression gave no answer',
  action_key_failed: 'the action key could not be made',
  format: 'what stands there does not fit the slot',
  conflicting_claims: 'two places say different things',
  differs_from_proposal: 'its source says something else than the call carried',
  mixed_group: 'each value stands somewhere, but not together as they were sent',
  not_a_member: 'it is not among what was measured',
  choice_not_confirmed: 'it is one of several, and the choice is not confirmed',
  claim_untrusted: 'the place is not one that this source may speak through',
  claim_not_there: 'nothing can be read at the place',
  claim_reads_otherwise: 'the place reads otherwise',
  claim_is_echo: 'the place only repeats what was sent',
  claim_has_wrong_key: 'it was measured for another key',
  unfinished: 'the measurement is stale or not finished',
  no_answer: 'nothing measures it',
  not_said: 'nobody said it',
  waits_for: 'it waits for something else that is open',
  now_unknown: 'nothing says what time it was',
  timing_undecidable: 'the words do not say when',
  timing_detail_missing: 'the words do not say for when, or until what',
  act_not_said: 'no words ask for this act',
  other_act_said: 'the words ask for another tool’s act',
  match_refused: 'nothing confirms that the words mean this tool',
  phase: 'it is run at the trigger only',
  not_measured: 'its fact was looked for and is absent',
};

const VERDICT_SAYS: Readonly<Record<string, string>> = {
  V1: 'what is declared can not be used as it stands',
  V2: 'the lookup of timing or act failed',
  V3: 'when or what was not settled',
  V4: 'the action key could not be made',
  V5: 'the lookup of the match failed',
  V6: 'the words are not settled to mean this tool',
  V7: 'something checked falls short of what is required',
  V8: 'what is open must be mended; no answer would settle it',
  V9: 'something is not confirmed',
  V10: 'all is settled for now; it waits for its trigger',
  V11: 'everything is confirmed and met',
};

export function verdictSays(rule: string): string {
  return VERDICT_SAYS[rule] ?? rule;
}

/** Who can fill a blank; null where that stands with what it waits for. */
export function filledBy({
  reason,
  route,
  declared_by: declaredBy,
}: {
  readonly reason: ReasonId;
  readonly route: Route;
  readonly declared_by: Party;
}): string | null {
  if (reason === 'arguments_unreadable') return 'whoever sends the call';
  switch (route) {
    case 'ask_user':
      return 'the user, if asked';
    case 'system_lookup':
      return 'a measurement by the system';
    case 'definition_repair':
      if (reason === 'waits_for') return null;
      return declaredBy === 'fixed'
        ? 'whoever declares the rules'
        : `whoever declares the ${declaredBy} rules`;
  }
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
