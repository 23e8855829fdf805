import type { ExitCode } from '../src/errors.ts';

/** What replaying one run can find. The `LOOKUP_*` and `VERDICT_DIFFERS` are divergences. */
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

/**
 * What exactly, where the finding alone does not say it. Closed; a code, never a message.
 *
 * Of INPUT_TAMPERED, a row by itself: `leaf`, `not-json`, `canonical`, `columns`, `position`, `version` (see
 * log/check-row.ts), `shape` (not an event of ours), `digest` (a declaration whose digest is not its body's), `declares`
 * (a declaration that stands in another's stream). Of a run: `input` (rests on such a row), `incomplete` (no verdict: a run
 * is one commit, so events were taken out), `stray` (a lookup or verdict outside a run), `two_answers` (one request,
 * different outcomes), `two_walks` (one subject, two events), `rests_on`, `gated`, `supersedes`, `received`, `request`,
 * `setting`, `given` (says otherwise than what it is derived from), `late` (rests on an answer to no open question, or on
 * an approval of what was not shown), `observed` (an observation of the call names another tool, or stands otherwise to the
 * gate).
 * Of VERDICT_DIFFERS: `value`, `recorded_only`, `recomputed_only` (what stands at the path, and where), `gate_threw`.
 * Of LOOKUP_DIFFERS: `outcome`, `by`, `gate_threw`. Of INPUT_MISSING: `not_held`, `sealed`, `newer` (of a later version).
 */
export const CODES = [
  'leaf',
  'not-json',
  'canonical',
  'columns',
  'position',
  'version',
  'shape',
  'digest',
  'declares',
  'input',
  'incomplete',
  'stray',
  'two_answers',
  'two_walks',
  'rests_on',
  'gated',
  'supersedes',
  'received',
  'request',
  'setting',
  'given',
  'late',
  'observed',
  'value',
  'recorded_only',
  'recomputed_only',
  'gate_threw',
  'outcome',
  'by',
  'not_held',
  'sealed',
  'newer',
] as const;
export type ReplayCode = (typeof CODES)[number];

/** One replayed run. Byte-stable: no clock, no machine, no order of work in it. */
export interface RunReplay {
  /** null, as `call_id` then is: a row that stands in no run. */
  readonly run_id: string | null;
  readonly call_id: string | null;
  /** Position of its `RunStarted`; of the row itself where that is at fault. */
  readonly position: number;
  readonly finding: Finding;
  /** null of a MATCH, and where the finding says it all. */
  readonly code: ReplayCode | null;
  /** Position of the event at fault, where one is. */
  readonly at: number | null;
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

/**
 * What a replay by itself can't vouch for: only a checkpoint finds a change in these. In all other events replay finds the
 * changes that make a lookup or a verdict come out otherwise, and no others: 900 measured as 901 passes where 250 is asked.
 * Events that were taken out are counted nowhere: where none that is left rests on them, and the rest was renumbered, position
 * and version being no part of the hashed bytes, only `log_digest` differs.
 */
export interface Unanchored {
  /** Events that no recomputation rests on, and segments to which no replayed lookup points. */
  readonly events: number;
  /** The same by type, in the order of their names. */
  readonly kinds: Readonly<Record<string, number>>;
  /** Fields that no rule reads, in any event. */
  readonly fields: readonly string[];
}

/** Data that stands beside a run and that nothing recomputes, as `<event>/<pointer>`. */
export const UNANCHORED_FIELDS: readonly string[] = [
  '*/at',
  '*/id',
  'RunStarted/data/run',
  'RunStarted/data/request',
  'RunStarted/data/request_boundary',
  'RunStarted/data/follows',
  'RunStarted/data/action_key/key',
  'RunStarted/data/entries/*/event',
  'RunStarted/data/environment',
  'RunStarted/data/origin',
  'RunStarted/data/user',
  'RunStarted/data/settings/*/stream',
  'SegmentAdded/data/source',
  'ChecklistDeclared/data/place',
];

/** The last object of `replay --json`. */
export interface ReplaySummary {
  /** Runs whose gate was run again: `matched` and `diverged`. None is not success. */
  readonly replayed: number;
  readonly matched: number;
  readonly diverged: number;
  readonly missing_input: number;
  /** Findings of runs and of single rows. */
  readonly tampered: number;
  readonly gate_not_shipped: number;
  /** The digest over the leaf hashes of the whole log, in order: names the very bytes that were replayed. */
  readonly log_digest: string;
  readonly unanchored: Unanchored;
}

/** 4 tampered · 1 diverged · 3 not all, or nothing at all, could be replayed · 0 every run matches. */
export function exitOf(summary: ReplaySummary): 0 | 1 | ExitCode {
  if (summary.tampered > 0) return 4;
  if (summary.diverged > 0) return 1;
  if (summary.missing_input > 0 || summary.gate_not_shipped > 0 || summary.replayed === 0) return 3;
  return 0;
}
