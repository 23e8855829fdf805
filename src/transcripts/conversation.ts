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
  readonly arguments: CallArguments;
  /**
   * How many segments precede the call: what its gate may see. All calls of one message are proposed together, after
   * that message's own text, so that none sees another's result.
   */
  readonly before: number;
  /** Index of the segment that is its result (the first, where a result has several parts); null where none came. */
  readonly result: number | null;
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
