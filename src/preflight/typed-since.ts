import { type DataOf, streamOf } from '../events/index.ts';
import { isTyped } from '../gate/conversation.ts';
import type { SyncLog } from '../log/index.ts';

/** Whether the user typed something into a conversation after this position of the log. */
export function typedSince(log: SyncLog, conversation: string, position: number): boolean {
  const query = { stream: streamOf.conversation(conversation), from: position + 1 };
  for (const page of log.readSync(query))
    for (const { event } of page) if (isTyped((event.data as DataOf<'SegmentAdded'>).segment)) return true;
  return false;
}
