import type { ToolDeclaration } from '../declarations/tool.ts';
import { encode } from '../events/canonical.ts';
import { parseExact } from '../events/ingress.ts';
import { isObject, type Json } from '../events/json.ts';
import type { Segment } from '../events/segment.ts';
import type { Proposal } from '../gate/index.ts';

/** One call, as the agent proposes it. */
export interface Proposed {
  readonly conversation: string;
  readonly request: string;
  /** A new id for a new call; that of an earlier one to judge it again: after answers, or with another proposal. */
  readonly call: string;
  readonly tool: ToolDeclaration;
  /** A text is what the model wrote, read exactly. null: nothing is proposed, and each value comes from where it was said. */
  readonly arguments: Json | string | null;
  /** What is new of the conversation; it is recorded together with the run. */
  readonly segments?: readonly Segment[];
  /** The caller's own id of the user; the log holds an opaque one. Left out: whose call it was before. */
  readonly user?: string;
  /** Settings that the caller brings; recorded as attested by the caller. */
  readonly settings?: Readonly<Record<string, Json>>;
  /** Opens the request in the run's own commit, with the segments given here, if it is not open yet. */
  readonly opens?: boolean;
  readonly phase?: 'at_instruction' | 'at_trigger';
  /** What time it is in the world: ISO 8601 with a zone. Left out: the clock's. */
  readonly now?: string | null;
}

/** What is judged, stored and sent: prepared once. Arguments that could not be read exactly are kept as they were received. */
export function proposalOf(given: Proposed['arguments']): Proposal | null {
  if (given === null) return null;
  if (typeof given !== 'string') return { prepared: { plain: given }, received: null };
  const read = parseExact(given);
  if ('fault' in read || !isObject(read.value)) return { prepared: null, received: { plain: given } };
  const canonical = encode(read.value) === given;
  return { prepared: { plain: read.value }, received: canonical ? null : { plain: given } };
}
