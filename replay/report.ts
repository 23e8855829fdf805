/** What replaying one run can find. The first five are divergences. DESIGN 8. */
export const FINDINGS = [
  'MATCH',
  'VERDICT_DIFFERS',
  'LOOKUP_MISSING',
  'LOOKUP_UNUSED',
  'LOOKUP_DIFFERS',
  'INPUT_MISSING',
  'INPUT_TAMPERED',
  'GATE_NOT_SHIPPED',
] as const;
export type Finding = (typeof FINDINGS)[number];

/** One replayed run. Byte-stable: no clock, no machine, no order of work in it. */
export interface RunReplay {
  readonly run_id: string;
  readonly call_id: string;
  /** Position of its `RunStarted`. */
  readonly position: number;
  readonly finding: Finding;
  /** Where it differs: a JSON Pointer into the verdict, or of a lookup its subject and source. */
  readonly path: string | null;
  readonly recorded: unknown;
  readonly recomputed: unknown;
  /** How the result was reached: computed anew throughout, or partly from tags or recorded facts after an erasure. */
  readonly basis: 'recomputed' | 'tag' | 'recorded';
  /** Recorded and present environment where they differ: a note beside, never an excuse. */
  readonly environment: Readonly<Record<string, { readonly recorded: string; readonly present: string }>>;
  /** One line that shows it again. */
  readonly reproduce: string;
}

/** The last object of `replay --json`. */
export interface ReplaySummary {
  readonly replayed: number;
  readonly matched: number;
  readonly diverged: number;
  readonly missing_input: number;
  readonly tampered: number;
  readonly gate_not_shipped: number;
  /** The digest over the leaf hashes of the whole log, in order: names the very bytes that were replayed. */
  readonly log_digest: string;
}
