import type { SlotState, Verdict } from '../events/verdict.ts';
import { payloadFault } from '../explain/payload-fault.ts';
import type { CallRow } from '../projections/call-row.ts';
import type { Checked } from './check-run.ts';
import { columns, oneLine, plural, printable } from './text.ts';
import type { WouldAsk } from './would-ask.ts';

/** One verdict: what it is first, then each blank with who can fill it, and what could be asked. */
export function verdictText(
  row: CallRow,
  { gated, verdict, conditions, added, input }: Checked,
  asks: readonly WouldAsk[],
  log: string,
): string {
  const kind = verdict.kind.replaceAll('_', ' ').toUpperCase();
  const recorded = added ? `recorded in ${log}` : `was recorded before in ${log}`;
  const name = oneLine(row.tool, 64);
  const call = row.call_id.slice(0, 8);
  if (!gated) {
    return printable(
      `${name}  OUTSIDE THE GATE  ${call}\n  declared reversible, so nothing was judged · ${recorded}\n`,
    );
  }
  const lines = columns([
    ...row.unmet.map(({ slot_id, reason, declared_by }) => [
      'unmet',
      slot_id,
      reason,
      reason === 'payload_invalid' ? faultText(input, verdict) : `declared by the ${declared_by}`,
    ]),
    ...row.unknown.map(({ slot_id, kind: of, reason, route }) => [
      'unknown',
      slot_id,
      reason,
      `${of} → ${route}`,
    ]),
    ...verdict.defects.map(({ at, reason, declared_by }) => [
      'defect',
      at,
      reason,
      `declared by the ${declared_by}`,
    ]),
  ]);
  const open = columns(asks.map(({ about, text }) => ['to ask', about, `“${oneLine(text, ASKED)}”`]));
  const reductions = [...new Set(row.reductions.map((reduction) => reduction.kind))];
  const rests = [
    ...(verdict.slots === null ? ['no list of slots was made'] : counted(verdict, verdict.slots, conditions)),
    ...(reductions.length === 0 ? [] : [`reductions: ${reductions.join(', ')}`]),
    recorded,
  ];
  const text = [
    `${name}  ${kind}  ${call}`,
    ...[...lines, ...open].map((line) => `  ${line}`),
    `  ${rests.join(' · ')}`,
  ];
  return `${text.map(printable).join('\n')}\n`;
}

/** The place that the schema does not have, or what it says against one: the caller can't look that up in the verdict. */
function faultText(input: Checked['input'], verdict: Verdict): string {
  const fault = payloadFault(input, verdict);
  if (fault === null) return 'the schema does not take these arguments';
  return 'noPlaceFor' in fault
    ? `the schema has no place for ${fault.noPlaceFor.join(', ')}`
    : `the schema: ${fault.keyword}, at ${fault.at}`;
}

/** The longest question that is shown, in UTF-16 units; `--json` holds it whole. */
const ASKED = 200;

/** Slots and conditions apart, as `why` counts them. */
function counted(verdict: Verdict, slots: readonly SlotState[], conditions: Checked['conditions']): string[] {
  const fails = new Set([...verdict.unmet, ...verdict.not_run].map(({ slot }) => slot));
  const settled = slots.filter(({ state }) => state !== 'unknown');
  const confirmed = settled.filter(({ slot }) => !conditions.has(slot)).length;
  const met = settled.filter(({ slot }) => conditions.has(slot) && !fails.has(slot)).length;
  return [`${plural(confirmed, 'slot')} confirmed`, ...(met > 0 ? [`${plural(met, 'condition')} met`] : [])];
}
