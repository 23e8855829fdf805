import type { Json } from '../events/json.ts';
import type { Conversation, Origin } from './conversation.ts';
import type { Received } from './received.ts';

/** One way of writing conversations down. */
export interface Format {
  readonly name: string;
  /** Whether this value is one conversation of this format, judged by a few telling marks. */
  claims(value: Json): boolean;
  /** Whether this value is one of many lines that together make one conversation. */
  claimsPiece(value: Json): boolean;
  /** Reads one conversation (or the array of its pieces). Throws `transcript/shape` and `transcript/not-exact`. */
  read(received: Received, origin: Origin): Conversation;
}
