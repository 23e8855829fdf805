import { isGroundsError } from '../errors.ts';
import type { Environment } from '../events/run.ts';
import type { SyncLog } from '../log/index.ts';
import type { Declared } from './declared.ts';

/** What a run is recorded with. */
export interface Recording {
  readonly log: SyncLog;
  readonly declared: Declared;
  /** When it is recorded: UTC with milliseconds. */
  readonly clock: () => string;
  readonly newId: () => string;
  readonly environment: Environment;
}

/**
 * Records something. After a conflict, since other processes write to the same log, it reads and decides again: at most
 * `times` in all. `forget` drops what is kept of the log.
 */
export function recorded<T>(times: number, record: () => T, forget?: () => void): T {
  for (let tries = 1; ; tries++) {
    try {
      return record();
    } catch (error) {
      if (!isGroundsError(error) || error.code !== 'log/conflict' || tries >= times) throw error;
      forget?.();
    }
  }
}
