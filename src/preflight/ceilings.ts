import { isInstance } from '../gate/expand.ts';
import type { RunInput } from '../gate/index.ts';
import type { CallStanding } from '../projections/standing.ts';

/**
 * How often a value may be asked for in one call: the least that any party declares for it, since a ceiling only takes away.
 * null: nobody declared one. RULES R13.
 */
export function slotCeiling(run: RunInput, slot: string): number | null {
  let least: number | null = null;
  for (const { body } of run.checklists) {
    const rules = Object.hasOwn(body.tools, run.tool.name) ? body.tools[run.tool.name] : undefined;
    for (const [pattern, declared] of Object.entries(rules?.slots ?? {})) {
      if (declared.asks === undefined || !isInstance(slot, pattern)) continue;
      if (least === null || declared.asks < least) least = declared.asks;
    }
  }
  return least;
}

/** How often it was asked for so far. Questions of one verdict about one value (to give it, or to approve it) are one. */
export function timesAsked(standing: CallStanding, slot: string): number {
  const runs = standing.questions
    .filter(({ data }) => data.slots.some((asked) => asked.slot === slot))
    .map(({ id, data }) => data.run ?? id);
  return new Set(runs).size;
}
