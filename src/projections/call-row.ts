import type { Json } from '../events/json.ts';
import type { Reduction } from '../events/verdict.ts';
import type {
  CallOutcome,
  GapKind,
  GapOwner,
  Party,
  ReasonId,
  Route,
  VerdictKind,
} from '../events/vocabulary.ts';

/** One line of `calls --json`: what scripts rely on. Stable; published as a JSON Schema. */
export interface CallRow {
  readonly call_id: string;
  /** The newest run; null for a call that the gate does not stand before. */
  readonly run_id: string | null;
  readonly request_id: string | null;
  readonly action_key: string | null;
  readonly tool: string;
  /** As proposed or observed; null where they could not be read, or were erased. */
  readonly arguments: Json | null;
  readonly phase: 'at_instruction' | 'at_trigger' | null;
  readonly verdict: VerdictKind | null;
  readonly exhausted: boolean;
  /** null: no decision was made, which is not 0. */
  readonly unknown_count: number | null;
  readonly unknown: readonly {
    readonly slot_id: string;
    readonly kind: GapKind;
    readonly route: Route;
    readonly reason: ReasonId;
  }[];
  readonly unmet: readonly {
    readonly slot_id: string;
    readonly reason: ReasonId;
    readonly declared_by: Party;
  }[];
  readonly reductions: readonly Reduction[];
  readonly outcome: CallOutcome;
  /** It ran (or may have), and no executable verdict stood behind it. Reversible calls never count. */
  readonly ran_without_grounds: boolean;
  /** false: outside the gate, as declared reversible or as another gate's record. */
  readonly gated: boolean;
  readonly origin: { readonly file: string; readonly line: number; readonly message: number } | null;
  readonly verdict_digest: string | null;
}

/** Where in the log a call stands, for those who read on from its row. */
export interface CallPlace {
  readonly stream: string;
  /** Position of its first event. */
  readonly position: number;
  /** Versions of the newest run's events in the call's stream, half-open; null without a run. */
  readonly run: { readonly from: number; readonly to: number } | null;
  readonly conversation: string | null;
}

/** One blank that a verdict left, with where the work goes. RULES R21. */
export interface GapRow {
  readonly call_id: string;
  readonly tool: string;
  /** The pattern, so that gaps of one argument count together whatever its index. */
  readonly slot: string;
  readonly kind: GapKind;
  readonly owner: GapOwner;
  readonly reason: ReasonId;
  readonly route: Route | null;
  readonly declared_by: Party;
}
