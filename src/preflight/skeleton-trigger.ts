import type { Segment } from '../events/segment.ts';
import type { SyncLog } from '../log/index.ts';
import { standingOf } from '../runs/standing.ts';
import type { Around } from './around.ts';
import { say } from './conversation.ts';
import { type Trigger, trigger } from './deferral.ts';
import type { Judged } from './judge.ts';
import type { Proposed } from './proposed.ts';

/**
 * What fired, where a call waits for its trigger. null: it doesn't wait, or has fired and is only judged again. A recurring call fires
 * again, unless the caller brings replies to what its last trigger left open.
 */
export function firedAt(log: SyncLog, call: string, replied: boolean): Trigger['by'] | null {
  const deferred = standingOf(log, call)?.deferred ?? null;
  if (deferred === null) return null;
  const { timing } = deferred.data;
  if (deferred.fired > 0 && (timing !== 'recurring' || replied)) return null;
  return timing === 'conditional' ? 'event' : 'clock';
}

/** What was said since comes first: a trigger carries the conversation up to it. */
export async function judgeAtTrigger(
  around: Around,
  by: Trigger['by'],
  { conversation, call, tool, user, settings }: Proposed,
  since: readonly Segment[],
): Promise<Judged> {
  if (since.length > 0) await say(around, conversation, since);
  return trigger(around, {
    call,
    by,
    tool,
    ...(user === undefined ? {} : { user }),
    ...(settings === undefined ? {} : { settings }),
  });
}
