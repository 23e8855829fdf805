import type { Json } from '../events/json.ts';
import type { Source, Timing } from '../events/vocabulary.ts';
import type { Entry } from '../gate/types.ts';

type Stored = Extract<Entry, { kind: 'setting' }>;

/** A standing range, as a test says it. */
export interface GivenRange extends Omit<Stored, 'satisfies'> {
  readonly satisfies: readonly { readonly tool?: string; readonly slot: string; readonly within: string }[];
}

/** An entry of the log, as a test says it: an approval or a range is of the tool that the test proposes, unless it names a digest. */
export type GivenEntry =
  | Entry
  | GivenRange
  | (Omit<Extract<Entry, { kind: 'approval' }>, 'tool'> & { readonly tool?: string });

/** The user's answer to the question for one slot. `candidate`: it confirms a shown value that came from this source. */
export function answer(slot: string, value: Json, candidate?: Source): GivenEntry {
  return {
    kind: 'answer',
    slot,
    value: { plain: value },
    none: false,
    candidate: candidate === undefined ? null : { origin: candidate },
  };
}

/** The user said that there is none. */
export function answerNone(slot: string): GivenEntry {
  return { kind: 'answer', slot, value: { plain: null }, none: true, candidate: null };
}

/** A setting that was stored with consent. */
export function setting(name: string, value: Json, attested_by: 'log' | 'caller' = 'log'): GivenEntry {
  return { kind: 'setting', name, value: { plain: value }, none: false, attested_by };
}

/** Settled with consent that there is none. */
export function settingNone(name: string): GivenEntry {
  return { kind: 'setting', name, value: { plain: null }, none: true, attested_by: 'log' };
}

/** A standing range that was stored with consent: it satisfies this [Verify] label within an expression over `args` and `now`. */
export function standingRange(
  slot: string,
  within: string,
  more: { readonly tool?: string; readonly name?: string; readonly attested_by?: 'log' | 'caller' } = {},
): GivenRange {
  const { tool, name = slot, attested_by = 'log' } = more;
  const range = { slot, within, ...(tool === undefined ? {} : { tool }) };
  return { kind: 'setting', name, value: { plain: null }, none: false, attested_by, satisfies: [range] };
}

/** Values shown together and approved, by slot. `tool`: a digest, where it was shown for another tool than is proposed. */
export function approval(
  shown: Readonly<Record<string, Json>>,
  more: { readonly tool?: string; readonly declined?: boolean } = {},
): GivenEntry {
  return {
    kind: 'approval',
    shown: Object.entries(shown).map(([slot, value]) => ({ slot, value: { plain: value } })),
    declined: more.declined ?? false,
    ...(more.tool === undefined ? {} : { tool: more.tool }),
  };
}

/** The last executed record of this action key, by slot. `origin` is what its values first came from. */
export function baseline(
  slots: Readonly<Record<string, Json>>,
  origin: Source | null = 'user_answer',
): GivenEntry {
  return {
    kind: 'baseline',
    slots: Object.entries(slots).map(([slot, value]) => ({ slot, value: { plain: value }, origin })),
  };
}

/** What this user calls a tool. */
export function toolName(word: string, tool: string): GivenEntry {
  return { kind: 'tool_name', word, tool };
}

/** A provider's notice that a question has shown. */
export function notice(text: string): GivenEntry {
  return { kind: 'notice', text };
}

/** A trigger that fired: the run carries the timing that was settled at the instruction. `from`: the first segment after it. */
export function trigger(timing: 'scheduled' | 'conditional' | 'recurring', from?: number): GivenEntry {
  return { kind: 'trigger', timing, ...(from === undefined ? {} : { from }) };
}

/** What a hook said of the match between the act and the tool; `failed`: it gave no usable answer. */
export function match(approved: boolean | 'failed'): GivenEntry {
  return approved === 'failed'
    ? { kind: 'match', approved: false, failed: true }
    : { kind: 'match', approved };
}

/** How a hook judged the timing; null: undecidable. `failed`: it gave no usable answer. */
export function timing(judged: Timing | null | 'failed'): GivenEntry {
  return judged === 'failed'
    ? { kind: 'timing', timing: null, failed: true }
    : { kind: 'timing', timing: judged };
}

export function entriesFor(given: readonly GivenEntry[], toolDigest: string): Entry[] {
  return given.map((entry): Entry => {
    if (entry.kind === 'approval') return { ...entry, tool: entry.tool ?? toolDigest };
    if (entry.kind !== 'setting' || entry.satisfies === undefined) return entry as Entry;
    const satisfies = entry.satisfies.map((range) => ({ ...range, tool: range.tool ?? toolDigest }));
    return { ...entry, satisfies };
  });
}
