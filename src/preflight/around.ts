import type { Environment } from '../events/run.ts';
import type { SyncLog } from '../log/index.ts';
import type { Declared } from '../runs/declared.ts';
import type { World } from './world.ts';

/** What the live half works with. */
export interface Around {
  readonly log: SyncLog;
  readonly declared: Declared;
  readonly world: World;
  /** When something is recorded: UTC with milliseconds. */
  readonly clock: () => string;
  readonly newId: () => string;
  readonly environment: Environment;
}
