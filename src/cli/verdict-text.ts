import type { CallRow } from '../projections/call-row.ts';
import type { Checked } from './check-run.ts';
import { columns, oneLine, plural, printable } from './text.ts';

/** One verdict: what it is first, then each blank with who can fill it. */
export function verdictText(row: CallRow, { gated, verdict, added }: Checked, log: string): string {
  const kind = verdict.kind.replaceAll('_', ' ').toUpperCase();
  const head = gated ? kind : `OUTSIDE THE GATE (declared reversible); judged: ${kind}`;
  const known = (verdict.slots ?? []).filter(({ state }) => state !== 'unknown').length;
  const lines = columns([
    ...row.unmet.map(({ slot_id, reason, declared_by }) => [
      'unmet',
      slot_id,
      reason,
      `declared by the ${declared_by}`,
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
  const reductions = [...new Set(row.reductions.map((reduction) => reduction.kind))];
  const rests = [
    verdict.slots === null ? 'no list of slots was made' : `${plural(known, 'slot')} confirmed`,
    ...(reductions.length === 0 ? [] : [`reductions: ${reductions.join(', ')}`]),
    added ? `recorded in ${log}` : `was recorded before in ${log}`,
  ];
  const text = [
    `${oneLine(row.tool, 64)}  ${head}  ${row.call_id.slice(0, 8)}`,
    ...lines.map((line) => `  ${line}`),
    `  ${rests.join(' · ')}`,
  ];
  return `${text.map(printable).join('\n')}\n`;
}
