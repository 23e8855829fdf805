import { isGroundsError } from '../errors.ts';

/** Others write to the same log; mostly once more is enough. */
const TRIES = 8;

/** Does something that reads, decides and appends; after a conflict it reads and decides again, at most `times` in all. */
export async function again<T>(work: () => Promise<T>, times = TRIES): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isGroundsError(error) || error.code !== 'log/conflict' || tries >= times) throw error;
    }
  }
}
