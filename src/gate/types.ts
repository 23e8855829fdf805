import type { Checklist } from '../declarations/checklist.ts';
import type { ToolDeclaration } from '../declarations/tool.ts';
import type { Content } from '../events/content.ts';
import type { Json } from '../events/json.ts';
import type { Lookup, LookupRequest } from '../events/lookup.ts';
import type { Place } from '../events/place.ts';
import type { Pointer } from '../events/pointer.ts';
import type { Segment } from '../events/segment.ts';
import type { Verdict } from '../events/verdict.ts';
import type { Source } from '../events/vocabulary.ts';

export type Digest = string;

/** What the log holds beside the conversation. A place `{in:'entry'}` points into one of these by its index in the run. */
export type Entry =
  /** An answer to one question's slot. `none`: the user said there is none. `candidate`: it confirms a shown place. */
  | {
      readonly kind: 'answer';
      readonly slot: string;
      readonly value: Content<Json>;
      readonly none: boolean;
      readonly candidate: { readonly origin: Source } | null;
    }
  /** Values shown and approved together, for this very tool. */
  | {
      readonly kind: 'approval';
      readonly tool: Digest;
      readonly shown: readonly { readonly slot: string; readonly value: Content<Json> }[];
      readonly declined: boolean;
    }
  /** Settled earlier, with consent. `none`: settled that there is none. */
  | {
      readonly kind: 'setting';
      readonly name: string;
      readonly value: Content<Json>;
      readonly none: boolean;
      readonly attested_by: 'log' | 'caller';
    }
  /** The last executed record of this run's action key. */
  | {
      readonly kind: 'baseline';
      readonly slots: readonly {
        readonly slot: string;
        readonly value: Content<Json>;
        readonly origin: Source | null;
      }[];
    }
  /** What this user calls a tool, settled earlier with consent. A reference only. */
  | { readonly kind: 'tool_name'; readonly word: string; readonly tool: string }
  /** A provider's notice that a question of this request has shown. */
  | { readonly kind: 'notice'; readonly text: string }
  /** A scheduled run's trigger: it carries the timing that was settled at the instruction. */
  | { readonly kind: 'trigger'; readonly timing: 'scheduled' | 'conditional' | 'recurring' }
  /** A call of this conversation that was started and whose result is not there yet: it may have done anything. */
  | { readonly kind: 'started'; readonly tool: string; readonly arguments: Content<Json> }
  /** What a hook said of the match between the act and the tool. Only `true` passes. */
  | { readonly kind: 'match'; readonly approved: boolean };

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
