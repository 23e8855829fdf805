import { labelled, table, type View } from './layout.ts';
import { quote, quotedAt, valueText } from './phrases.ts';
import type { Explanation } from './schema.ts';
import { plural } from './sentences.ts';
import { cutMiddle, shown } from './shown.ts';

/** The verdict, what it rests on, where the work goes, what happened, and what all this does not prove. */
export function footBlock(explanation: Explanation, view: View): string[] {
  const { verdict, reductions, gaps, defects, rests_on } = explanation;
  const lines: string[] = [];
  const add = (label: string, paragraphs: readonly string[]): void => {
    if (paragraphs.length > 0) lines.push(...labelled(label, paragraphs, view));
  };
  if (verdict !== null) {
    const asks = verdict.exhausted
      ? '; nothing more is asked'
      : verdict.next_attempt === null
        ? ''
        : `; question ${verdict.next_attempt} of 2 is next`;
    add('verdict', [`${verdict.kind}: ${verdict.says} (${verdict.rule})${asks}`]);
  }
  add(
    'defects',
    defects.map(({ at, says, declared_by }) => `${shown(at)}: ${says} (${declared_by})`),
  );
  const known = new Set((explanation.conditions ?? []).map(({ id }) => id));
  add('unmet', explanation.unmet.filter(({ slot }) => !known.has(slot)).map(unmetText));
  if (rests_on !== null) {
    const lists = rests_on.checklists.map(({ name }) => checklistText(explanation, name)).join(', ');
    const reduced = reductions.map(({ kind, slot }) => (slot === null ? kind : `${kind}(${shown(slot)})`));
    add('rests on', [
      lists === '' ? 'no checklist' : lists,
      reduced.length === 0
        ? 'no reductions'
        : `${plural(reduced.length, 'reduction')}: ${reduced.join(' · ')}`,
    ]);
  }
  add('gap', gapTexts(gaps));
  if (verdict === null && explanation.call.arguments !== null)
    add('sent', [valueText(explanation.call.arguments, 96)]);
  add('happened', [happenedText(explanation)]);
  add('incident', explanation.incidents.map(incidentText));
  add('replay', [replayText(explanation, view)]);
  add('proves not', [explanation.limits.map(({ says }) => says).join(' ')]);
  return lines;
}

/** One line for each kind and owner. */
function gapTexts(gaps: Explanation['gaps']): string[] {
  const lines = new Map<string, string[]>();
  for (const { slot, kind, owner } of gaps) {
    const name = `${kind} · ${owner.replace('_', ' ')}`;
    lines.set(name, [...(lines.get(name) ?? []), shown(slot)]);
  }
  return [...lines].map(([name, slots]) => `${name}: ${slots.join(', ')}`);
}

function unmetText({ slot, says, declared_by, requested_by }: Explanation['unmet'][number]): string {
  const asked = requested_by === null ? '' : `; the user said ${quotedAt(requested_by)}`;
  return `${shown(slot)}: ${shown(says)}, declared by ${declared_by}${asked}`;
}

/** In a word: a call whose result nobody can tell from a failure has returned, and that is all. */
export function howItEnded({ call, happened }: Explanation): string {
  return call.outcome === 'unknown' && happened.observed && happened.where !== null
    ? 'returned'
    : call.outcome.replace('_', ' ');
}

function happenedText(explanation: Explanation): string {
  const { happened, call } = explanation;
  const { where, first_line, code } = happened;
  const ended = howItEnded(explanation);
  const how = ended === 'returned' ? 'returned (nothing declares what a failure looks like)' : ended;
  const coded = code === null ? '' : ` (${shown(code)})`;
  if (where === null || where.in === 'entry') {
    return `${how}${coded}${call.outcome === 'not_executed' ? '' : ': no result is at hand'}`;
  }
  if (first_line !== null && where.quoted !== null)
    return `${how}${coded}: ${quote(first_line, 72)} message ${where.message}`;
  const text = where.quoted === null ? 'sealed or erased' : cutMiddle(shown(where.quoted), 48);
  return `${how}${coded}: ${text} message ${where.message}`;
}

function incidentText({ at, slots, text }: Explanation['incidents'][number]): string {
  const of = slots.length === 0 ? '' : ` of ${slots.map(shown).join(', ')}`;
  const said = text === null ? 'sealed or erased' : quote(text, 96);
  return `reported ${at.slice(0, 10)}${of}: ${said}`;
}

function replayText({ replay, rests_on, verdict }: Explanation, view: View): string {
  if (replay === null)
    return verdict === null ? 'nothing was judged, so there is nothing to replay' : 'not replayed here';
  const gate =
    rests_on === null ? '' : `gate ${rests_on.gate.slice('sha256:'.length, 'sha256:'.length + 12)}, `;
  if (replay.finding === 'MATCH') return `equal, byte for byte (${gate}${replay.basis})`;
  const at = replay.path === null ? '' : ` at ${shown(replay.path)}`;
  return `${replay.finding}${at} (${gate}${replay.basis}): ${shown(replay.reproduce)}${view.onLog ?? ''}`;
}

/** Where to look further. */
export function commands({ call }: Explanation, view: View): string[] {
  const command = `grounds show ${shown(call.id)} --events${view.onLog ?? ''}`;
  const says = `the ${plural(call.events, 'event')} behind this`;
  return table([{ cells: [{ text: command, style: 'dim' }], detail: [says] }], view, {
    widest: view.width - 30,
    least: 24,
  });
}

/** A checklist by name, with its version in the log and whose rules it holds. */
export function checklistText({ rests_on }: Explanation, name: string): string {
  const list = rests_on?.checklists.find((each) => each.name === name);
  if (list === undefined) return shown(name);
  const version = list.version === null ? '' : ` v${list.version}`;
  return `${shown(name)}${version} (${list.declared_by})`;
}
