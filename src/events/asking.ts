import { z } from 'zod';
import { JsonContent, TextContent } from './content-schema.ts';
import { Uuid } from './identity.ts';
import { Place } from './place.ts';
import { Responder } from './responder.ts';
import { Digest } from './verdict.ts';
import { SOURCES } from './vocabulary.ts';

/** A value as it was shown, with the slot it stands for. */
const Shown = z.strictObject({ slot: z.string(), value: JsonContent });

/** The question's id is the event's id. Every one counts towards its ceiling (R13). */
export const QuestionAsked = z.strictObject({
  /** The run whose verdict asks. */
  run: Uuid.nullable(),
  /** `intent`: timing and act together; `tool`: which tool; `slots`: values; `approval`: what is shown. */
  about: z.enum(['intent', 'tool', 'slots', 'approval']),
  /** What it asks for, each with the prior value it offers as a candidate; empty for intent and tool. */
  slots: z.array(z.strictObject({ slot: z.string(), candidate: Place.nullable() })),
  /** The words the user saw. */
  text: TextContent,
  /** The values the user saw. */
  shown: z.array(Shown),
  /** The tool that what is shown belongs to; null for intent and tool, which name no candidate (R14). */
  tool: Digest.nullable(),
  /** The provider's notices that it shows, word for word. */
  notices: z.array(z.string()),
});

/** No more is asked about this in this request (R13). */
export const AskCeilingReached = z.strictObject({
  run: Uuid.nullable(),
  about: z.enum(['intent', 'tool', 'slots']),
  /** Of a value's own ceiling. */
  slot: z.string().nullable(),
  asked: z.number().int().positive(),
});

export const RequestAbandoned = z.strictObject({
  by: Responder.nullable(),
  because: z.enum(['said_so', 'new_request', 'timed_out', 'ceiling']),
});

/** Only to an open question, and never by a model's reading of it (R9). */
export const AnswerReceived = z.strictObject({
  question: Uuid,
  by: Responder,
  answers: z.array(
    z.strictObject({
      slot: z.string(),
      value: JsonContent,
      /** The user said that there is none. */
      none: z.boolean(),
      /** It confirms the candidate that the question showed, which came from there. */
      candidate: z.strictObject({ origin: z.enum(SOURCES) }).nullable(),
    }),
  ),
  /** The user said no to what the question showed. */
  declined: z.boolean(),
});

/** An approval binds the request, this very tool, one slot group and the values shown (R9). */
export const ApprovalGranted = z.strictObject({
  question: Uuid.nullable(),
  request: Uuid,
  tool: Digest,
  /** The group it is for, a pattern; null: all that was shown. */
  group: z.string().nullable(),
  shown: z.array(Shown).min(1),
  /** All else that stood beside the values. */
  text: TextContent.nullable(),
  by: Responder,
});

export const ApprovalRevoked = z.strictObject({
  approval: Uuid,
  by: Responder,
  because: z.enum(['said_no', 'revoked']),
});
