import { attributeOf, type Label } from '../../src/declarations/labels.ts';
import type { Json } from '../../src/events/json.ts';
import type { Place } from '../../src/events/place.ts';
import type { RunInput } from '../../src/gate/types.ts';
import { type Answer, type State, unknown } from './opinion.ts';
import type { Slot } from './reference-slots.ts';
import { equal, type InForce, named, plain } from './reference-world.ts';

export function labelStates(run: RunInput, rules: InForce, slots: readonly Slot[], answer: Answer): State[] {
  const out: State[] = [];
  for (const label of rules.labels) {
    const { id } = label;
    if (label.kind === 'required_condition') continue;
    const lookup = answer({ subject: { slot: id }, source: 'user_answer', key: {} });
    if (lookup.outcome.said === 'failed') {
      out.push(unknown(id, 'lookup_failed', 'definition_repair'));
      continue;
    }
    const claims = lookup.outcome.said === 'claim' ? lookup.outcome.claims : [];
    const consent = consentOf(run, label, slots, claims.at(-1)?.at);
    out.push(
      consent === null
        ? unknown(id, 'not_said', 'ask_user')
        : { slot: id, state: 'known', reason: consent, source: 'user_answer', origin: 'user_answer' },
    );
  }
  for (const { at, slot, reason } of rules.defects) {
    if (slot === null || !at.startsWith('label:')) continue;
    out.push(unknown(slot, reason, 'definition_repair'));
  }
  return out;
}

function consentOf(
  run: RunInput,
  label: Label,
  slots: readonly Slot[],
  place: Place | undefined,
): string | null {
  const index = place?.in === 'entry' ? place.entry : -1;
  const entry = run.entries[index];
  if (label.kind === 'notice')
    return entry?.kind === 'notice' && entry.text === label.text ? 'answered' : null;
  if (label.kind !== 'verify') return null;
  if (entry?.kind !== 'approval' || entry.tool !== run.tool_digest) return null;
  const { id: own } = label;
  const speaks = (one: typeof entry) => one.shown.some(({ slot }) => slot === own);
  if (!speaks(entry)) return null;
  if (entry.declined) return 'declined';
  // A later no to the same label takes the yes back.
  const later = run.entries.some(
    (one, at) =>
      at > index && one.kind === 'approval' && one.declined && one.tool === run.tool_digest && speaks(one),
  );
  if (later) return null;
  const on = attributeOf(label, 'on')?.pointers;
  const bound = slots.filter(({ id }) => on === undefined || on.some((pattern) => named(id, pattern)));
  const shown = (id: string) =>
    entry.shown.filter(({ slot }) => slot === id).map(({ value }) => plain<Json>(value));
  const gone = entry.shown.some(
    ({ slot }) =>
      slot.startsWith('/') &&
      (on === undefined || on.some((pattern) => named(slot, pattern))) &&
      slots.every(({ id }) => id !== slot),
  );
  if (gone) return null;
  return bound.every(({ id, leaf }) => shown(id).some((value) => equal(value, leaf))) ? 'answered' : null;
}
