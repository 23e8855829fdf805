import type { Json } from '../events/json.ts';
import { sameJson } from '../gate/expand.ts';
import { rulesFor, slotRuleOf } from '../gate/rules-for.ts';
import type { SyncLog } from '../log/index.ts';
import { ANSWER_TYPES, answersSoFar, type SettingProposal } from '../projections/setting-proposals.ts';
import type { Declared } from '../runs/declared.ts';
import { undeclaredTool } from '../runs/declared.ts';
import { userIn } from './by.ts';
import { settingsOfUser } from './settings.ts';

/** A value to be offered for keeping, with the name of the setting that the checklists declare for its slot. */
export type Keepable = Omit<SettingProposal, 'user'> & {
  /** null: no checklist lets a setting fill this slot, so that keeping it would help nobody yet. */
  readonly setting: string | null;
};

/** What a user answered alike again and again, and has not kept so: for them to decide. Reads the log page by page. */
export function settingsToPropose(
  log: SyncLog,
  user: string,
  declared: Pick<Declared, 'checklists' | 'ruleset' | 'tools'>,
): Keepable[] {
  const own = userIn(log, user);
  const answers = answersSoFar();
  for (const page of log.readSync({ types: ANSWER_TYPES })) for (const row of page) answers.add(row);
  const kept = new Map<string, { readonly value: Json; readonly none: boolean }>(
    settingsOfUser(log, user).map((setting) => [setting.name, setting]),
  );
  return answers
    .proposals()
    .filter((proposal) => proposal.user === own)
    .flatMap(({ user: _, ...proposal }) => {
      const tool = declared.tools.get(proposal.tool) ?? undeclaredTool(proposal.tool);
      const rules = rulesFor({ checklists: declared.checklists, ruleset: declared.ruleset, tool });
      const setting = slotRuleOf(rules, proposal.from.slot, false)?.setting ?? null;
      const held = setting === null ? undefined : kept.get(setting);
      const same = held !== undefined && held.none === proposal.none && sameJson(held.value, proposal.value);
      return same ? [] : [{ ...proposal, setting }];
    });
}
