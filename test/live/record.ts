import type { Checklist } from '../../src/declarations/checklist.ts';
import { encode } from '../../src/events/canonical.ts';
import type { DataOf, EventType } from '../../src/events/index.ts';
import type { Lookup } from '../../src/events/lookup.ts';
import type { Segment } from '../../src/events/segment.ts';
import type { ToolDeclaration } from '../../src/events/tool.ts';
import type { RunInput } from '../../src/gate/types.ts';
import type { StoredRow, SyncLog } from '../../src/log/index.ts';

/** A row's data, where it is of this type. */
export function dataIn<T extends EventType>(row: StoredRow | undefined, type: T): DataOf<T> | undefined {
  return row?.type === type ? (row.event.data as DataOf<T>) : undefined;
}

export function rowsOf(log: SyncLog): StoredRow[] {
  const rows: StoredRow[] = [];
  for (const page of log.readSync({})) rows.push(...page);
  return rows;
}

/** One start, with all that the log says of it, read off the rows by hand. */
export interface StartRecord {
  readonly start: StoredRow;
  readonly data: DataOf<'CallStarted'>;
  /** Everything before it. */
  readonly past: readonly StoredRow[];
  /** Of these, the events of its call. */
  readonly own: readonly StoredRow[];
  readonly runRow: StoredRow;
  readonly run: DataOf<'RunStarted'>;
  readonly verdictRow: StoredRow;
  readonly verdict: DataOf<'VerdictRecorded'>['verdict'];
}

/** null where the log lacks its run or its verdict. */
export function recordOf(rows: readonly StoredRow[], start: StoredRow): StartRecord | null {
  const data = dataIn(start, 'CallStarted');
  const past = rows.slice(0, start.position);
  const own = past.filter(({ stream }) => stream === start.stream);
  const runRow = own.find((row) => dataIn(row, 'RunStarted')?.run === data?.run);
  const verdictRow = own.find(({ event }) => event.id === data?.verdict);
  const run = dataIn(runRow, 'RunStarted');
  const verdict = dataIn(verdictRow, 'VerdictRecorded')?.verdict;
  return data === undefined ||
    runRow === undefined ||
    verdictRow === undefined ||
    run === undefined ||
    verdict === undefined
    ? null
    : { start, data, past, own, runRow, run, verdictRow, verdict };
}

/** What the gate was given, put together from the rows. */
export function givenTo({ past, run }: StartRecord): RunInput {
  const segments = past
    .filter(({ stream }) => stream === `conversation/${run.conversation}`)
    .slice(0, run.segments)
    .map((row) => dataIn(row, 'SegmentAdded')?.segment as Segment);
  const declaration = (stream: string, digest: string): StoredRow | undefined =>
    past.find((row) => row.stream === stream && (row.event.data as { digest?: string }).digest === digest);
  const tool = dataIn(declaration(run.tool.stream, run.tool.digest), 'ToolDeclared')?.tool;
  return {
    gate: run.gate,
    ruleset: run.ruleset,
    phase: run.phase,
    now: run.now,
    attempts: run.attempts,
    proposal: run.proposal as RunInput['proposal'],
    tool: tool as ToolDeclaration,
    tool_digest: run.tool.digest,
    checklists: run.checklists.map(({ stream, digest }) => ({
      digest,
      body: dataIn(declaration(stream, digest), 'ChecklistDeclared')?.body as unknown as Checklist,
    })),
    unsound: run.unsound,
    action_key: run.action_key.state,
    segments,
    request_from: run.request_from,
    entries: run.entries.map(({ entry }) => entry),
  };
}

/** The lookups that were recorded for its run, by their request. */
export function lookupsOf({ own, runRow, verdictRow }: StartRecord): ReadonlyMap<string, Lookup> {
  const found = new Map<string, Lookup>();
  for (const row of own) {
    if (row.position < runRow.position || row.position > verdictRow.position) continue;
    const walk = dataIn(row, 'LookupPerformed');
    for (const { source, key = {}, by, outcome } of walk?.answers ?? []) {
      const request = { subject: walk?.subject, source, key } as Lookup['request'];
      found.set(encode(request), { request, by, outcome } as Lookup);
    }
  }
  return found;
}
