import { isGroundsError } from '../errors.ts';
import { type DataOf, parseStream, streamOf } from '../events/index.ts';
import type { Timing } from '../events/vocabulary.ts';
import { textOf } from '../gate/conversation.ts';
import type { SyncLog } from '../log/index.ts';
import { requestOf, standingOf } from '../runs/standing.ts';
import { wasJudged } from './deferral.ts';
import { dueOf } from './due.ts';

/** A call that waits for its trigger. */
export interface DeferredCall {
  readonly call: string;
  readonly tool: string;
  /** The `CallDeferred` event, and when it was recorded. */
  readonly event: string;
  readonly deferred_at: string;
  readonly timing: Exclude<Timing, 'immediate'>;
  /** The user's words for when, or for what; null where none were located, or they are sealed. */
  readonly words: string | null;
  /** The time that the words mean; null where they mean none, or it can't be read. */
  readonly due: string | null;
  /** How many of its triggers fired so far: more than one only where it comes again and again. */
  readonly fired: number;
}

/**
 * The calls that wait for their trigger, in the order in which they were deferred, read a page of the log at a time. One whose trigger
 * was recorded and never judged waits still; one that was judged anew since, or whose request was abandoned, does not. RULES R12.
 */
export function* deferredCalls(log: SyncLog): Generator<DeferredCall> {
  for (const page of log.readSync({ types: ['CallDeferred'] })) {
    for (const { event, stream } of page) {
      const name = parseStream(stream);
      const found = name.kind === 'call' ? waitingCall(log, name.id, event) : null;
      if (found !== null) yield found;
    }
  }
}

function waitingCall(
  log: SyncLog,
  call: string,
  event: { readonly id: string; readonly at: string },
): DeferredCall | null {
  const standing = standingOf(log, call);
  const { deferred, run } = standing ?? {};
  if (standing === null || run == null || deferred == null || deferred.event !== event.id) return null;
  const { data, fired } = deferred;
  if (fired > 0 && data.timing !== 'recurring' && wasJudged(standing)) return null;
  if (requestOf(log, run.started.request)?.abandoned != null) return null;
  const tool = parseStream(run.started.tool.stream);
  return {
    call,
    tool: tool.kind === 'tool' ? tool.name : run.started.tool.stream,
    event: event.id,
    deferred_at: event.at,
    timing: data.timing,
    words: unlessSealed(() => wordsAt(log, data.until)),
    due: unlessSealed(() => dueOf(log, standing)),
    fired,
  };
}

function wordsAt(log: SyncLog, until: DataOf<'CallDeferred'>['until']): string | null {
  if (until === null || until.at.in !== 'text') return null;
  const { segment, start, end } = until.at;
  const query = {
    stream: streamOf.conversation(until.conversation),
    fromVersion: segment,
    toVersion: segment + 1,
  };
  for (const page of log.readSync(query))
    for (const { event } of page)
      return textOf((event.data as DataOf<'SegmentAdded'>).segment)?.slice(start, end) ?? null;
  return null;
}

/** What is sealed is not shown; the call waits all the same. */
function unlessSealed<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (isGroundsError(error) && error.code === 'events/sealed') return null;
    throw error;
  }
}
