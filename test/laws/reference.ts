import type { RunInput } from '../../src/gate/types.ts';
import type { Answer, Opinion } from './opinion.ts';
import { actAndTool, timing } from './reference-intent.ts';
import { whole } from './reference-whole.ts';
import { inForce } from './reference-world.ts';

/** The verdict by the tables of the rules, worked out slowly; `answer` is the world. */
export function opinionOf(run: RunInput, answer: Answer): Opinion {
  const rules = inForce(run);
  const early = (kind: string, more: Partial<Opinion> = {}): Opinion => ({
    kind,
    next_attempt: null,
    exhausted: false,
    intent: [],
    slots: null,
    unknown_count: null,
    unmet: [],
    not_run: [],
    reductions: [],
    ...more,
  });
  // V1
  if (run.unsound.length > 0 || rules.defects.some(({ slot }) => slot === null))
    return early('definition_repair');
  const reductions = new Set<string>();
  const later = { is: false };
  const when = timing(run, rules, answer, reductions, later);
  const act = actAndTool(run, rules, answer, reductions);
  const intent = [...when, ...act];
  const unsettled = (id: string) =>
    intent.some(({ slot, state }) => slot.startsWith(id) && state === 'unknown');
  const so = { intent, reductions: [...reductions].sort() };
  const attempt = (spent: number) => ({ exhausted: spent >= 2, next_attempt: spent >= 2 ? null : spent + 1 });
  // V2 – V6
  const failed = (of: typeof intent) => of.some(({ reason }) => reason === 'lookup_failed');
  if (failed(intent.filter(({ slot }) => slot !== 'tool'))) return early('intent_undetermined', so);
  if (unsettled('when') || unsettled('act'))
    return early('intent_undetermined', { ...so, ...attempt(run.attempts.intent) });
  if (run.action_key === 'failed') return early('definition_repair', so);
  if (failed(intent)) return early('tool_undetermined', so);
  if (unsettled('tool')) return early('tool_undetermined', { ...so, ...attempt(run.attempts.tool) });
  // R12: what runs later is judged at the instruction until its trigger fires.
  const phased: RunInput = later.is ? { ...run, phase: 'at_instruction' } : run;
  return { ...early(''), ...so, ...whole(phased, rules, answer, reductions) };
}
