import { resolverOf } from '../../replay/resolve.ts';
import type { DataOf } from '../events/index.ts';
import type { Json } from '../events/json.ts';
import { rulesFor, slotRuleOf } from '../gate/rules-for.ts';
import type { SyncLog } from '../log/index.ts';
import { startedRun } from '../runs/started-run.ts';
import { defaultAsk, slotsText } from './question-text.ts';

/**
 * The words of a question for values of which some were answered: whoever shows it must not ask for those again. They are made as
 * they were when it was asked, of what its run was declared by; null where the log does not hold that.
 */
export function textOfRest(
  log: SyncLog,
  call: string,
  { run, notices }: DataOf<'QuestionAsked'>,
  slots: readonly { readonly slot: string; readonly prior?: Json }[],
): string | null {
  const asker = startedRun(log, call, run);
  const ruled = asker === null ? null : resolverOf(log).declared(asker.started, asker.position).ruled;
  if (ruled === null) return null;
  const rules = rulesFor(ruled);
  const asks = slots.map(({ slot, prior }) => ({
    ask: slotRuleOf(rules, slot, false)?.ask ?? defaultAsk(slot),
    prior,
  }));
  return slotsText(asks, notices);
}
