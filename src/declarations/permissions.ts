import type { Scope } from './soundness.ts';

type Path = readonly (string | number)[];

/**
 * R4: the provider can require, not permit; only the system makes the check weaker, says what measures, and which words
 * count. Elsewhere an opening key makes its item `definition_repair`.
 */
export function notAllowed(scope: Scope): void {
  const { checklist } = scope;
  if (checklist.declared_by === 'system') return;
  const party = checklist.declared_by;
  const refuse = (path: Path, what: string): void => {
    const hint = `Move it into a checklist with "declared_by: system"; a ${party}'s checklist can add slots, narrow sources and add conditions.`;
    const message = `Only the system may declare ${what}.`;
    scope.report(path, 'rights/opening_key', message, hint, 'not_allowed_to_declare');
  };

  const { intent } = checklist;
  if (intent.unmarked_timing !== undefined)
    refuse(['intent', 'unmarked_timing'], 'what no timing word means');
  for (const kind of Object.keys(intent.timing)) refuse(['intent', 'timing', kind], 'timing words');
  for (const tool of Object.keys(intent.act_words)) refuse(['intent', 'act_words', tool], 'act words');
  if (intent.negations !== undefined) refuse(['intent', 'negations'], 'which words negate');
  if (intent.single_tool) refuse(['intent', 'single_tool'], 'that there is one tool only');
  if (intent.yes.length > 0) refuse(['intent', 'yes'], 'what counts as yes');
  if (intent.no.length > 0) refuse(['intent', 'no'], 'what counts as no');
  if (checklist.now !== undefined) refuse(['now'], 'where the time is said');
  if (checklist.zone !== 'UTC') refuse(['zone'], 'the zone of times without one');
  if (checklist.trusts_annotations_of.length > 0)
    refuse(['trusts_annotations_of'], 'whose hints about itself are believed');
  // A call that counts as failed makes nothing stale, so this opens too.
  if (checklist.tool_errors.length > 0) refuse(['tool_errors'], 'what a failure looks like');
  for (const name of Object.keys(checklist.readers)) refuse(['readers', name], 'words that read as values');
  for (const name of Object.keys(checklist.facts)) refuse(['facts', name], 'what measures a fact');
  checklist.groups.forEach((group, i) => {
    if (group.records.length > 0) refuse(['groups', i, 'records'], 'records that bind a group');
  });

  for (const [tool, rules] of Object.entries(checklist.tools)) {
    const under: Path = ['tools', tool];
    if (rules.reversible !== undefined && rules.reversible !== false) {
      refuse([...under, 'reversible'], 'a call reversible (a provider may only say false)');
    }
    if (rules.slots_from_proposal) refuse([...under, 'slots_from_proposal'], 'slots from the proposal');
    if (rules.schema !== undefined && party === 'user') refuse([...under, 'schema'], 'an argument schema');
    for (const pattern of Object.keys(rules.ungated)) {
      refuse([...under, 'ungated', pattern], 'an argument that needs no source');
    }
    for (const [pattern, slot] of Object.entries(rules.slots)) {
      const at: Path = [...under, 'slots', pattern];
      if (slot.select === 'member') refuse([...at, 'select'], 'membership for selection');
      if (slot.measured.length > 0) refuse([...at, 'measured'], 'what measures a slot');
      if (slot.named_by.length > 0) refuse([...at, 'named_by'], 'fields that name an id');
      if (Object.keys(slot.phrases).length > 0) refuse([...at, 'phrases'], 'phrases that name a field');
      if (slot.fixed_by !== undefined) refuse([...at, 'fixed_by'], 'a computed value');
      if (slot.pending_at_trigger) refuse([...at, 'pending_at_trigger'], 'a slot that may stay open');
      if (slot.sources?.includes('prior_state') === true) refuse([...at, 'sources'], 'wider sources');
      // A user's own setting is the user's to name; a provider would fill in a value with it.
      if (slot.setting !== undefined && party !== 'user') refuse([...at, 'setting'], 'a setting as a source');
    }
    for (const [name, condition] of Object.entries(rules.conditions)) {
      const at: Path = [...under, 'conditions', name];
      if (condition.when_measured)
        refuse([...at, 'when_measured'], 'a condition that blocks only when measured');
      // R11: a user's wish doesn't change the comparison.
      if (party !== 'user' && condition.sources?.includes('user_answer') === true) {
        refuse([...at, 'sources'], 'a condition that an answer can meet');
      }
    }
  }
}
