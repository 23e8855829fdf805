import type { Json } from '../events/json.ts';
import { evaluate } from './cel/index.ts';
import { compileFor } from './conditions.ts';
import { rulesFor } from './rules-for.ts';
import type { RunInput } from './types.ts';

/**
 * RULES R20: whether a call stands under the gate. Only the adopting system can say that the running party can put an act back on
 * its own; what nobody declared is irreversible, and so is a call whose arguments the expression can't judge. A provider
 * may only tighten.
 */
export function isGated(run: Pick<RunInput, 'checklists' | 'tool'>, args: Json | undefined): boolean {
  let gated = true;
  for (const { body } of run.checklists) {
    const reversible = body.tools[run.tool.name]?.reversible;
    if (reversible === undefined) continue;
    if (body.declared_by !== 'system') {
      if (reversible === false) return true;
      continue;
    }
    if (reversible === false) return true;
    if (reversible === true) gated = false;
    else {
      const compiled = compileFor(rulesFor(run), reversible);
      const result = compiled === null || args === undefined ? null : evaluate(compiled, { args });
      if (result === null || 'fault' in result || result.value !== true) return true;
      gated = false;
    }
  }
  return gated;
}
