import { nearest } from '../declarations/nearest.ts';
import { GroundsError } from '../errors.ts';
import { encode } from '../events/canonical.ts';
import type { Place } from '../events/place.ts';
import type { SlotState, Verdict } from '../events/verdict.ts';
import type { Party, ReasonId, Route, Source, Timing, VerdictKind } from '../events/vocabulary.ts';
import { rawAt } from '../gate/keys.ts';
import type { RunInput } from '../gate/types.ts';

/** What is expected of one slot; only what is named is compared. A bare word is its reason, or its state. */
export interface SlotExpectation {
  readonly state?: 'known' | 'null' | 'unknown';
  readonly reason?: ReasonId;
  readonly rule?: string;
  readonly declared_by?: Party;
  readonly source?: Source | null;
  readonly origin?: Source | null;
  readonly route?: Route;
  readonly pending?: boolean;
  readonly also?: number;
  readonly waits_for?: readonly string[];
  /** The words, or the JSON value, at the slot's place. */
  readonly reads?: unknown;
  /** Which piece of the conversation its place lies in, from 0. */
  readonly segment?: number;
  /** Reasons of the claims that were refused on the way. */
  readonly rejected?: readonly ReasonId[];
}

export type SlotExpected = ReasonId | 'known' | 'null' | 'unknown' | SlotExpectation;

/** A partial expectation: what is not named is not compared; what is named as a list is compared whole. */
export interface Expectation {
  /** false: declared reversible, so that the gate does not stand before it and there is no verdict. */
  readonly gated?: boolean;
  readonly kind?: VerdictKind;
  readonly rule?: string;
  readonly phase?: 'at_instruction' | 'at_trigger';
  /** By id: arguments (`/amount`), conditions (`covered`, `in_stock/0`), labels. null: no list was made. */
  readonly slots?: Readonly<Record<string, SlotExpected>> | null;
  /** `when`, `act`, `tool`, and the detail of a timing (`when/scheduled`). */
  readonly intent?: Readonly<Partial<Record<'when' | 'act' | 'tool' | `when/${Timing}`, SlotExpected>>>;
  /** The ids of all unknown slots. */
  readonly unknown?: readonly string[];
  readonly unknown_count?: number | null;
  /** All that is unmet: ids, or with reason and party. */
  readonly unmet?: readonly (
    | string
    | { readonly slot: string; readonly reason?: ReasonId; readonly declared_by?: Party }
  )[];
  /** All that made the check weaker: `unmarked_timing`, or with its slot: `member /items/*`. */
  readonly reductions?: readonly string[];
  /** The ids of all conditions that were not run. */
  readonly not_run?: readonly string[];
  /** Reasons of what is wrong with the declarations as a whole. */
  readonly defects?: readonly ReasonId[];
  readonly exhausted?: boolean;
  readonly next_attempt?: number | null;
}

/** Every key of an expectation: the type sees to it that none is missing. */
const KEYS: Readonly<Record<keyof Expectation, true>> = {
  gated: true,
  kind: true,
  rule: true,
  phase: true,
  slots: true,
  intent: true,
  unknown: true,
  unknown_count: true,
  unmet: true,
  reductions: true,
  not_run: true,
  defects: true,
  exhausted: true,
  next_attempt: true,
};

/**
 * A misspelt key would be compared with nothing, and the test could not fail.
 * @throws GroundsError `testing/no-such-key`
 */
export function checkKeys(expected: Expectation): void {
  const known = Object.keys(KEYS);
  for (const key of Object.keys(expected)) {
    if (Object.hasOwn(KEYS, key)) continue;
    const meant = nearest(key, known);
    throw new GroundsError('testing/no-such-key', `An expectation has no key ${JSON.stringify(key)}.`, {
      facts: { key, known },
      hint: meant === undefined ? `It has ${known.join(', ')}.` : `Did you mean ${meant}?`,
    });
  }
}

const STATES: readonly string[] = ['known', 'null', 'unknown'];

/** The differences between what was expected and found, each a line; empty where there are none. */
export function differences(expected: Expectation, run: RunInput, verdict: Verdict): string[] {
  const lines: string[] = [];
  const compare = (name: string, wanted: unknown, found: unknown): void => {
    if (wanted !== undefined && shown(wanted) !== shown(found)) lines.push(line(name, wanted, found));
  };
  const { kind, rule, phase, unknown_count, exhausted, next_attempt } = expected;
  compare('kind', kind, verdict.kind);
  compare('rule', rule, verdict.rule);
  compare('phase', phase, verdict.phase);
  compare('unknown_count', unknown_count, verdict.unknown_count);
  compare('exhausted', exhausted, verdict.exhausted);
  compare('next_attempt', next_attempt, verdict.next_attempt);
  if (expected.slots === null) compare('slots', null, verdict.slots === null ? null : idsOf(verdict.slots));
  else slotDifferences(run, expected.slots ?? {}, verdict.slots, lines);
  slotDifferences(run, (expected.intent ?? {}) as Record<string, SlotExpected>, verdict.intent, lines);
  const open = (verdict.slots ?? []).filter((slot) => slot.state === 'unknown');
  compare('unknown', sorted(expected.unknown), sorted(idsOf(open)));
  compare('not_run', sorted(expected.not_run), sorted(verdict.not_run.map(({ slot }) => slot)));
  compare('defects', sorted(expected.defects), sorted(verdict.defects.map(({ reason }) => reason)));
  if (expected.reductions !== undefined) {
    const slotless = new Set(expected.reductions.filter((name) => !name.includes(' ')));
    const found = verdict.reductions.map(({ kind: name, slot }) =>
      slot === null || slotless.has(name) ? name : `${name} ${slot}`,
    );
    compare('reductions', sorted(expected.reductions), sorted(found));
  }
  if (expected.unmet !== undefined) {
    const wanted = expected.unmet.map((item) => (typeof item === 'string' ? { slot: item } : item));
    compare('unmet', sorted(wanted.map(({ slot }) => slot)), sorted(verdict.unmet.map(({ slot }) => slot)));
    for (const { slot, reason, declared_by } of wanted) {
      const found = verdict.unmet.find((item) => item.slot === slot);
      if (found === undefined) continue;
      compare(`${slot} (unmet) reason`, reason, found.reason);
      compare(`${slot} (unmet) declared_by`, declared_by, found.declared_by);
    }
  }
  return lines;
}

function slotDifferences(
  run: RunInput,
  expected: Readonly<Record<string, SlotExpected>>,
  slots: readonly SlotState[] | null,
  lines: string[],
): void {
  for (const [id, wanted] of Object.entries(expected)) {
    const found = slots?.find((slot) => slot.slot === id);
    if (found === undefined) {
      const there =
        slots === null ? 'no slots at all' : `no such slot (there are ${idsOf(slots).join(', ')})`;
      lines.push(`  ${id}   expected ${shown(wanted)}   found ${there}`);
      continue;
    }
    const fields: SlotExpectation =
      typeof wanted !== 'string'
        ? wanted
        : STATES.includes(wanted)
          ? { state: wanted as SlotState['state'] }
          : { reason: wanted as ReasonId };
    for (const [name, value] of Object.entries(fields)) {
      const actual = fieldOf(run, found, name);
      const same =
        name === 'rejected' || name === 'waits_for'
          ? shown(sorted(value as readonly string[])) === shown(sorted(actual as readonly string[]))
          : shown(value) === shown(actual);
      if (!same) lines.push(line(`${id} ${name}`, value, actual, `(${brief(run, found)})`));
    }
  }
}

function fieldOf(run: RunInput, slot: SlotState, name: string): unknown {
  const place = placeOf(slot);
  if (name === 'reads') return place === null ? undefined : rawAt(run, place);
  if (name === 'segment') return place === null || place.in === 'entry' ? undefined : place.segment;
  if (name === 'rejected') return slot.rejected.map(({ reason }) => reason);
  return (slot as unknown as Record<string, unknown>)[name];
}

function placeOf(slot: SlotState): Place | null {
  return slot.state === 'unknown' ? null : slot.place;
}

/** A verdict in a few lines, for the message of a test that failed. */
export function summary(run: RunInput, verdict: Verdict): string {
  const count = verdict.unknown_count === null ? 'no slots listed' : `${verdict.unknown_count} unknown`;
  const lines = [`  ${verdict.kind} (${verdict.rule}), ${verdict.phase}, ${count}`];
  for (const slot of [...verdict.intent, ...(verdict.slots ?? [])]) {
    lines.push(`    ${slot.slot.padEnd(22)} ${brief(run, slot)}`);
  }
  for (const { slot, reason, declared_by } of verdict.unmet)
    lines.push(`    ${slot.padEnd(22)} UNMET ${reason}, declared by the ${declared_by}`);
  for (const { slot, reason } of verdict.not_run) lines.push(`    ${slot.padEnd(22)} not run: ${reason}`);
  for (const { kind, slot } of verdict.reductions)
    lines.push(`    reduction              ${kind}${slot === null ? '' : ` ${slot}`}`);
  for (const { at, reason } of verdict.defects) lines.push(`    defect                 ${reason} at ${at}`);
  return lines.join('\n');
}

function brief(run: RunInput, slot: SlotState): string {
  const rejected = slot.rejected.map(({ source, reason }) => `${source}: ${reason}`).join(', ');
  const after = rejected === '' ? '' : ` [refused: ${rejected}]`;
  if (slot.state === 'unknown') {
    const waits = slot.waits_for.length === 0 ? '' : ` ${slot.waits_for.join(', ')}`;
    return `UNKNOWN ${slot.reason}${waits} → ${slot.route}${slot.pending ? ', pending' : ''}${after}`;
  }
  const place = placeOf(slot);
  const reads = place === null ? undefined : rawAt(run, place);
  const where = reads === undefined ? '' : ` ${shown(reads)}`;
  return `${slot.state} ${slot.reason}${slot.source === null ? '' : `, ${slot.source}`}${where}${after}`;
}

function idsOf(slots: readonly SlotState[]): string[] {
  return slots.map(({ slot }) => slot);
}

function sorted(list: readonly string[] | undefined): string[] | undefined {
  return list === undefined ? undefined : [...list].sort();
}

function line(name: string, wanted: unknown, found: unknown, more = ''): string {
  return `  ${name}   expected ${shown(wanted)}   found ${shown(found)}${more === '' ? '' : `   ${more}`}`;
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : encode(value);
}
