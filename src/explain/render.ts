import { labelled, paint, type Row, type Style, table, type View } from './layout.ts';
import {
  carriedText,
  confirmedText,
  lineAround,
  placeText,
  quote,
  quotedAt,
  readsText,
  saidText,
  valueText,
} from './phrases.ts';
import type { Condition, Explanation, Slot } from './schema.ts';
import { plural } from './sentences.ts';
import { CUT, columnsOf, cutMiddle, shown, wrapped } from './shown.ts';

export type { View } from './layout.ts';

const HEADS: Readonly<Record<Explanation['headline']['kind'], readonly [string, Style]>> = {
  ran_on_good_grounds: ['RAN ON GOOD GROUNDS', 'green'],
  ran_without_grounds: ['RAN WITHOUT GROUNDS', 'red'],
  would_have_run: ['WOULD HAVE RUN', 'green'],
  did_not_run: ['DID NOT RUN', 'yellow'],
  outside_the_gate: ['OUTSIDE THE GATE', 'yellow'],
};

/**
 * One screen for a person: the conclusion first, then what, when and which tool, then each slot and condition with the
 * place where it can be checked. `width` is in columns (at least 40 are used); `color` adds nothing that the words don't say.
 * Ends with a line break; no line ends in a space; nothing that a transcript wrote reaches the terminal unescaped.
 */
export function renderWhy(explanation: Explanation, options: View): string {
  const view = { ...options, width: Math.max(options.width, 40) };
  const blocks = [
    headBlock(explanation, view),
    intentBlock(explanation, view),
    slotBlock(explanation, view),
    conditionBlock(explanation, view),
    footBlock(explanation, view),
  ];
  const body = blocks.filter((block) => block.length > 0).map((block) => block.join('\n'));
  const text = body.join('\n\n');
  const cut = text.includes(CUT)
    ? [labelled(CUT, ['marks what was cut here; --json holds it whole'], view, 3).join('\n')]
    : [];
  return `${[...body, [...commands(explanation, view), ...cut].join('\n')].join('\n\n')}\n`;
}

function headBlock({ call, headline }: Explanation, view: View): string[] {
  const when = call.recorded_at === null ? [] : [`recorded ${instant(call.recorded_at)}`];
  const title = [shown(call.tool), ...when, call.outcome.replace('_', ' ')].join(' · ');
  const id = shown(call.id);
  const gap = view.width - columnsOf(title) - columnsOf(id);
  const first =
    gap >= 2
      ? [`${paint(title, 'bold', view)}${' '.repeat(gap)}${paint(id, 'dim', view)}`]
      : [...wrapped(title, view.width).map((line) => paint(line, 'bold', view)), paint(id, 'dim', view)];
  const [words, style] = HEADS[headline.kind];
  const [second = '', ...rest] = wrapped(`${words}: ${headline.says}`, view.width);
  return [...first, ...[second, ...rest].map((line) => paint(line, style, view))];
}

function instant(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)}Z`;
}

function intentBlock(explanation: Explanation, view: View): string[] {
  const { call, act, when, tool } = explanation;
  const lines: string[] = [];
  const add = (label: string, parts: readonly string[]): void => {
    lines.push(...labelled(label, [parts.join('  ')], view, 7));
  };
  if (call.origin !== null) {
    const { file, line, message } = call.origin;
    add('from', [`${shown(file)} line ${line}, message ${message}`]);
  }
  if (act !== null) {
    const around = act.where === null ? null : lineAround(act.where, Math.max(view.width - 40, 30));
    const typed = act.where !== null && act.where.in !== 'entry' && act.where.typed ? 'typed, ' : '';
    if (act.where === null) add('act', [`${mark(act.state)}${act.says}`]);
    else
      add('act', [
        quote(act.where.quoted ?? ''),
        ...(around === null ? [] : [`in ${around}`]),
        `${typed}${placeText(act.where)}`,
      ]);
  }
  if (when !== null) {
    const at = when.where === null ? [when.says] : [quotedAt(when.where)];
    add('when', [when.timing ?? mark(when.state).trim(), ...at]);
    if (when.detail !== null) {
      const { detail } = when;
      const where = detail.where === null ? detail.says : quotedAt(detail.where);
      add('', [`${mark(detail.state)}${where}`]);
    }
  }
  if (tool !== null) {
    const words = act?.where?.quoted;
    const said = words === null || words === undefined ? '' : ` ${quote(words, 30)}`;
    const lists = tool.checklists.map((name) => checklistText(explanation, name)).join(', ');
    const means = tool.means.map(shown).join(', ');
    if (tool.state === 'known') {
      add('tool', [
        shown(tool.name),
        `${tool.says}${tool.where === null ? '' : said}`,
        ...(lists === '' ? [] : [lists]),
      ]);
    } else {
      const meant = means === '' ? '' : `:${said} stands for ${means}`;
      add('tool', [`UNKNOWN  ${shown(tool.name)}: ${tool.says}${meant}`, ...(lists === '' ? [] : [lists])]);
    }
  }
  return lines;
}

function mark(state: string): string {
  return state === 'unknown' ? 'UNKNOWN  ' : '';
}

function checklistText({ rests_on }: Explanation, name: string): string {
  const list = rests_on?.checklists.find((each) => each.name === name);
  if (list === undefined) return shown(name);
  const version = list.version === null ? '' : ` v${list.version}`;
  return `${shown(name)}${version} (${list.declared_by})`;
}

function slotBlock({ slots }: Explanation, view: View): string[] {
  if (slots === null || slots.length === 0) return [];
  return table(
    slots.map((slot) => slotRow(slot)),
    view,
  );
}

function slotRow(slot: Slot): Row {
  const unknown = slot.state === 'unknown';
  const state = slot.pending ? 'pending' : unknown ? 'UNKNOWN' : slot.state;
  return {
    cells: [
      { text: shown(slot.id), ...(unknown ? { style: 'bold' as const } : {}) },
      { text: slot.proposed === null ? '–' : valueText(slot.proposed.value) },
      { text: `${state} ${slot.rule}`, style: unknown ? 'red' : 'green' },
      { text: unknown ? (slot.route ?? '–') : (slot.source ?? '–') },
    ],
    detail: unknown ? openText(slot) : confirmedText(slot),
  };
}

/** Why a slot stayed open: the reason where it says more than the sources do, what each said, what the call carried. */
function openText(slot: Slot): string[] {
  const lines: string[] = [];
  if (slot.fault !== null)
    lines.push(
      `${shown(slot.fault.says)}${slot.fault.pointer === '' ? '' : ` at ${shown(slot.fault.pointer)}`}`,
    );
  else if (slot.reason !== 'not_said' && slot.reason !== 'no_answer')
    lines.push(cutMiddle(shown(slot.says), 120));
  if (slot.waits_for.length > 0) lines.push(`waits for ${slot.waits_for.map(shown).join(', ')}`);
  if (slot.said.length > 0) lines.push(saidText(slot.said));
  if (slot.carried !== null) lines.push(carriedText(slot.carried));
  if (slot.candidate !== null) lines.push(`a candidate: ${quotedAt(slot.candidate)}`);
  if (slot.filled_by !== null)
    lines.push(`can be filled by ${slot.filled_by}${slot.ask === null ? '' : `: ${quote(slot.ask)}`}`);
  return lines;
}

function conditionBlock(explanation: Explanation, view: View): string[] {
  const { conditions } = explanation;
  if (conditions === null || conditions.length === 0) return [];
  return table(
    conditions.map((condition) => conditionRow(explanation, condition)),
    view,
  );
}

function conditionRow(explanation: Explanation, condition: Condition): Row {
  const { state, expression } = condition;
  const words = { met: 'met', unmet: 'UNMET', unknown: 'UNKNOWN', not_run: 'not run' }[state];
  const declared =
    condition.checklist === null ? condition.declared_by : checklistText(explanation, condition.checklist);
  const reads = readsText(condition.reads);
  const detail: string[] = [];
  if (expression !== null) detail.push(cutMiddle(shown(expression), 160));
  if (reads !== null) detail.push(reads);
  if (state === 'unknown' || state === 'not_run') {
    const waits = condition.waits_for.length === 0 ? '' : `: ${condition.waits_for.map(shown).join(', ')}`;
    detail.push(`${condition.reason_says}${waits}`);
    const open = condition.said.filter(({ outcome }) => outcome !== 'claim');
    if (open.length > 0) detail.push(saidText(open));
    if (condition.filled_by !== null) detail.push(`can be filled by ${condition.filled_by}`);
  }
  if (condition.requested_by !== null)
    detail.push(`the user asked for it: ${quotedAt(condition.requested_by)}`);
  detail.push(`declared by ${declared}${condition.says === null ? '' : `: ${quote(condition.says, 72)}`}`);
  const style: Style = state === 'met' ? 'green' : state === 'not_run' ? 'yellow' : 'red';
  return {
    cells: [
      { text: shown(condition.id), ...(state === 'met' ? {} : { style: 'bold' as const }) },
      { text: `${words} ${condition.rule}`, style },
      { text: state === 'unknown' ? (condition.route ?? '–') : (condition.source ?? '–') },
    ],
    detail,
  };
}

function footBlock(explanation: Explanation, view: View): string[] {
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
  add(
    'gap',
    gaps.map(({ slot, kind, owner }) => `${kind} · ${owner.replace('_', ' ')}: ${shown(slot)}`),
  );
  add('happened', [happenedText(explanation)]);
  add('replay', [replayText(explanation)]);
  add(
    'proves not',
    explanation.limits.map(({ says }) => says),
  );
  return lines;
}

function unmetText({ slot, says, declared_by, requested_by }: Explanation['unmet'][number]): string {
  const asked = requested_by === null ? '' : `; the user said ${quotedAt(requested_by)}`;
  return `${shown(slot)}: ${shown(says)}, declared by ${declared_by}${asked}`;
}

function happenedText({ happened, call }: Explanation): string {
  const { where, first_line, code } = happened;
  const how = call.outcome.replace('_', ' ');
  const coded = code === null ? '' : ` (${shown(code)})`;
  if (where === null || where.in === 'entry') return `${how}${coded}`;
  if (first_line !== null && where.quoted !== null)
    return `${how}${coded}: ${quote(first_line, 72)} message ${where.message}`;
  const text = where.quoted === null ? 'sealed or erased' : cutMiddle(shown(where.quoted), 48);
  return `${how}${coded}: ${text} message ${where.message}`;
}

function replayText({ replay, rests_on, verdict }: Explanation): string {
  if (verdict === null) return 'nothing was judged, so there is nothing to replay';
  if (replay === null) return 'not replayed here';
  const gate = rests_on === null ? '' : `gate ${cutMiddle(rests_on.gate.slice('sha256:'.length), 9)}, `;
  if (replay.finding === 'MATCH') return `equal, byte for byte (${gate}${replay.basis})`;
  const at = replay.path === null ? '' : ` at ${shown(replay.path)}`;
  return `${replay.finding}${at} (${gate}${replay.basis}): ${shown(replay.reproduce)}`;
}

function commands({ call, verdict }: Explanation, view: View): string[] {
  const id = shown(call.id);
  const list: [string, string][] = [
    [`grounds show ${id} --events`, `the ${plural(call.events, 'event')} behind this`],
    ...(verdict === null
      ? []
      : [[`grounds bundle ${id}`, 'a file that proves it to someone else'] as [string, string]]),
  ];
  return table(
    list.map(([command, says]) => ({ cells: [{ text: command, style: 'dim' }], detail: [says] })),
    view,
  );
}

/** What is said where a reference names no call: the closest that there are, at most three. */
export function renderDidYouMean(
  ref: string,
  closest: readonly { readonly call_id: string; readonly tool: string }[],
): string {
  const lines = [`There is no call ${quote(ref)}.`];
  const three = closest.slice(0, 3);
  if (three.length === 0) lines.push('grounds calls lists those that there are.');
  else {
    lines.push('', three.length === 1 ? 'Did you mean this one?' : 'Did you mean one of these?');
    for (const { call_id, tool } of three) lines.push(`  ${shown(call_id)}  ${shown(tool)}`);
  }
  return `${lines.join('\n')}\n`;
}
