import type { SlotState } from '../events/verdict.ts';
import type { VerdictKind } from '../events/vocabulary.ts';
import type { Intent } from './intent.ts';
import type { RunInput } from './types.ts';

/** What the kind of a verdict is decided from. `slots` is null where no list was made. */
export interface Findings {
  readonly run: RunInput;
  readonly unsound: boolean;
  readonly intent: Intent | null;
  readonly slots: readonly SlotState[] | null;
  readonly unmet: number;
}

interface KindRule {
  readonly id: string;
  readonly section: "The verdict's kind";
  readonly kind: VerdictKind;
  /** Whether the rule ends the run before the slots are listed. */
  readonly early: boolean;
  when(findings: Findings): boolean;
}

const kindRule = (id: string, kind: VerdictKind, early: boolean, when: KindRule['when']): KindRule => ({
  id,
  section: "The verdict's kind",
  kind,
  early,
  when,
});

/** Unknown and neither pending nor not run: what stands in the way. */
export function blocking(slots: readonly SlotState[]): SlotState[] {
  return slots.filter((slot) => slot.state === 'unknown' && !slot.pending);
}

/** The verdict's kind is the first of these that holds. */
export const KINDS: readonly KindRule[] = [
  kindRule('V1', 'definition_repair', true, ({ unsound }) => unsound),
  kindRule('V2', 'intent_undetermined', true, ({ intent }) => intent?.ends === 'intent_failed'),
  kindRule('V3', 'intent_undetermined', true, ({ intent }) => intent?.ends === 'intent_undetermined'),
  kindRule(
    'V4',
    'definition_repair',
    true,
    ({ run, intent }) => intent !== null && run.action_key === 'failed',
  ),
  kindRule('V5', 'tool_undetermined', true, ({ intent }) => intent?.ends === 'match_failed'),
  kindRule('V6', 'tool_undetermined', true, ({ intent }) => intent?.ends === 'tool_undetermined'),
  kindRule('V7', 'unmet', false, ({ unmet }) => unmet > 0),
  kindRule('V8', 'definition_repair', false, ({ slots }) => {
    const open = blocking(slots ?? []);
    return (
      open.length > 0 && open.every((slot) => slot.state === 'unknown' && slot.route === 'definition_repair')
    );
  }),
  kindRule('V9', 'unknown', false, ({ slots }) => blocking(slots ?? []).length > 0),
  kindRule('V10', 'schedulable', false, ({ run }) => run.phase === 'at_instruction'),
  // The last row is guarded too: an unknown that counts as nothing blocking must never come out executable.
  kindRule(
    'V11',
    'executable',
    false,
    ({ slots }) => slots?.every((slot) => slot.state !== 'unknown') === true,
  ),
];

export function kindOf(findings: Findings, early: boolean): KindRule | null {
  return KINDS.find((rule) => rule.early === early && rule.when(findings)) ?? null;
}
