import { z } from 'zod';
import { AnswerReceived, AskCeilingReached, QuestionAsked, RequestAbandoned } from './asking.ts';
import { Uuid } from './identity.ts';

/** The adopting system's affirmative signal that something new is asked for (R2). Timing and act are looked for from here. */
export const RequestOpened = z.strictObject({
  conversation: Uuid,
  /** Its first segment. */
  from: z.number().int().nonnegative(),
});

/** A call is proposed for this request; in one commit with its first run. */
export const CallOpened = z.strictObject({ call: Uuid });

/**
 * `request/<r>`: opened once, with its conversation; its calls are found here. A checked conversation is assumed to be one request:
 * nobody opens that, and it holds its calls alone. What was asked before the tool was settled is counted here, so that ceilings come
 * from the log and not from the caller; who answered it stands here too, and what they said is a typed segment, in whose words timing
 * and act are looked for. An abandoned request takes nothing more.
 */
export const REQUEST_EVENTS = {
  RequestOpened,
  CallOpened,
  QuestionAsked,
  AnswerReceived,
  AskCeilingReached,
  RequestAbandoned,
};
