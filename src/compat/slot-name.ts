import { segmentsOf } from '../events/pointer.ts';

/** Slots of arguments are pointers; conditions and labels have ids of their own. */
export function isArgument(slot: string): boolean {
  return slot.startsWith('/');
}

/**
 * The name that the skeleton has for a slot: it takes arguments to be flat, with the argument's key as the field's name. A
 * nested argument keeps its pointer. So does a key that is empty or begins with a slash: no two slots share a name.
 */
export function nameOf(slot: string): string {
  if (!isArgument(slot)) return slot;
  const [key, ...deeper] = segmentsOf(slot);
  return key === undefined || key === '' || key.startsWith('/') || deeper.length > 0 ? slot : key;
}
