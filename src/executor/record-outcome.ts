import { GroundsError, isGroundsError } from '../errors.ts';
import type { Uuid } from '../events/identity.ts';
import type { Segment } from '../events/segment.ts';
import type { CameOut } from './call-tool.ts';
import { type Closed, closeStart, type Ending, type Recorder } from './close-start.ts';
import type { ReadFacts } from './read-facts.ts';
import { resultSegment } from './result-segment.ts';

/**
 * Records how a call came out: its end and its result in one commit. A result that the log does not take is left out, and
 * the outcome is not.
 *
 * @throws GroundsError `executor/outcome-not-recorded`, with the outcome in its facts
 */
export async function recordOutcome(
  recorder: Recorder,
  read: ReadFacts,
  start: Uuid,
  cameOut: CameOut,
  sends: NonNullable<ReadFacts['sends']>,
): Promise<Closed> {
  const at = {
    call: read.call,
    start,
    conversation: read.started.conversation,
    // Decision and start are two events; nobody else's can stand between.
    versions: { call: read.version + 2, conversation: read.conversation },
  };
  const segment = (result: unknown, failed: boolean): Segment =>
    resultSegment(result, {
      author: 'tool',
      tool: sends.tool.name,
      arguments: sends.arguments,
      failed,
      at: recorder.clock(),
    });
  try {
    try {
      return await closeStart(recorder, at, endingOf(cameOut, segment));
    } catch (error) {
      if (!('result' in cameOut)) throw error;
      // Perhaps it is the result that can't be kept, by its size for example: then the outcome is, without it.
      const { result: _, ...rest } = cameOut;
      return await closeStart(
        recorder,
        { ...at, versions: null },
        endingOf({ ...rest, result: undefined } as CameOut, segment),
      );
    }
  } catch (error) {
    throw notRecorded(read, start, cameOut, error);
  }
}

function endingOf(cameOut: CameOut, segment: (result: unknown, failed: boolean) => Segment): Ending {
  switch (cameOut.outcome) {
    case 'succeeded':
      return { type: 'CallSucceeded', segment: segment(cameOut.result, false) };
    case 'failed':
      return { type: 'CallFailed', code: cameOut.code, segment: segment(cameOut.result, true) };
    case 'not_reached':
      return { type: 'CallFailed', code: cameOut.code, segment: null };
    case 'unknown':
      return { type: 'CallOutcomeUnknown', code: cameOut.code, segment: null };
  }
}

function notRecorded(read: ReadFacts, start: Uuid, cameOut: CameOut, cause: unknown): GroundsError {
  return new GroundsError(
    'executor/outcome-not-recorded',
    'The call was made, but what became of it could not be recorded: the start stands without an end.',
    {
      facts: {
        call: read.call,
        run: read.run,
        start,
        ...cameOut,
        cause: isGroundsError(cause) ? cause.code : String(cause),
      },
      hint: 'Mend the log, then settle the start with grounds reconcile. Do not make the call again.',
      cause,
    },
  );
}
