import type { Checklist } from '../declarations/checklist.ts';
import type { ToolDeclaration } from '../declarations/tool.ts';
import type { Content } from '../events/content.ts';
import type { Entry } from '../events/entry.ts';
import type { Json } from '../events/json.ts';
import type { Lookup, LookupRequest } from '../events/lookup.ts';
import type { Place } from '../events/place.ts';
import type { Pointer } from '../events/pointer.ts';
import type { Segment } from '../events/segment.ts';
import type { Verdict } from '../events/verdict.ts';

export type Digest = string;

export type { Entry };

export interface Proposal {
  /** As received, where that is not the canonical form of `prepared`. */
  readonly received: Content<string> | null;
  /** What is judged, stored and sent; null where the received text could not be read exactly. */
  readonly prepared: Content<Json> | null;
}

/**
 * Everything a verdict depends on. The gate has no clock, chance or I/O: what it needs is here.
 * A checklist that could not be read stands in `unsound` with its digest, so that the verdict can say so.
 */
export interface RunInput {
  readonly gate: Digest;
  readonly ruleset: 'standard' | 'inherit';
  readonly phase: 'at_instruction' | 'at_trigger';
  /** ISO 8601 with zone, or null where nothing says what time it was. */
  readonly now: string | null;
  /** How many times intent (timing and act) and tool have been asked in this request. */
  readonly attempts: { readonly intent: number; readonly tool: number };
  readonly proposal: Proposal | null;
  readonly tool: ToolDeclaration;
  readonly tool_digest: Digest;
  readonly checklists: readonly { readonly digest: Digest; readonly body: Checklist }[];
  readonly unsound: readonly {
    readonly digest: Digest;
    readonly declared_by: 'provider' | 'user' | 'system';
  }[];
  readonly action_key: 'ok' | 'failed';
  /** The conversation up to this call, in order. */
  readonly segments: readonly Segment[];
  /** The first segment of this request: timing and act are looked for from there. */
  readonly request_from: number;
  readonly entries: readonly Entry[];
}

export type Step =
  | { readonly need: readonly [LookupRequest, ...LookupRequest[]] }
  | { readonly verdict: Verdict; readonly asked: readonly LookupRequest[] };

export type StepFunction = (run: RunInput, lookups: readonly Lookup[]) => Step;

/** Answers one request from the run itself. Pure: audit and live ask it once, replay asks it again. */
export type Locate = (run: RunInput, request: LookupRequest) => Lookup;

export type { Lookup, LookupRequest, Place, Pointer, Segment, Verdict };
