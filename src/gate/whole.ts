import type { Json } from '../events/json.ts';
import type { Board } from './board.ts';
import type { Condition } from './conditions.ts';
import type { Settled } from './fixpoint.ts';
import type { Intent } from './intent.ts';
import type { LabelState } from './label-slots.ts';
import type { Rules } from './rules-for.ts';
import type { SlotList } from './slot-list.ts';
import type { RunInput } from './types.ts';

/** Everything that a verdict is judged from, once nothing more is to be asked. */
export interface Whole {
  readonly run: RunInput;
  readonly rules: Rules;
  readonly asking: Board;
  readonly intent: Intent;
  readonly list: SlotList;
  readonly proposal: Json | undefined;
  readonly conditions: readonly Condition[];
  readonly settled: Settled;
  readonly labels: readonly LabelState[];
}
