/**
 * The closed lists that every layer shares. They stand apart from the schemas so that the gate, which a frozen copy
 * must hold whole, imports them without a validation library.
 */

/** Where a slot may be confirmed. The order is a search order, not a ranking of trust. */
export const SOURCES = [
  'user_answer',
  'instruction',
  'pre_set_data',
  'measured_data',
  'prior_state',
] as const;
export type Source = (typeof SOURCES)[number];

export const PARTIES = ['fixed', 'provider', 'user', 'system'] as const;
export type Party = (typeof PARTIES)[number];

/** Who can fill a blank, strongest first. It follows from declarations and outcomes; nobody chooses it. */
export const ROUTES = ['definition_repair', 'system_lookup', 'ask_user'] as const;
export type Route = (typeof ROUTES)[number];

export const TIMINGS = ['immediate', 'scheduled', 'conditional', 'recurring'] as const;
export type Timing = (typeof TIMINGS)[number];

export const VERDICT_KINDS = [
  'executable',
  'schedulable',
  'unknown',
  'unmet',
  'intent_undetermined',
  'tool_undetermined',
  'definition_repair',
] as const;
export type VerdictKind = (typeof VERDICT_KINDS)[number];

/** What became of a call. */
export const CALL_OUTCOMES = ['succeeded', 'failed', 'unknown', 'not_executed'] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** What a blank is a blank of. */
export const GAP_KINDS = ['value', 'condition', 'intent'] as const;
export type GapKind = (typeof GAP_KINDS)[number];

/** Whose work a blank is. RULES R21. */
export const GAP_OWNERS = [
  'asking',
  'integration',
  'declarer',
  'implementation',
  'conversation_design',
  'undetermined',
] as const;
export type GapOwner = (typeof GAP_OWNERS)[number];

/** Anything that made the check weaker by declaration. Every verdict lists those in force. */
export const REDUCTIONS = [
  'unmarked_timing',
  'single_tool',
  'judged_intent',
  'slots_from_proposal',
  'ungated_argument',
  'member',
  'when_measured',
] as const;

/**
 * Every reason a verdict can give, in one closed, ordered list: a reason's place in it is its rank wherever two apply.
 * The ids of the rules they come from stand in gate/rules.ts.
 */
export const REASONS = [
  // known
  'answered',
  'candidate_confirmed',
  'located',
  'approved',
  'setting',
  'measured',
  'inherited',
  'computed',
  'fixed_by_schema',
  'met',
  'unmarked',
  'carried',
  'act_words',
  'user_action_name',
  'judged',
  'single_tool',
  // null
  'answered_none',
  'setting_none',
  'measured_none',
  // unmet
  'declined',
  'required_null',
  'condition_false',
  'condition_null',
  'payload_invalid',
  // unknown: defects of declaration or integration
  'lookup_failed',
  'measured_format',
  'no_source',
  'checklist_unsound',
  'not_allowed_to_declare',
  'label_malformed',
  'schema_missing',
  'schema_unreadable',
  'schema_unbounded',
  'arguments_unreadable',
  'expression_invalid',
  'expression_failed',
  'action_key_failed',
  // unknown: what remains open
  'format',
  'conflicting_claims',
  'differs_from_proposal',
  'mixed_group',
  'not_a_member',
  'choice_not_confirmed',
  'claim_untrusted',
  'claim_not_there',
  'claim_reads_otherwise',
  'claim_is_echo',
  'claim_has_wrong_key',
  'unfinished',
  'no_answer',
  'not_said',
  'waits_for',
  'now_unknown',
  'timing_undecidable',
  'timing_detail_missing',
  'act_not_said',
  'other_act_said',
  'match_refused',
  // not run
  'phase',
  'not_measured',
] as const;

export type ReasonId = (typeof REASONS)[number];
