import { type Resolved, resolverOf } from '../../replay/resolve.ts';
import { GroundsError } from '../errors.ts';
import type { Content } from '../events/content.ts';
import type { DataOf } from '../events/index.ts';
import { streamOf } from '../events/streams.ts';
import type { RunInput, Segment } from '../gate/types.ts';
import type { StoredRow, SyncLog } from '../log/index.ts';
import type { CallPlace } from '../projections/call-row.ts';

export interface SaidSegment {
  readonly segment: Segment;
  readonly index: number;
  /** The message it came from, from 0. Where none was recorded it is one of its own, right after the one before. */
  readonly message: number;
}

/** What the log holds of one call: its newest run with everything that it rested on, and what came of it. */
export interface CallRecord {
  /** Of the newest run and after it, in order. */
  readonly rows: readonly StoredRow[];
  readonly started: DataOf<'RunStarted'> | null;
  readonly started_at: string | null;
  readonly position: number | null;
  readonly walks: readonly DataOf<'LookupPerformed'>[];
  readonly verdict: DataOf<'VerdictRecorded'>['verdict'] | null;
  /** The newest event that says how it ended. */
  readonly end: StoredRow | null;
  /** The segments that the run saw. */
  readonly segments: readonly SaidSegment[];
  /** The run as the gate saw it, what is sealed in it left out. */
  readonly run: RunInput | null;
  /** Version of each declaration in its stream, from 1, by digest. */
  readonly versions: ReadonlyMap<string, number>;
  /** Earlier questions, answers, approvals, deferrals and triggers of the call by event id: what the run's entries were made from. */
  readonly asked: ReadonlyMap<string, StoredRow>;
  /** One segment of the conversation by its index, read when it is asked for. */
  segmentAt(index: number): SaidSegment | null;
}

const ENDS: readonly string[] = [
  'CallObserved',
  'CallStarted',
  'CallSucceeded',
  'CallFailed',
  'CallOutcomeUnknown',
  'CallReconciled',
];

/** The rows of a call's newest run and after it, and the newest that says how the call ended. */
export function callRows(log: SyncLog, { stream, run }: CallPlace): Pick<CallRecord, 'rows' | 'end'> {
  const from = run?.from ?? 0;
  const rows = collect(log, { stream, fromVersion: from });
  const ends = rows.findLast(({ type }) => ENDS.includes(type));
  if (ends !== undefined) return { rows, end: ends };
  // An audit that was repeated with other rules leaves the call's end before its newest run.
  const [earlier] = collect(log, { stream, types: ENDS, toVersion: from, direction: 'backward', limit: 1 });
  return { rows, end: earlier ?? null };
}

/**
 * Reads one call's own rows: its newest run and what follows it, the segments that the run saw, what it was declared by, its
 * result. Nothing else of the log is looked at.
 *
 * @throws GroundsError `explain/input-missing` where the log does not hold what the run rested on.
 */
export function readCall(log: SyncLog, place: CallPlace): CallRecord {
  const { rows, end } = callRows(log, place);
  const from = place.run?.from ?? 0;
  let started: DataOf<'RunStarted'> | null = null;
  let startedRow: StoredRow | null = null;
  let verdict: CallRecord['verdict'] = null;
  const walks: DataOf<'LookupPerformed'>[] = [];
  for (const row of rows) {
    if (place.run !== null && row.version >= place.run.to) break;
    if (row.type === 'RunStarted') {
      started = row.event.data as DataOf<'RunStarted'>;
      startedRow = row;
    } else if (row.type === 'LookupPerformed') walks.push(row.event.data as DataOf<'LookupPerformed'>);
    else if (row.type === 'VerdictRecorded') verdict = (row.event.data as DataOf<'VerdictRecorded'>).verdict;
  }
  const versions = new Map<string, number>();
  const segments: SaidSegment[] = [];
  const conversation = started === null ? place.conversation : started.conversation;
  const stream = conversation === null ? null : streamOf.conversation(conversation);
  const resolver = resolverOf(log, (row) => {
    if (row.stream === stream) segments.push(saidSegment(row, segments.at(-1)));
    else versions.set((row.event.data as { digest: string }).digest, row.version + 1);
  });
  const resolved: Resolved | null =
    started === null ? null : resolver.resolve(started, startedRow?.position ?? 0);
  if (resolved?.run === null) throw inputMissing(resolved.missing);

  return {
    rows,
    started,
    started_at: startedRow?.event.at ?? rows[0]?.event.at ?? null,
    position: startedRow?.position ?? null,
    walks,
    verdict,
    end,
    segments,
    run: resolved === null ? null : readable(resolved.run),
    versions,
    asked: started === null || place.run === null ? new Map() : askedBefore(log, place.stream, from, started),
    segmentAt: (index) => {
      if (stream === null) return null;
      const known = segments[index];
      if (known !== undefined) return known;
      let said = segments.at(-1);
      for (const row of collect(log, { stream, fromVersion: segments.length, toVersion: index + 1 }))
        said = saidSegment(row, said);
      return said?.index === index ? said : null;
    },
  };
}

function askedBefore(
  log: SyncLog,
  stream: string,
  before: number,
  started: DataOf<'RunStarted'>,
): Map<string, StoredRow> {
  const asked = new Map<string, StoredRow>();
  if (started.entries.every(({ event }) => event === null)) return asked;
  const types = ['QuestionAsked', 'AnswerReceived', 'ApprovalGranted', 'CallDeferred', 'TriggerFired'];
  for (const row of collect(log, { stream, types, toVersion: before })) asked.set(row.event.id, row);
  return asked;
}

function collect(log: SyncLog, query: Parameters<SyncLog['readSync']>[0]): StoredRow[] {
  const rows: StoredRow[] = [];
  for (const page of log.readSync(query)) rows.push(...page);
  return rows;
}

function saidSegment(row: StoredRow, before: SaidSegment | undefined): SaidSegment {
  const { segment, source } = row.event.data as DataOf<'SegmentAdded'>;
  const next = before === undefined ? 0 : before.message + 1;
  return { segment, index: row.version, message: source?.message ?? next };
}

function inputMissing(missing: { stream: string; digest: string | null } | null): GroundsError {
  return new GroundsError('explain/input-missing', 'The log does not hold what this verdict rested on.', {
    facts: { ...missing },
    hint: 'Run grounds replay on this log: it says what is missing. The full log may be elsewhere.',
    exit: 3,
  });
}

/** What a content holds, or undefined where it is sealed. */
export function openOf<T>(content: Content<T> | null | undefined): T | undefined {
  return content !== null && content !== undefined && 'plain' in content ? content.plain : undefined;
}

/** The same run with nothing where something is sealed, so that the gate's own readers can go over the rest. */
function readable(run: RunInput): RunInput {
  const { proposal } = run;
  return {
    ...run,
    proposal:
      proposal === null
        ? null
        : {
            received: proposal.received !== null && 'plain' in proposal.received ? proposal.received : null,
            prepared: proposal.prepared !== null && 'plain' in proposal.prepared ? proposal.prepared : null,
          },
    segments: run.segments.map((segment) => {
      const { observes } = segment;
      const argumentsOpen = observes === null || 'plain' in observes.arguments;
      if ('plain' in segment.body && argumentsOpen) return segment;
      return {
        ...segment,
        body: 'plain' in segment.body ? segment.body : { plain: '' },
        observes: observes === null || argumentsOpen ? observes : { ...observes, arguments: { plain: {} } },
      };
    }),
    entries: run.entries.map((entry) => {
      if (entry.kind === 'approval') return { ...entry, shown: entry.shown.map(blank) };
      if (entry.kind === 'baseline') return { ...entry, slots: entry.slots.map(blank) };
      return 'value' in entry ? blank(entry) : entry;
    }),
  };
}

function blank<T extends { readonly value: Content }>(item: T): T {
  return 'plain' in item.value ? item : { ...item, value: { plain: null } };
}
