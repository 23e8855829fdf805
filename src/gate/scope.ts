import type { Json } from '../events/json.ts';
import { compile, evaluate } from './cel/index.ts';
import { rulesFor } from './rules-for.ts';
import type { RunInput } from './types.ts';

/**
 * RULES R20: whether a call stands under the gate. Only the adopting system can say that the running party can put an act
 * back on its own; what nobody declared is irreversible, and so is a call whose arguments the expression can't judge.
 */
export function isGated(
  run: Pick<RunInput, 'checklists' | 'tool' | 'ruleset'>,
  args: Json | undefined,
): boolean {
  const { reversible } = rulesFor(run);
  if (typeof reversible === 'boolean') return !reversible;
  const compiled = compile(reversible.source, reversible.define);
  const result = 'fault' in compiled || args === undefined ? null : evaluate(compiled, { args });
  return result === null || 'fault' in result || result.value !== true;
}
