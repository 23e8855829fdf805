import { GroundsError } from '../errors.ts';
import { encode } from '../events/canonical.ts';
import type { DataOf } from '../events/index.ts';
import type { Segment } from '../events/segment.ts';
import type { SyncLog } from '../log/index.ts';
import type { ReadRequest } from './read-request.ts';

type Placed = ReadRequest['segments'][number];

/** A request's conversation beside what the log holds of it. */
export interface Aligned {
  /** How many segments the log holds. */
  readonly held: number;
  /** What the run sees: what the log holds, as far as the request goes, and then what is new. */
  readonly segments: readonly Segment[];
  /** What the log does not hold yet, in the request's order. */
  readonly fresh: readonly Placed[];
}

/**
 * A conversation only grows: trust and order are fixed when a segment arrives, and a request may be judged on less than is known by
 * now, but may not tell it otherwise. What an executor recorded stands in the log already when the transcript brings it, perhaps
 * before words that the agent said ahead of it: it is known again by its tool, arguments and body, and is not taken twice.
 *
 * @throws GroundsError `check/conversation-differs`
 */
export function alignConversation(log: SyncLog, stream: string, request: ReadRequest): Aligned {
  const given = request.segments;
  const known = new Set<Placed>();
  const stored: Segment[] = [];
  let next = 0;
  let seen = 0;
  const skip = (): void => {
    while (known.has(given[next] as Placed)) next++;
  };
  for (const page of log.readSync({ stream })) {
    for (const { event } of page) {
      const { segment, source } = event.data as DataOf<'SegmentAdded'>;
      stored.push(segment);
      skip();
      const brought = given[next];
      if (brought === undefined) continue;
      if (encode(brought.segment) === encode(segment)) next++;
      else if (source !== null) throw differs(request, next);
      else {
        const same = given.find(
          (each, index) => index >= next && !known.has(each) && isSameResult(each.segment, segment),
        );
        if (same !== undefined) known.add(same);
      }
      seen = stored.length;
    }
  }
  skip();
  const fresh = given.slice(next).filter((each) => !known.has(each));
  const upTo = fresh.length === 0 ? seen : stored.length;
  return {
    held: stored.length,
    segments: [...stored.slice(0, upTo), ...fresh.map(({ segment }) => segment)],
    fresh,
  };
}

function isSameResult(brought: Segment, stored: Segment): boolean {
  if (brought.observes === null || stored.observes === null || brought.author !== stored.author) return false;
  const of = ({ body, observes }: Segment): string =>
    encode([observes?.tool ?? null, observes?.arguments ?? null, body]);
  return of(brought) === of(stored);
}

function differs(request: ReadRequest, segment: number): GroundsError {
  const message = request.segments[segment]?.message ?? null;
  return new GroundsError(
    'check/conversation-differs',
    `Message ${message} of the conversation ${request.conversation_id} is not the one that the log holds.`,
    {
      facts: { conversation_id: request.conversation_id, message, segment },
      hint: 'Bring the conversation as it was, with what is new at its end; for another conversation give another conversation_id.',
    },
  );
}
