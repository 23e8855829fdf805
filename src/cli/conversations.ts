import { type GroundsError, isGroundsError } from '../errors.ts';
import { type Conversation, readTranscripts } from '../transcripts/index.ts';

/** How files of transcripts are read. */
export interface ReadingOptions {
  readonly format?: string;
  readonly keepGoing?: boolean;
}

/**
 * The conversations of one file. With `keepGoing` what can't be read, be it the whole file, is added to `faults`; a format
 * that does not exist is the command's fault, and ends it.
 *
 * @throws GroundsError `transcript/…`
 */
export function* conversationsIn(
  file: string,
  { format, keepGoing }: ReadingOptions,
  faults: GroundsError[],
): Generator<Conversation> {
  const reading = {
    ...(format === undefined ? {} : { format }),
    ...(keepGoing === true ? { onFault: (fault: GroundsError) => void faults.push(fault) } : {}),
  };
  try {
    yield* readTranscripts(file, reading);
  } catch (error) {
    if (keepGoing !== true || !isGroundsError(error) || error.code === 'transcript/no-such-format')
      throw error;
    faults.push(error);
  }
}
