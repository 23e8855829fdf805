import { GroundsError } from '../errors.ts';
import { encode } from '../events/canonical.ts';
import { type DataOf, makeEvent, streamOf } from '../events/index.ts';
import type { Segment } from '../events/segment.ts';
import { resultSegment } from '../executor/result-segment.ts';
import type { Around } from '../preflight/around.ts';
import { again } from '../runs/again.ts';
import type { HostSegment } from './context.ts';

/** Others write to the same conversation; each conflict means that somebody got on. */
const TRIES = 100;

/**
 * Adds what a host brings of its conversation. Its own pieces are numbered in the log (`source.message`), so that bringing them
 * again adds nothing, whatever results and answers were recorded between them.
 *
 * @param from how many it brought before the first of these; undefined: all are new
 * @throws GroundsError `mcp/conversation-differs`, `mcp/conversation-gap`; those of the log
 */
export async function hear(
  { log, clock, newId }: Around,
  conversation: string,
  brought: readonly HostSegment[],
  from: number | undefined,
): Promise<void> {
  if (brought.length === 0) return;
  const stream = streamOf.conversation(conversation);
  const segments = brought.map((each) => segmentOf(each, clock()));
  return again(async () => {
    let version = 0;
    const held: Segment[] = [];
    for (const page of log.readSync({ stream })) {
      for (const row of page) {
        version = row.version + 1;
        const { segment, source } = row.event.data as DataOf<'SegmentAdded'>;
        if (source !== null) held.push(segment);
      }
    }
    const first = from ?? held.length;
    if (first > held.length) throw gap(first, held.length);
    const known = held.slice(first, first + segments.length);
    known.forEach((segment, index) => {
      if (encode(timeless(segment)) !== encode(timeless(segments[index] as Segment)))
        throw differs(first + index);
    });
    const fresh = segments.slice(known.length);
    if (fresh.length === 0) return;
    const at = clock();
    const events = fresh.map((segment, index) =>
      makeEvent(
        'SegmentAdded',
        { segment, source: { message: held.length + index, part: null } },
        { id: newId(), at },
      ),
    );
    await log.append({ writes: [{ stream, expected: version === 0 ? 'none' : version, events }] });
  }, TRIES);
}

function segmentOf({ author, typed, body, at, origin, observes }: HostSegment, now: string): Segment {
  if (observes !== null) {
    const { tool, arguments: args, failed } = observes;
    // A result that the host had from elsewhere is read as one that went through here.
    return {
      ...resultSegment(body, { author: 'tool', tool, arguments: args, failed, at: at ?? now }),
      author,
      at,
      origin,
    };
  }
  return { at, author, typed, origin, body: { plain: body }, observes: null };
}

/** When a piece was said is the host's to say; one without a time is the same piece when it is brought again. */
function timeless({ at: _, ...rest }: Segment): Omit<Segment, 'at'> {
  return rest;
}

function differs(index: number): GroundsError {
  return new GroundsError(
    'mcp/conversation-differs',
    `Segment ${index} of the conversation is not the one that was brought before.`,
    {
      facts: { segment: index },
      hint: 'What was said stays as it was said: bring what is new, or name another conversation.',
    },
  );
}

function gap(from: number, held: number): GroundsError {
  return new GroundsError(
    'mcp/conversation-gap',
    `The log holds ${held} segments of this host's conversation, and the first one brought is number ${from}.`,
    {
      facts: { segments_from: from, held },
      hint: 'Bring the ones between, too: segments_from counts from 0.',
    },
  );
}
