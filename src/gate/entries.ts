import { plainOf } from '../events/content.ts';
import type { Place } from '../events/place.ts';
import { at as valueAt } from '../events/pointer.ts';
import type { Source } from '../events/vocabulary.ts';
import { type Rules, type SlotRule, slotRuleOf } from './rules-for.ts';
import { proposedArguments } from './slot-list.ts';
import { slotReader } from './slot-reader.ts';
import type { Entry, RunInput } from './types.ts';

/** Whether an entry is one that this source may speak through for this slot, and nothing later replaced it. RULES R9. */
export function isOwn(
  run: RunInput,
  rules: Rules,
  source: Source,
  slot: string,
  place: Place,
  rule: SlotRule | undefined,
): boolean {
  if (place.in !== 'entry') return false;
  const entry = run.entries[place.entry];
  if (entry === undefined || isReplaced(run, place.entry)) return false;
  const item = Number(place.pointer.split('/')[2]);
  switch (entry.kind) {
    case 'answer':
      return source === 'user_answer' && entry.slot === slot && isForTool(run, entry);
    case 'setting':
      return source === 'pre_set_data' && rule?.setting === entry.name;
    case 'approval':
      if (entry.tool !== run.tool_digest) return false;
      if (entry.declined) return source === 'user_answer' && shows(entry, slot);
      return (
        source === 'pre_set_data' &&
        entry.shown[item]?.slot === slot &&
        approvalHolds(run, rules, place.entry)
      );
    case 'baseline':
      return source === 'prior_state' && entry.slots[item]?.slot === slot;
    default:
      return false;
  }
}

/** Whether an answer was given for this very tool, or to no question of the log. RULES R9. */
export function isForTool(
  { tool_digest }: Pick<RunInput, 'tool_digest'>,
  { tool }: Extract<Entry, { kind: 'answer' }>,
): boolean {
  return tool === undefined || tool === tool_digest;
}

/** Whether an entry says that there is none: what it says is then no value, and only then is it nothing. RULES R6. */
export function saysNone(run: RunInput, place: Place): boolean {
  const entry = place.in === 'entry' ? run.entries[place.entry] : undefined;
  return (entry?.kind === 'answer' || entry?.kind === 'setting') && entry.none;
}

/**
 * Whether what was shown and approved still stands: for this very tool, not declined later, and with every value that it
 * showed as it is proposed now. One of them changed, and all of it is void. RULES R9.
 */
export function approvalHolds(run: RunInput, rules: Rules, index: number): boolean {
  const entry = run.entries[index];
  if (entry?.kind !== 'approval' || entry.declined || entry.tool !== run.tool_digest) return false;
  if (isReplaced(run, index)) return false;
  const proposal = proposedArguments(run);
  return entry.shown.every(({ slot, value }) => {
    // A label's slot is no argument.
    if (!slot.startsWith('/') || proposal === undefined) return true;
    const leaf = valueAt(proposal, slot);
    const empty = Array.isArray(leaf) && leaf.length === 0;
    const reader = slotReader(rules, slotRuleOf(rules, slot, empty), leaf);
    const read = reader?.fromJson(plainOf(value), { at: run.now, zone: rules.zone });
    return leaf !== undefined && read !== undefined && reader?.same(read, leaf) === true;
  });
}

/** The newest word counts: an answer gives way to a later one, a yes to a later no. */
export function isReplaced(run: RunInput, index: number): boolean {
  const entry = run.entries[index] as Entry;
  return run.entries.some((later, at) => {
    if (at <= index) return false;
    const no = later.kind === 'approval' && later.declined && later.tool === run.tool_digest;
    switch (entry.kind) {
      case 'setting':
        return later.kind === 'setting' && later.name === entry.name;
      case 'answer':
        return (
          (later.kind === 'answer' && later.slot === entry.slot && isForTool(run, later)) ||
          (no && shows(later, entry.slot))
        );
      case 'approval':
        return no && !entry.declined && entry.shown.some(({ slot }) => shows(later, slot));
      default:
        return false;
    }
  });
}

function shows(entry: Extract<Entry, { kind: 'approval' }>, slot: string): boolean {
  return entry.shown.some((shown) => shown.slot === slot);
}
