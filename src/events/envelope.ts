/** `call/<uuid>`, `conversation/<uuid>`, `tool/<server>/<name>`, … Opaque: no user id, account or key design. */
export type StreamId = string;

/**
 * One event as it is stored: the canonical bytes of this object are written and hashed. What derives from the stream id
 * (call, conversation, request) is not repeated; what a run's events share stands in its `RunStarted`.
 */
export interface Envelope<Type extends string = string, Data = unknown> {
  readonly type: Type;
  /** Shape version of `data`; a shape changes by a new number and an upcaster, never in place. */
  readonly schema: number;
  readonly id: string;
  /** When it was recorded, ISO 8601 UTC with milliseconds. */
  readonly at: string;
  readonly stream: StreamId;
  readonly data: Data;
}
