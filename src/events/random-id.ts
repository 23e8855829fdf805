import { randomUUID } from 'node:crypto';

/**
 * An id for something that happens live. The only chance in this folder: it stands alone so that the gate, replay and
 * the rest of the events, which must do the same twice, don't import it.
 */
export function randomId(): string {
  return randomUUID();
}
