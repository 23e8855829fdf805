import { randomId } from '../events/random-id.ts';
import type { SqliteLog } from '../log/sqlite.ts';
import type { Around } from '../preflight/around.ts';
import type { By } from '../preflight/by.ts';
import { NO_HOOKS } from '../preflight/world.ts';
import type { Declared } from '../runs/declared.ts';
import { environment } from '../runs/environment.ts';
import { declaredBy } from './declared.ts';

/** How a command line says who answers. */
export interface ByOptions {
  readonly user?: string;
  readonly knownBy?: By['known_by'];
}

/** A command line knows only what it is told: unless it says more, only the caller says who it was. */
export function byOf({ user, knownBy = 'caller' }: ByOptions): By {
  return { user: user ?? null, known_by: knownBy };
}

/** The live half on a command line: a log, and no hooks. */
export function liveOn(log: SqliteLog, declared: Declared = declaredBy({ ruleset: 'standard' })): Around {
  return {
    log,
    declared,
    world: NO_HOOKS,
    clock: () => new Date().toISOString(),
    newId: randomId,
    environment: environment(),
  };
}
