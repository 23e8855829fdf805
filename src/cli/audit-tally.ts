import { byCodeUnit } from '../gate/expand.ts';
import type { GapRow } from '../projections/call-row.ts';
import {
  type ExecutionRate,
  executionRate,
  type QuestionRate,
  questionRate,
} from '../projections/summary.ts';
import type { CallFound } from './rows.ts';

/** The last object of `audit --json`, and what the last screen shows. Counts are of the calls in the transcripts given. */
export interface AuditSummary {
  readonly calls: number;
  readonly conversations: number;
  /** Runs that the log did not hold before. */
  readonly added: number;
  readonly executable: number;
  readonly ran_without_grounds: number;
  /** Declared reversible: outside the gate, and never without grounds. */
  readonly not_gated: number;
  readonly by_tool: Readonly<Record<string, ToolCounts>>;
  /** By the verdict's kind; `not_gated` for calls that have none. */
  readonly by_verdict: Readonly<Record<string, number>>;
  /** The commonest first; equal ones by tool and slot. */
  readonly gaps: readonly GapCount[];
  /** In how many verdicts each reduction was in force. */
  readonly reductions: Readonly<Record<string, number>>;
  /** What a live gate would have asked: blanks that the user can fill, and how many a call that came out executable. */
  readonly questions: {
    readonly asked_if_live: number;
    readonly per_executed_call: number | null;
    /** What was really asked: none, of what only a transcript tells of. */
    readonly live: QuestionRate;
  };
  /** Of calls that a live verdict stopped. What only a transcript tells of was stopped by nobody, and is not counted. */
  readonly execution: ExecutionRate;
  /** Calls that hang on one blank alone: declaring a source for it, or saying it, settles that many. */
  readonly hangs_on: readonly {
    readonly tool: string;
    readonly slot: string;
    readonly reason: GapRow['reason'];
    readonly calls: number;
  }[];
  readonly checklists: readonly string[];
  readonly log: string;
  /** Lines that were skipped (`--keep-going`). */
  readonly faults: readonly { readonly code: string; readonly message: string }[];
  /** What the format of the transcripts could not tell, each once. */
  readonly notes: readonly string[];
}

export interface ToolCounts {
  readonly calls: number;
  readonly executable: number;
  readonly ran_without_grounds: number;
}

export interface GapCount {
  readonly tool: string;
  readonly slot: string;
  readonly kind: GapRow['kind'];
  readonly owner: GapRow['owner'];
  readonly reason: GapRow['reason'];
  readonly count: number;
}

export interface Tally {
  add(found: CallFound): void;
  counts(): Pick<
    AuditSummary,
    | 'calls'
    | 'executable'
    | 'ran_without_grounds'
    | 'not_gated'
    | 'by_tool'
    | 'by_verdict'
    | 'gaps'
    | 'reductions'
    | 'questions'
    | 'execution'
    | 'hangs_on'
  >;
}

export function tally(): Tally {
  const tools = new Map<string, { calls: number; executable: number; ran_without_grounds: number }>();
  const verdicts = new Map<string, number>();
  const reductions = new Map<string, number>();
  const gapCounts = new Map<string, GapCount>();
  let calls = 0;
  let executable = 0;
  let without = 0;
  let outside = 0;
  let questions = 0;
  let stops = 0;
  let resumptions = 0;
  let asks = 0;
  let starts = 0;
  const alone = new Map<string, AuditSummary['hangs_on'][number]>();
  const count = (counts: Map<string, number>, name: string): void => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  return {
    add({ row, gaps, stopped, resumed, asked, started }) {
      asks += asked;
      if (started) starts++;
      if (stopped) stops++;
      if (resumed) resumptions++;
      const good = row.verdict === 'executable';
      const tool = tools.get(row.tool) ?? { calls: 0, executable: 0, ran_without_grounds: 0 };
      tools.set(row.tool, tool);
      calls++;
      tool.calls++;
      if (good) {
        executable++;
        tool.executable++;
      }
      if (row.ran_without_grounds) {
        without++;
        tool.ran_without_grounds++;
      }
      if (!row.gated) outside++;
      // What is unmet asks nothing: no answer would make it executable.
      if (row.verdict !== 'unmet') questions += gaps.filter(({ route }) => route === 'ask_user').length;
      const [root] = gaps;
      if (root !== undefined && gaps.length === 1 && row.unmet.length === 0) {
        const { tool: name, slot, reason } = root;
        const key = JSON.stringify([name, slot, reason]);
        alone.set(key, { tool: name, slot, reason, calls: (alone.get(key)?.calls ?? 0) + 1 });
      }
      count(verdicts, row.verdict ?? 'not_gated');
      for (const kind of new Set(row.reductions.map((reduction) => reduction.kind))) count(reductions, kind);
      for (const { tool: name, slot, kind, owner, reason } of gaps) {
        const key = JSON.stringify([name, slot, kind, owner, reason]);
        const known = gapCounts.get(key);
        gapCounts.set(key, { tool: name, slot, kind, owner, reason, count: (known?.count ?? 0) + 1 });
      }
    },
    counts: () => ({
      calls,
      executable,
      ran_without_grounds: without,
      not_gated: outside,
      by_tool: sorted(tools),
      by_verdict: sorted(verdicts),
      gaps: [...gapCounts.values()].sort(
        (a, b) =>
          b.count - a.count ||
          byCodeUnit(a.tool, b.tool) ||
          byCodeUnit(a.slot, b.slot) ||
          byCodeUnit(a.reason, b.reason),
      ),
      reductions: sorted(reductions),
      questions: {
        asked_if_live: questions,
        per_executed_call: executable === 0 ? null : questions / executable,
        live: questionRate(asks, starts),
      },
      execution: executionRate(stops, resumptions),
      hangs_on: [...alone.values()].sort(
        (a, b) =>
          b.calls - a.calls ||
          byCodeUnit(a.tool, b.tool) ||
          byCodeUnit(a.slot, b.slot) ||
          byCodeUnit(a.reason, b.reason),
      ),
    }),
  };
}

function sorted<T>(counts: ReadonlyMap<string, T>): Readonly<Record<string, T>> {
  return Object.fromEntries([...counts].sort(([a], [b]) => byCodeUnit(a, b)));
}

/** By UTF-16 code units: the same on every machine. */
