import { GroundsError } from '../errors.ts';
import type { Json } from './json.ts';

/** For each type, from a schema number to the next: the same facts in the newer shape. Pure and total. */
export type Upcasters = Readonly<Record<string, Readonly<Record<number, (data: Json) => Json>> | undefined>>;

/** None yet: every shape is at schema 1. */
export const UPCASTERS: Upcasters = {};

/**
 * An event's data in the shape of schema `to`. What is stored and hashed stays as it was written.
 *
 * @throws GroundsError `events/schema` where it is newer than this version knows, or a step is missing.
 */
export function upcast(
  type: string,
  schema: number,
  to: number,
  data: Json,
  table: Upcasters = UPCASTERS,
): Json {
  const steps = Object.hasOwn(table, type) ? table[type] : undefined;
  let current = data;
  for (let n = schema; n !== to; n += 1) {
    const step = n < to && steps !== undefined && Object.hasOwn(steps, n) ? steps[n] : undefined;
    if (step === undefined) {
      throw new GroundsError('events/schema', `${type} of schema ${schema} can't be read as schema ${to}.`, {
        facts: { type, schema, to },
        hint: 'It was probably written by a newer version of grounds: read the log with that one.',
        exit: 3,
      });
    }
    current = step(current);
  }
  return current;
}
