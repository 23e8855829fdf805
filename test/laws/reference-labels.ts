import { attributeOf, type Label } from '../../src/declarations/labels.ts';
import type { Json } from '../../src/events/json.ts';
import type { Place } from '../../src/events/place.ts';
import { segmentsOf } from '../../src/events/pointer.ts';
import { compile, evaluate, needsOf } from '../../src/gate/cel/index.ts';
import type { RunInput } from '../../src/gate/types.ts';
import { type Answer, type Route, type State, unknown } from './opinion.ts';
import type { Slot } from './reference-slots.ts';
import { equal, type InForce, named, plain, proposed } from './reference-world.ts';

export function labelStates(
  run: RunInput,
  rules: InForce,
  slots: readonly Slot[],
  answer: Answer,
  sent: Sent,
): State[] {
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
        ? byRange(run, rules, label, answer, sent)
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

/** The arguments as they would be sent, with the states of their slots. */
export interface Sent {
  readonly args: Json;
  readonly states: ReadonlyMap<string, State>;
}

/** R9: a setting may satisfy a [Verify] that it names, for this tool digest, within an expression. */
function byRange(run: RunInput, rules: InForce, label: Label, answer: Answer, sent: Sent): State {
  const id = label.kind === 'required_argument' ? label.pointer : label.id;
  const asked = unknown(id, 'not_said', 'ask_user');
  if (label.kind !== 'verify' || attributeOf(label, 'each_time') !== undefined) return asked;
  const named = run.entries.flatMap((entry, index) => {
    if (entry.kind !== 'setting' || entry.attested_by === 'caller') return [];
    if (run.entries.some((one, at) => at > index && one.kind === 'setting' && one.name === entry.name))
      return [];
    return (entry.satisfies ?? []).flatMap(({ tool, slot, within }, item) =>
      tool === run.tool_digest && slot === id ? [{ at: `${index}/satisfies/${item}/within`, within }] : [],
    );
  });
  // CASE 9: the specific decision wins.
  const no = run.entries.some(
    (one) =>
      one.kind === 'approval' &&
      one.declined &&
      one.tool === run.tool_digest &&
      one.shown.some(({ slot }) => slot === id),
  );
  if (no || named.length === 0) return asked;
  const { outcome } = answer({ subject: { slot: id }, source: 'pre_set_data', key: {} });
  if (outcome.said === 'failed') return unknown(id, 'lookup_failed', 'definition_repair');
  const claimed = (outcome.said === 'claim' ? outcome.claims : []).map(({ at }) =>
    at.in === 'entry' ? `${at.entry}${at.pointer}` : '',
  );
  const said = named
    .filter(({ at }) => claimed.includes(at))
    .map(({ within }) => rangeSays(run, rules, within, sent));
  if (said.includes('within'))
    return { slot: id, state: 'known', reason: 'setting', source: 'pre_set_data', origin: 'pre_set_data' };
  const fault = said.findLast((one) => one === 'expression_invalid' || one === 'expression_failed');
  if (typeof fault === 'string') return unknown(id, fault, 'definition_repair');
  const routes = said.flatMap((one) => (typeof one === 'string' ? [] : one));
  const strongest = (['definition_repair', 'system_lookup', 'ask_user'] as const).find((one) =>
    routes.includes(one),
  );
  return strongest === undefined ? asked : unknown(id, 'waits_for', strongest);
}

/** What one range says; routes: those of the values that it waits for. */
function rangeSays(
  run: RunInput,
  rules: InForce,
  within: string,
  { args, states }: Sent,
): 'within' | 'outside' | 'expression_invalid' | 'expression_failed' | readonly Route[] {
  const compiled = compile(within, {});
  if ('fault' in compiled) return 'expression_invalid';
  const { names, args: patterns } = needsOf(compiled);
  if (names.some((name) => name !== 'now')) return 'expression_invalid';
  if (run.proposal !== null && proposed(run) === undefined) return ['definition_repair'];
  if (names.length > 0 && (run.phase === 'at_instruction' || run.now === null)) return 'outside';
  const onPath = (pattern: string, slot: string) => {
    const parts = segmentsOf(slot);
    return segmentsOf(pattern).every((part, i) => i >= parts.length || part === '*' || part === parts[i]);
  };
  const read = [...states.values()].filter(({ slot }) => patterns.some((pattern) => onPath(pattern, slot)));
  const open = read.filter(({ state }) => state === 'unknown');
  if (open.some(({ pending }) => pending === true)) return 'outside';
  if (open.length > 0) return open.map(({ route }) => route as Route);
  const result = evaluate(
    compiled,
    { args, ...(run.now === null ? {} : { now: run.now }) },
    { zone: rules.zone },
  );
  if ('fault' in result) return read.some(({ state }) => state === 'null') ? 'outside' : 'expression_failed';
  if (result.value === null) return 'outside';
  return typeof result.value !== 'boolean' ? 'expression_failed' : result.value ? 'within' : 'outside';
}
