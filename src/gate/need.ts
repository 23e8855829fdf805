import type { Board } from './board.ts';
import type { Step } from './types.ts';

/** What is open, as the next lookups to make. */
export function need(asking: Board): Step {
  const [first, ...rest] = asking.needs();
  return { need: first === undefined ? neverEmpty() : [first, ...rest] };
}

function neverEmpty(): never {
  throw new Error('The gate is open and asks for nothing: a rule is missing.');
}
