import { uuidFrom } from '../events/ids.ts';
import type { Json } from '../events/json.ts';
import type { SyncLog } from '../log/index.ts';
import { type BaselineEntry, type Baselines, baselinesOf } from '../runs/baselines.ts';

const followed = new WeakMap<SyncLog, Baselines>();

/** An action key's opaque id in this log. RULES R17. */
export function actionKeyIn(log: SyncLog, key: string): string {
  return uuidFrom(log.importKey, 'action', key);
}

/** The baseline of an action key as it is now; null where nothing of that key was executed and succeeded. RULES R17. */
export function baselineFor(log: SyncLog, action_key: string): BaselineEntry | null {
  const baselines = followed.get(log) ?? baselinesOf(log);
  followed.set(log, baselines);
  return baselines.newest(action_key, log.sizeSync());
}

/**
 * Whether what somebody else keeps of the last execution is what the log holds: each value that they give, and none that the log
 * lacks. RULES R10.
 */
export function sameBaseline(
  kept: Readonly<Record<string, Json>>,
  baseline: BaselineEntry | null,
  same: (a: Json, b: Json) => boolean,
): boolean {
  const held = new Map(
    (baseline?.entry.slots ?? []).map(({ slot, value }) => [
      slot,
      'plain' in value ? value.plain : undefined,
    ]),
  );
  return Object.entries(kept).every(([slot, value]) => {
    const own = held.get(slot);
    return own !== undefined && same(own, value);
  });
}
