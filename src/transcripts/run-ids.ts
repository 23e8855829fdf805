import { isObject, type Json } from '../events/json.ts';

/** Where a wrapper of runs says which run this is. */
const RUN_IDS = ['id', 'run_id', 'task_id', 'trial', 'conversation_id', 'session_id', 'thread_id'];

/** The ids that tell two equal runs apart, as the wrapper gives them; null where there is no wrapper. */
export function runOf(value: Json, more: readonly string[] = []): Json {
  if (!isObject(value)) return null;
  const ids = [...RUN_IDS, ...more].filter((key) => ['string', 'number'].includes(typeof value[key]));
  return Object.fromEntries(ids.map((key) => [key, value[key] ?? null]));
}
