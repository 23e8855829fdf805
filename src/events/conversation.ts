import { z } from 'zod';
import { Segment } from './segment.ts';

/**
 * `conversation/<c>`: each segment is stored once, and its author, trust and order are fixed when it arrives. The n-th
 * event of the stream is segment n.
 */
export const CONVERSATION_EVENTS = {
  SegmentAdded: z.strictObject({
    segment: Segment,
    /** Of an imported conversation: the message, and the part of it where it has several; both from 0. */
    source: z
      .strictObject({
        message: z.number().int().nonnegative(),
        part: z.number().int().nonnegative().nullable(),
      })
      .nullable(),
  }),
};
