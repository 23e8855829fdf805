import type { Checklist } from '../../src/declarations/checklist.ts';
import { digestOf } from '../../src/events/digest.ts';
import { GATE_DIGEST } from '../../src/gate-digest.ts';
import type { Declared } from '../../src/runs/declared.ts';

/** One checklist and the present gate: what every figure is judged by. */
export function judgedBy(checklist: Checklist): Declared {
  return {
    checklists: [{ digest: digestOf(checklist), body: checklist }],
    unsound: [],
    tools: new Map(),
    gate: GATE_DIGEST,
    ruleset: 'standard',
  };
}
