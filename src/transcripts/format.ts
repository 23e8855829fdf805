import type { Json } from '../events/json.ts';
import type { Pointer } from '../events/pointer.ts';
import type { Conversation, Origin } from './conversation.ts';
import type { Received } from './received.ts';

/** One way of writing conversations down. */
export interface Format {
  readonly name: string;
  /** Whether this value is one conversation of this format, judged by a few telling marks. */
  claims(value: Json): boolean;
  /** Whether this value is one of many lines that together make one conversation. */
  claimsPiece(value: Json): boolean;
  /** The conversations that one value holds, where it may hold several; without it the value is one. */
  split?(received: Received, origin: Origin): readonly Piece[];
  /**
   * Reads one conversation (or the array of its pieces). `run` is what its wrapper said of it, or null. Throws
   * `transcript/shape`, `transcript/not-exact` and `transcript/lone-surrogate`.
   */
  read(received: Received, origin: Origin, run: Json): Conversation;
}

/** One conversation of a value that holds several. */
export interface Piece {
  readonly received: Received;
  /** Where it stands in the value; null where it was put together from several places. */
  readonly pointer: Pointer | null;
  /** What the value says of it: part of its identity. */
  readonly run: Json;
}
