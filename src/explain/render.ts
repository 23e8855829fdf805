import { conditionBlock } from './condition-block.ts';
import { checklistText, commands, footBlock, howItEnded } from './foot.ts';
import { labelled, paint, type Row, type Style, table, type View } from './layout.ts';
import {
  carriedText,
  confirmedText,
  lineAround,
  placeText,
  quote,
  quotedAt,
  saidText,
  valueText,
} from './phrases.ts';
import type { Explanation, Slot } from './schema.ts';
import { CUT, columnsOf, cutMiddle, shown, wrapped } from './shown.ts';

export type { View } from './layout.ts';

const HEADS: Readonly<Record<Explanation['headline']['kind'], readonly [string, Style]>> = {
  ran_on_good_grounds: ['RAN ON GOOD GROUNDS', 'green'],
  ran_without_grounds: ['RAN WITHOUT GROUNDS', 'red'],
  would_have_run: ['WOULD HAVE RUN', 'green'],
  did_not_run: ['DID NOT RUN', 'yellow'],
  outside_the_gate: ['OUTSIDE THE GATE', 'yellow'],
};

const RECORD = { changed: 'THE RECORD WAS CHANGED', does_not_replay: 'DOES NOT REPLAY' } as const;

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

function headBlock(explanation: Explanation, view: View): string[] {
  const { call, headline, happened } = explanation;
  const when = call.recorded_at === null ? [] : [`recorded ${instant(call.recorded_at)}`];
  const title = [shown(call.tool), ...when, howItEnded(explanation)].join(' · ');
  const id = shown(call.id);
  const gap = view.width - columnsOf(title) - columnsOf(id);
  const first =
    gap >= 2
      ? [`${paint(title, 'bold', view)}${' '.repeat(gap)}${paint(id, 'dim', view)}`]
      : [...wrapped(title, view.width).map((line) => paint(line, 'bold', view)), paint(id, 'dim', view)];
  const [words, style] = HEADS[headline.kind];
  const lead =
    headline.kind === 'ran_without_grounds' && call.outcome === 'unknown' && happened.where === null
      ? 'MAY HAVE RUN WITHOUT GROUNDS'
      : words;
  const told = wrapped(`${lead}: ${headline.says}`, view.width).map((line) => paint(line, style, view));
  const { record } = headline;
  const against = record === null ? '' : `${RECORD[record.state]}: ${record.says}`;
  const warned = record === null ? [] : wrapped(against, view.width).map((line) => paint(line, 'red', view));
  return [...first, ...warned, ...told];
}

function instant(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)}Z`;
}

function intentBlock(explanation: Explanation, view: View): string[] {
  const { call, act, when, tool, verdict } = explanation;
  const lines: string[] = [];
  const add = (label: string, parts: readonly string[]): void => {
    lines.push(...labelled(label, [parts.join('  ')], view, 7));
  };
  if (call.origin !== null) {
    // As `calls` prints it, so that it can be given to any command that takes a reference.
    const { file, line, message_index } = call.origin;
    add('from', [shown(`${file.slice(file.lastIndexOf('/') + 1)}:${line}:${message_index}`)]);
  }
  if (act !== null) {
    if (act.where === null) add('act', [`${mark(act.state)}${why(act)}`]);
    else {
      const typed = act.where.in !== 'entry' && act.where.typed ? 'typed, ' : '';
      const said = act.where.quoted === null ? '–' : quote(act.where.quoted);
      const at = `${typed}${placeText(act.where)}`;
      const room = view.width - 16 - columnsOf(said) - columnsOf(at);
      const around = lineAround(act.where, room < 24 ? view.width - 14 : room);
      add('act', [said, ...(around === null ? [] : [`in ${around}`]), at]);
    }
  }
  if (when !== null) {
    const at =
      when.trigger !== null
        ? firedText(when.trigger)
        : [when.where === null ? why(when) : quotedAt(when.where)];
    add('when', [when.timing ?? mark(when.state).trim(), ...at]);
    if (when.detail !== null) {
      const { detail } = when;
      const where = detail.where === null ? why(detail) : quotedAt(detail.where);
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
      add('tool', [`UNKNOWN  ${shown(tool.name)}: ${why(tool)}${meant}`, ...(lists === '' ? [] : [lists])]);
    }
  }
  if (verdict !== null && verdict.ask !== null)
    lines.push(
      ...labelled(
        'to ask',
        verdict.ask.split('\n').map((line) => cutMiddle(shown(line), 200)),
        view,
        7,
      ),
    );
  return lines;
}

/** Of what is open, its reason by name as well: so it stands in `check`, `gaps` and the rules. */
function why({ state, says, reason }: NonNullable<Explanation['act']>): string {
  return state === 'unknown' ? `${says} (${reason})` : says;
}

/** The words that a call waited by, and what fired. */
function firedText({ by, at, until }: NonNullable<NonNullable<Explanation['when']>['trigger']>): string[] {
  const said = until === null ? [] : [`${quotedAt(until)};`];
  return [...said, `trigger fired by ${by} ${instant(at)}`];
}

function mark(state: string): string {
  return state === 'unknown' ? 'UNKNOWN  ' : '';
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
  if (slot.fault !== null) {
    const at = slot.fault.pointer === '' ? '' : `${shown(slot.fault.pointer)}: `;
    lines.push(`${at}${shown(slot.fault.says)}`);
  } else if (!['not_said', 'no_answer', 'waits_for', 'differs_from_proposal'].includes(slot.reason))
    lines.push(cutMiddle(shown(slot.says), 120));
  if (slot.waits_for.length > 0) lines.push(`waits for ${slot.waits_for.map(shown).join(', ')}`);
  // Of arguments that can not be read, nothing was looked for.
  if (slot.waits_for.includes('/')) return lines;
  if (slot.said.length > 0) lines.push(saidText(slot.said));
  if (slot.carried !== null && !saidAlready(slot)) lines.push(carriedText(slot.carried));
  if (slot.candidate !== null) lines.push(`a candidate: ${quotedAt(slot.candidate)}`);
  if (slot.ask !== null && slot.route === 'ask_user') lines.push(`to ask: ${quote(slot.ask)}`);
  else if (slot.filled_by !== null && slot.route !== 'ask_user')
    lines.push(`can be filled by ${slot.filled_by}`);
  return lines;
}

/** Whether a source has named the same place already. */
function saidAlready({ carried, said }: Slot): boolean {
  const last = JSON.stringify(carried?.where.at(-1));
  return said.some(({ where }) => where.some((each) => JSON.stringify(each) === last));
}
