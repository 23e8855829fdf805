import { segmentsOf } from '../events/pointer.ts';

/** Slots of arguments are pointers; conditions and labels have ids of their own. */
export function isArgument(slot: string): boolean {
  return slot.startsWith('/');
}

const CONDITION = 'condition:';

/**
 * The name that the skeleton has for a slot: it takes arguments to be flat, with the argument's key as the field's name. A
 * nested argument keeps its pointer, and a condition or label says that it is one, so that it is not taken for an argument.
 * An argument whose key looks like either keeps its pointer too: no two slots share a name.
 */
export function nameOf(slot: string): string {
  if (!isArgument(slot)) return `${CONDITION}${slot}`;
  const [key, ...deeper] = segmentsOf(slot);
  const flat = key !== undefined && deeper.length === 0;
  return flat && key !== '' && !key.startsWith('/') && !key.startsWith(CONDITION) ? key : slot;
}
