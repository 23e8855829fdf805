import type { ToolDeclaration } from '../declarations/tool.ts';
import type { IngressFault } from '../events/ingress.ts';
import type { Json } from '../events/json.ts';
import type { Segment } from '../events/segment.ts';

/** Where in the input a conversation starts; `line` counts from 1. */
export interface Origin {
  readonly file: string;
  readonly line: number;
}

/** One conversation as a transcript tells it: what was said, what was called, and what the format can't tell. */
export interface Conversation {
  /** The name of the format that it was read by. */
  readonly format: string;
  readonly origin: Origin;
  /** In the order in which they were said. */
  readonly segments: readonly ConversationSegment[];
  /** In the order in which they were proposed. */
  readonly calls: readonly ConversationCall[];
  /**
   * Answers that the format holds as such, in the order in which they came: form fields and approvals. They are not
   * text that a person typed, so that no segment holds them. (RULES R9)
   */
  readonly answers: readonly ConversationAnswer[];
  /** What the format can't tell, or what was left out: sentences for a person, each once. */
  readonly notes: readonly string[];
  /** The tools that the transcript itself declares. Transcripts don't name servers: `server` is `default`. */
  readonly tools: readonly ToolDeclaration[];
  /**
   * What identifies the conversation when it is imported again: its messages as received, and the run ids its wrapper
   * gives (so that two equal runs of one task stay two). A message that can't be kept exactly stands in it as its text.
   */
  readonly identity: Json;
}

export interface ConversationSegment {
  readonly segment: Segment;
  /** Index of the message, from 0. */
  readonly message: number;
  /** Index of the content part, from 0; null where the content is not in parts. */
  readonly part: number | null;
}

export interface ConversationCall {
  readonly message: number;
  /** Index among the calls of its message, from 0. */
  readonly index: number;
  /** The id in the transcript, which may repeat. */
  readonly id: string | null;
  readonly tool: string;
  /** The server that the call itself names; null where it names none. */
  readonly server: string | null;
  readonly arguments: CallArguments;
  /**
   * How many segments precede the call: what its gate may see. All calls of one message are proposed together, after
   * that message's own text, so that none sees another's result.
   */
  readonly before: number;
  /** Index of the segment that is its result (the first, where a result has several parts); null where none came. */
  readonly result: number | null;
  /** What the transcript does not tell of this call, in the order of `CANNOT_TELL`: reported, never guessed. */
  readonly cannot_tell: readonly CannotTell[];
}

/** Everything that a transcript may fail to tell of a call. */
export const CANNOT_TELL = [
  /** The call's arguments were not recorded. */
  'no_arguments_recorded',
  /** Only the result was recorded, not what the agent proposed. */
  'no_proposal',
  /** No result came, or it was not recorded. */
  'no_result',
  /** Nothing says whether it failed. */
  'no_failure_flag',
  /** A user's text precedes the call, and nothing says whether a person typed it. */
  'no_typed_flag',
  /** No text of a user precedes the call. */
  'no_user_text',
] as const;
export type CannotTell = (typeof CANNOT_TELL)[number];

/**
 * One field of a form that a person filled in (an MCP elicitation), or their yes or no to a call as it was shown (an MCP
 * approval of the Responses API). What it means for a slot is for the audit to say.
 */
export interface ConversationAnswer {
  readonly message: number;
  readonly kind: 'answer' | 'approval';
  readonly action: 'accept' | 'decline' | 'cancel';
  /** The words that it answers; null where the format keeps none. */
  readonly asked: string | null;
  /** The field of the form; null for an approval, for a form that was not accepted, and where there were no fields. */
  readonly field: string | null;
  /** The field's value as given; null wherever `field` is. */
  readonly value: Json | null;
  /** What the person added in words; null where they added nothing. */
  readonly reason: string | null;
  /** Index of the call that it was asked for; null where the format can't tell. */
  readonly call: number | null;
  /** How many segments precede it. */
  readonly before: number;
}

export interface CallArguments {
  /** As received, only where that is not the canonical form of `value`. */
  readonly text: string | null;
  /** null where the arguments can't be read exactly, or are not an object; `fault` then says why. */
  readonly value: Json | null;
  /** Its positions are relative to `text`. */
  readonly fault: ArgumentsFault | null;
}

/** Why arguments are no object that can be read exactly: the text's fault, or what stands there instead of an object. */
export type ArgumentsFault = Omit<IngressFault, 'code'> & {
  readonly code: IngressFault['code'] | 'missing' | 'not_an_object';
};
