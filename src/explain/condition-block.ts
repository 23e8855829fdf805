import { checklistText } from './foot.ts';
import { type Row, type Style, table, type View } from './layout.ts';
import { quote, quotedAt, readsText, saidText, telling } from './phrases.ts';
import type { Condition, Explanation } from './schema.ts';
import { cutMiddle, shown } from './shown.ts';

/** A met condition shows what it was run over only where that is so little. */
const FEW = 3;

const ORDER: readonly Condition['state'][] = ['unmet', 'unknown', 'not_run', 'met'];
const WORDS = { met: 'met', unmet: 'UNMET', unknown: 'UNKNOWN', not_run: 'not run' } as const;
const STYLES: Readonly<Record<Condition['state'], Style>> = {
  met: 'green',
  unmet: 'red',
  unknown: 'red',
  not_run: 'yellow',
};

/** What stands in the way comes first and in full; what is met, or was not run, shortly, its instances in one row. */
export function conditionBlock(explanation: Explanation, view: View): string[] {
  const groups: Condition[][] = [];
  for (const state of ORDER) {
    const open = state === 'unmet' || state === 'unknown';
    for (const condition of (explanation.conditions ?? []).filter((each) => each.state === state)) {
      const group = groups.find(
        ([first]) => !open && first?.name === condition.name && first.state === state,
      );
      if (group === undefined) groups.push([condition]);
      else group.push(condition);
    }
  }
  return table(
    groups.map((group) => conditionRow(explanation, group)),
    view,
  );
}

function conditionRow(explanation: Explanation, group: readonly Condition[]): Row {
  const [condition] = group as readonly [Condition, ...Condition[]];
  const { state } = condition;
  const id =
    group.length === 1 ? condition.id : `${condition.name}/${group.map(({ index }) => index).join(',')}`;
  return {
    cells: [
      { text: shown(id), ...(state === 'met' ? {} : { style: 'bold' as const }) },
      { text: `${WORDS[state]} ${condition.rule}`, style: STYLES[state] },
      { text: state === 'unknown' ? (condition.route ?? '–') : (condition.source ?? '–') },
    ],
    detail:
      state === 'met' || state === 'not_run'
        ? closedText(explanation, group)
        : openText(explanation, condition),
  };
}

function closedText(explanation: Explanation, group: readonly Condition[]): string[] {
  const [condition] = group as readonly [Condition, ...Condition[]];
  const parts = [cutMiddle(shown(condition.expression ?? ''), 64)];
  const few = group.length === 1 && condition.state === 'met' && telling(condition.reads).length <= FEW;
  const reads = few ? readsText(condition.reads, FEW) : null;
  const rest = reads === null ? [] : [reads];
  if (condition.state === 'not_run') {
    // Before the trigger nothing had to be measured, so that what was not says nothing.
    const said = condition.reason === 'phase' ? [] : group.flatMap((each) => each.said);
    const open = said.filter(({ outcome }) => outcome !== 'claim');
    rest.push(`${condition.reason_says}${open.length === 0 ? '' : `: ${saidText(open)}`}`);
  }
  // With one checklist there is no other that it could come from.
  if ((explanation.rests_on?.checklists.length ?? 0) > 1) rest.push(declaredBy(explanation, condition));
  if (rest.length > 0) parts.push(rest.join(' · '));
  return parts;
}

function openText(explanation: Explanation, condition: Condition): string[] {
  const detail = [cutMiddle(shown(condition.expression ?? ''), 160)];
  const reads = readsText(condition.reads, 6);
  if (reads !== null) detail.push(reads);
  if (condition.state === 'unknown') {
    const waits = condition.waits_for.map(shown).join(', ');
    detail.push(waits === '' ? condition.reason_says : `waits for ${waits}`);
    const open = condition.said.filter(({ outcome }) => outcome !== 'claim');
    if (open.length > 0) detail.push(saidText(open));
  }
  if (condition.requested_by !== null)
    detail.push(`the user asked for it: ${quotedAt(condition.requested_by)}`);
  const says = condition.says === null ? '' : `: ${quote(condition.says, 96)}`;
  detail.push(`declared by ${declaredBy(explanation, condition)}${says}`);
  return detail;
}

function declaredBy(explanation: Explanation, condition: Condition): string {
  return condition.checklist === null
    ? condition.declared_by
    : checklistText(explanation, condition.checklist);
}
