import type { Json } from '../events/json.ts';
import type { Pointer } from '../events/pointer.ts';
import { notExact } from './bad-input.ts';
import type { Origin } from './conversation.ts';
import { ancestorsOf, type Received } from './received.ts';

/** A value of the input that a conversation rests on, where it stands. */
export interface Standing {
  readonly from: Received;
  readonly pointer: Pointer;
  readonly value: Json | undefined;
}

/**
 * Refuses what is not exact within what a conversation rests on, or around it (a doubled key that holds it). `free` is
 * where that is the matter of one call alone: arguments and results. What lies elsewhere was not read.
 *
 * Throws `transcript/not-exact` and `transcript/lone-surrogate`.
 */
export function checkExact(
  grounds: readonly Standing[],
  free: ReadonlyMap<Received, ReadonlySet<Pointer>>,
  origin: Origin,
): void {
  const within = new Map<Received, Set<Pointer>>();
  const around = new Map<Received, Set<Pointer>>();
  for (const { from, pointer } of grounds) {
    if (from.faults.length === 0) continue;
    within.set(from, (within.get(from) ?? new Set()).add(pointer));
    const above = around.get(from) ?? new Set();
    around.set(from, above);
    for (const ancestor of ancestorsOf(pointer)) above.add(ancestor);
  }
  for (const [from, pointers] of within) {
    for (const fault of from.faults) {
      const above = ancestorsOf(fault.pointer);
      const touches =
        pointers.has(fault.pointer) ||
        around.get(from)?.has(fault.pointer) ||
        above.some((pointer) => pointers.has(pointer));
      if (touches && !above.some((pointer) => free.get(from)?.has(pointer))) throw notExact(fault, origin);
    }
  }
}
