import { makeEvent, streamOf } from '../events/index.ts';
import type { Segment } from '../events/segment.ts';
import { requestOf } from '../runs/standing.ts';
import type { Around } from './around.ts';

/**
 * Adds what was said to a conversation. Trust and order are fixed now; what is once added stays as it is.
 *
 * @returns the index of the first of them
 */
export async function say(
  { log, clock, newId }: Around,
  conversation: string,
  segments: readonly Segment[],
): Promise<number> {
  const at = clock();
  const stream = streamOf.conversation(conversation);
  const { next } = await log.append({
    writes: [
      {
        stream,
        expected: 'any',
        events: segments.map((segment) =>
          makeEvent('SegmentAdded', { segment, source: null }, { id: newId(), at }),
        ),
      },
    ],
  });
  let first = 0;
  for await (const page of log.read({ stream, from: next - segments.length, to: next, limit: 1 }))
    for (const { version } of page) first = version;
  return first;
}

/** What the user typed, as a piece of the conversation. */
export function typedBy(text: string, at: string): Segment {
  return { at, author: 'user', typed: true, origin: null, body: { plain: text }, observes: null };
}

/**
 * Opens a request: the adopting system's affirmative signal that the user asks for something new (R2). Timing and act are looked
 * for from its first segment on, and what was asked and approved before counts no more.
 *
 * @param from its first segment; left out: what comes next
 */
export async function openRequest(
  { log, clock, newId }: Around,
  of: { readonly conversation: string; readonly request?: string; readonly from?: number },
): Promise<string> {
  const request = of.request ?? newId();
  const from = of.from ?? (await log.version(streamOf.conversation(of.conversation)));
  const event = makeEvent(
    'RequestOpened',
    { conversation: of.conversation, from },
    { id: newId(), at: clock() },
  );
  await log.append({ writes: [{ stream: streamOf.request(request), expected: 'none', events: [event] }] });
  return request;
}

/** Takes a request back: nothing more is asked, judged or executed for it. Abandoning it again changes nothing. */
export async function abandon(
  { log, clock, newId }: Around,
  request: string,
  because: 'said_so' | 'new_request' | 'timed_out' | 'ceiling',
): Promise<void> {
  const standing = requestOf(log, request);
  if (standing === null || standing.abandoned !== null) return;
  const event = makeEvent('RequestAbandoned', { by: null, because }, { id: newId(), at: clock() });
  await log.append({
    writes: [{ stream: streamOf.request(request), expected: standing.version, events: [event] }],
  });
}
