import { sql } from 'kysely';
import { type GapKind, type GapOwner, VERDICT_KINDS, type VerdictKind } from '../events/vocabulary.ts';
import type { Side } from './tables.ts';

/** Stopping is not the aim: how many of the calls that a live verdict stopped came to be executed on good grounds. */
export interface ExecutionRate {
  readonly stopped: number;
  /** Of these: started later from an executable verdict. */
  readonly executed: number;
  /** null where none was stopped. */
  readonly rate: number | null;
}

export function executionRate(stopped: number, executed: number): ExecutionRate {
  return { stopped, executed, rate: stopped === 0 ? null : executed / stopped };
}

/** Asking too much is a fault as well: what was really asked, and how much that is for each call that was made of it. */
export interface QuestionRate {
  /** Questions in the log, of what was meant and of values. */
  readonly asked: number;
  /** Calls that an executor started. */
  readonly started: number;
  /** null where none was started. */
  readonly per_started_call: number | null;
}

export function questionRate(asked: number, started: number): QuestionRate {
  return { asked, started, per_started_call: started === 0 ? null : asked / started };
}

export interface ToolCounts {
  readonly calls: number;
  readonly executable: number;
  readonly ran_without_grounds: number;
}

/** The last object of `audit --json`. */
export interface CallsSummary extends ToolCounts {
  /** In the order of the tools' names. */
  readonly by_tool: Readonly<Record<string, ToolCounts>>;
  /** Every kind, with 0 where there is none; `none`: calls that were not judged. */
  readonly by_verdict: Readonly<Record<VerdictKind | 'none', number>>;
  readonly gaps: {
    readonly total: number;
    readonly by_kind: Readonly<Record<GapKind, number>>;
    readonly by_owner: Readonly<Record<GapOwner, number>>;
  };
  /** How many calls rest on each kind of reduction; a call with two of one kind counts twice. */
  readonly reductions: Readonly<Record<string, number>>;
  readonly questions: {
    /** Blanks that a live gate would have asked the user for. An unmet verdict asks nothing (V7). */
    readonly asked_if_live: number;
    /** Of the calls that ran, or may have; null where none did. */
    readonly per_executed_call: number | null;
    readonly live: QuestionRate;
  };
  readonly execution: ExecutionRate;
}

const count = sql<number>`count(*)`;

/** Counts over the tables, which hold each call's newest run. */
export function summaryOn(side: Side): () => CallsSummary {
  const tools = side.prepare((q) =>
    q
      .selectFrom('side_calls')
      .select(['tool', count.as('calls'), sql<number>`sum(executable)`.as('executable')])
      .select([sql<number>`sum(without_grounds)`.as('ran_without_grounds'), sql<number>`sum(ran)`.as('ran')])
      .select([sql<number>`sum(stopped)`.as('stopped'), sql<number>`sum(resumed)`.as('resumed')])
      .select([sql<number>`sum(asked)`.as('asked'), sql<number>`sum(started)`.as('started')])
      .groupBy('tool')
      .orderBy('tool'),
  );
  const verdicts = side.prepare((q) =>
    q
      .selectFrom('side_calls')
      .select(['verdict', count.as('calls')])
      .groupBy('verdict'),
  );
  const gaps = side.prepare((q) =>
    q
      .selectFrom('side_gaps')
      .select(['kind', 'owner', count.as('gaps')])
      .groupBy(['kind', 'owner']),
  );
  const reductions = side.prepare((q) =>
    q
      .selectFrom(['side_calls', sql<{ value: string }>`json_each(side_calls.reductions)`.as('r')])
      .select([sql<string>`r.value`.as('kind'), count.as('calls')])
      .groupBy('kind')
      .orderBy('kind'),
  );
  const asked = side.prepare((q) =>
    q
      .selectFrom('side_gaps')
      .innerJoin('side_calls', 'side_calls.position', 'side_gaps.call')
      .select(count.as('asked'))
      .where('side_gaps.route', '=', 'ask_user')
      .where('side_calls.verdict', '!=', 'unmet'),
  );

  return () => {
    const byTool = tools.all({});
    const sum = (
      name:
        | 'calls'
        | 'executable'
        | 'ran_without_grounds'
        | 'ran'
        | 'stopped'
        | 'resumed'
        | 'asked'
        | 'started',
    ): number => byTool.reduce((total, row) => total + row[name], 0);
    const byVerdict = Object.fromEntries([...VERDICT_KINDS, 'none'].map((kind) => [kind, 0]));
    for (const { verdict, calls } of verdicts.all({})) byVerdict[verdict ?? 'none'] = calls;
    const byKind: Record<string, number> = { value: 0, condition: 0, intent: 0 };
    const byOwner: Record<string, number> = {
      asking: 0,
      integration: 0,
      declarer: 0,
      implementation: 0,
      conversation_design: 0,
      undetermined: 0,
    };
    let total = 0;
    for (const row of gaps.all({})) {
      total += row.gaps;
      byKind[row.kind] = (byKind[row.kind] ?? 0) + row.gaps;
      byOwner[row.owner] = (byOwner[row.owner] ?? 0) + row.gaps;
    }
    const asks = asked.get({})?.asked ?? 0;
    const ran = sum('ran');
    return {
      calls: sum('calls'),
      executable: sum('executable'),
      ran_without_grounds: sum('ran_without_grounds'),
      by_tool: recordOf(
        byTool.map(({ tool, calls, executable, ran_without_grounds }) => [
          tool,
          { calls, executable, ran_without_grounds },
        ]),
      ),
      by_verdict: byVerdict as CallsSummary['by_verdict'],
      gaps: { total, by_kind: byKind, by_owner: byOwner } as CallsSummary['gaps'],
      reductions: recordOf(reductions.all({}).map(({ kind, calls }) => [kind, calls])),
      questions: {
        asked_if_live: asks,
        per_executed_call: ran === 0 ? null : asks / ran,
        live: questionRate(sum('asked'), sum('started')),
      },
      execution: executionRate(sum('stopped'), sum('resumed')),
    };
  };
}

/** Names are the users': `__proto__` is one too. */
function recordOf<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries) as Record<string, T>;
}
