import type { CallRow } from '../projections/call-row.ts';
import type { AuditSummary } from './audit-tally.ts';
import { originText } from './call-line.ts';
import { askedLine, executionLine } from './execution-text.ts';
import type { Io } from './io.ts';
import { notesBlock } from './notes-block.ts';
import { onLog } from './printed-command.ts';
import { columns, oneLine, plural, wrapped } from './text.ts';
import { NO_CHECKLIST } from './why-undetermined.ts';

const TOP_GAPS = 8;
const TOP_TOOLS = 12;

/** One call that ran without grounds, on one line: what, where, and the first reason why. */
export function withoutGroundsLine(row: CallRow, io: Io): string {
  const cells = [row.call_id.slice(0, 8), oneLine(row.tool, 64), originText(row), whyInShort(row)];
  const line = cells.join('  ');
  return io.terminal && line.length > io.width ? `${line.slice(0, io.width - 1)}…` : line;
}

function whyInShort(row: CallRow): string {
  const [unmet] = row.unmet;
  const blank = row.unknown.find(({ reason }) => reason !== 'waits_for') ?? row.unknown[0];
  const more = row.unmet.length + row.unknown.length - 1;
  const rest = more > 0 ? `  +${more} more` : '';
  if (unmet !== undefined) return `UNMET ${oneLine(unmet.slot_id, 64)} ${unmet.reason}${rest}`;
  if (blank !== undefined)
    return `UNKNOWN ${oneLine(blank.slot_id, 64)} ${blank.reason} → ${blank.route}${rest}`;
  return row.verdict ?? 'no verdict';
}

/** What was found, on one screen. */
export function auditScreen(summary: AuditSummary, io: Io, leftBehind = true): string {
  const { calls, ran_without_grounds: without } = summary;
  const head =
    `${plural(calls, 'call')} in ${plural(summary.conversations, 'conversation')}: ` +
    `${summary.executable} on good grounds, ${without} ran without grounds` +
    (summary.not_gated > 0 ? `, ${summary.not_gated} outside the gate (declared reversible)` : '');
  const parts = [
    head,
    section('verdicts', columns(entries(summary.by_verdict), [1])),
    section('tools', toolLines(summary)),
    section('gaps: what was not confirmed, and where the work goes', gapLines(summary, io.width)),
    section('calls that hang on one blank alone: what settles it', aloneLines(summary, io.width)),
    questionsLine(summary),
    executionLine(summary.execution),
    askedLine(summary.questions.live),
    section('reductions in force, by verdicts', columns(entries(summary.reductions), [1])),
    summary.checklists.length === 0 && calls > 0 ? withoutChecklist(io.width) : '',
    notesBlock('transcripts', summary.notes, io.width),
    section(
      `skipped: ${plural(summary.faults.length, 'faulty part')}`,
      summary.faults.map(({ message, code }) => oneLine(`${message} [${code}]`, io.width - 2)),
    ),
    leftBehind ? recorded(summary, io.width) : '',
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function recorded({ added, calls, log }: AuditSummary, width: number): string {
  const how =
    added === calls ? `recorded in ${log}` : `${added} new in ${log}, ${calls - added} were there already`;
  return calls === 0
    ? wrapped(`No tool call was found; ${log} is as it was.`, width)
    : wrapped(`${how} · grounds why <call>${onLog(log)} says why one ran`, width);
}

function toolLines({ by_tool }: AuditSummary): string[] {
  const tools = Object.entries(by_tool);
  if (tools.length === 0) return [];
  const rows = tools
    .sort(([, a], [, b]) => b.ran_without_grounds - a.ran_without_grounds)
    .slice(0, TOP_TOOLS)
    .map(([name, counts]) => [
      oneLine(name, 48),
      String(counts.calls),
      String(counts.executable),
      String(counts.ran_without_grounds),
    ]);
  const lines = columns([['', 'calls', 'executable', 'without grounds'], ...rows], [1, 2, 3]);
  return tools.length > TOP_TOOLS
    ? [...lines, `and ${tools.length - TOP_TOOLS} more (--json has all)`]
    : lines;
}

function gapLines({ gaps, log }: AuditSummary, width: number): string[] {
  const rows = gaps
    .slice(0, TOP_GAPS)
    .map(({ count, kind, tool, slot, reason, owner }) => [
      String(count),
      kind,
      oneLine(`${tool} ${slot}`, Math.max(width - 50, 24)),
      reason,
      owner.replace('_', ' '),
    ]);
  const lines = columns(rows, [0]);
  return gaps.length > TOP_GAPS
    ? [...lines, `and ${gaps.length - TOP_GAPS} more (grounds gaps${onLog(log)} has all)`]
    : lines;
}

const TOP_ALONE = 5;

function aloneLines({ hangs_on }: AuditSummary, width: number): string[] {
  const rows = hangs_on
    .slice(0, TOP_ALONE)
    .map(({ calls, tool, slot, reason }) => [
      String(calls),
      oneLine(`${tool} ${slot}`, Math.max(width - 50, 24)),
      reason,
      remedy(reason),
    ]);
  return columns(rows, [0]);
}

/** What would settle a blank of this reason. */
function remedy(reason: string): string {
  switch (reason) {
    case 'no_source':
    case 'no_answer':
    case 'not_measured':
      return 'declare what measures it';
    case 'unfinished':
      return 'measure it again before the call';
    case 'choice_not_confirmed':
      return 'ask which, or declare select: member';
    case 'act_not_said':
    case 'other_act_said':
      return 'declare the words for the act, or ask what is wanted';
    case 'schema_missing':
      return 'declare the schema';
    case 'mixed_group':
      return 'show the list again and ask, or declare what binds it';
    default:
      return 'ask for it, or declare what measures it';
  }
}

function questionsLine({ questions, calls }: AuditSummary): string {
  if (calls === 0 || questions.asked_if_live === 0) return '';
  const each = questions.per_executed_call;
  return (
    `a live gate would have asked ${plural(questions.asked_if_live, 'question')}` +
    (each === null ? '' : `, ${each.toFixed(1)} for each call on good grounds`)
  );
}

function withoutChecklist(width: number): string {
  return wrapped(
    `${NO_CHECKLIST} Next: write one for the tool at the top of this list (docs/checklist.md begins with the smallest), and run again with --checklist <file>; nothing is imported twice.`,
    width,
  );
}

function entries(counts: Readonly<Record<string, number>>): [string, string][] {
  return Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => [name, String(count)]);
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [title, ...lines.map((line) => `  ${line}`)].join('\n');
}
