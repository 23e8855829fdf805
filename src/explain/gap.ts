import type { SlotState } from '../events/verdict.ts';
import type { Party, ReasonId, Route } from '../events/vocabulary.ts';
import type { Gap } from './schema.ts';

const IMPLEMENTATION: readonly ReasonId[] = ['lookup_failed', 'measured_format', 'expression_failed'];
const DECLARER: readonly ReasonId[] = [
  'checklist_unsound',
  'not_allowed_to_declare',
  'label_malformed',
  'schema_missing',
  'schema_unreadable',
  'schema_unbounded',
  'expression_invalid',
];

/** Where the work of a blank goes. RULES R21. */
export function gapOf(
  slot: string,
  kind: Gap['kind'],
  blank: { readonly reason: ReasonId; readonly route: Route | null; readonly declared_by: Party },
): Gap {
  return { slot, kind, owner: ownerOf(kind, blank.reason, blank.route) };
}

function ownerOf(kind: Gap['kind'], reason: ReasonId, route: Route | null): Gap['owner'] {
  if (IMPLEMENTATION.includes(reason)) return 'implementation';
  if (DECLARER.includes(reason)) return 'declarer';
  if (reason === 'no_source') return 'integration';
  if (kind === 'intent') return 'conversation_design';
  return route === 'ask_user' ? 'asking' : 'undetermined';
}

/** The gaps of a verdict, as far as it came: its open intent, or else its open slots. */
export function gapsOf(
  intent: readonly SlotState[],
  slots: readonly SlotState[],
  isCondition: (slot: string) => boolean,
): Gap[] {
  const gaps: Gap[] = [];
  for (const state of intent) if (state.state === 'unknown') gaps.push(gapOf(state.slot, 'intent', state));
  for (const state of slots) {
    if (state.state !== 'unknown') continue;
    gaps.push(gapOf(state.slot, isCondition(state.slot) ? 'condition' : 'value', state));
  }
  return gaps;
}
