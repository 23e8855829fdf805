import { isGroundsError } from '../errors.ts';

/** Others write to the same log; then what was read is read and decided again. */
const TRIES = 8;

/** Does something that reads, decides and appends; after a conflict from the beginning. */
export async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isGroundsError(error) || error.code !== 'log/conflict' || tries >= TRIES) throw error;
    }
  }
}
