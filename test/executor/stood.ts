import type { DataOf } from '../../src/events/index.ts';
import type { StoredRow, SyncLog } from '../../src/log/index.ts';

/**
 * A second opinion on every start in a log, from its rows alone and with no code of the executor's: what, at its position,
 * spoke against it. Empty where nothing did.
 */
export function wrongStarts(log: SyncLog): string[] {
  const rows: StoredRow[] = [];
  for (const page of log.readSync({})) rows.push(...page);
  return rows.filter(({ type }) => type === 'CallStarted').flatMap((row) => againstStart(rows, row));
}

function againstStart(all: readonly StoredRow[], start: StoredRow): string[] {
  const { run, verdict: verdictId, decision, idempotency_key } = start.event.data as DataOf<'CallStarted'>;
  const past = all.slice(0, start.position);
  const own = past.filter(({ stream }) => stream === start.stream);
  const wrong: string[] = [];
  const claim = (holds: boolean, what: string): void => {
    if (!holds) wrong.push(`start at ${start.position}: ${what}`);
  };

  const runRow = own.findLast(({ type }) => type === 'RunStarted');
  const started = runRow?.event.data as DataOf<'RunStarted'> | undefined;
  if (runRow === undefined || started === undefined) return [`start at ${start.position}: no run`];
  claim(started.run === run, 'not of the newest run');
  const verdictRow = own.findLast(({ type }) => type === 'VerdictRecorded');
  const verdict = (verdictRow?.event.data as DataOf<'VerdictRecorded'> | undefined)?.verdict;
  claim(
    verdictRow?.event.id === verdictId && verdictRow.position > runRow.position,
    'not of the run’s verdict',
  );
  claim(
    verdict?.kind === 'executable' && verdict.phase === 'at_trigger' && verdict.unknown_count === 0,
    'not executable',
  );

  const before = all[start.position - 1];
  const decided = before?.event.data as DataOf<'ExecutionDecided'> | undefined;
  claim(
    before?.event.id === decision && before.type === 'ExecutionDecided' && decided?.decision === 'execute',
    'no decision just before it',
  );
  claim(idempotency_key === start.event.id, 'another idempotency key');

  const newest = (stream: string): unknown =>
    (past.findLast((row) => row.stream === stream)?.event.data as { digest?: unknown } | undefined)?.digest;
  claim(newest(started.tool.stream) === started.tool.digest, 'the tool was redeclared');
  for (const { stream, digest } of started.checklists)
    claim(newest(stream) === digest, 'a checklist was redeclared');
  for (const { stream, version } of started.settings ?? [])
    claim(past.filter((row) => row.stream === stream).length === version, 'a setting was changed');
  claim(
    !past.some(
      (row) =>
        row.stream === `conversation/${started.conversation}` &&
        row.version >= started.segments &&
        (row.event.data as DataOf<'SegmentAdded'>).segment.typed,
    ),
    'something was typed since',
  );
  claim(
    !own.some(
      ({ type, position }) =>
        position > runRow.position && ['AnswerReceived', 'ApprovalGranted', 'ApprovalRevoked'].includes(type),
    ),
    'something was answered, approved or revoked since',
  );
  claim(
    !past.some(({ stream, type }) => stream === `request/${started.request}` && type === 'RequestAbandoned'),
    'the request was abandoned',
  );

  for (const earlier of own.filter(({ type }) => type === 'CallStarted')) {
    claim((earlier.event.data as DataOf<'CallStarted'>).verdict !== verdictId, 'its verdict was used before');
    const end = own.find(
      ({ type, event }) =>
        ['CallSucceeded', 'CallFailed', 'CallReconciled'].includes(type) &&
        (event.data as { start: string }).start === earlier.event.id,
    );
    const failed =
      end?.type === 'CallFailed' ||
      (end?.event.data as { outcome?: string } | undefined)?.outcome === 'failed';
    const fired = own.some(
      ({ type, position, event }) =>
        type === 'TriggerFired' &&
        (event.data as DataOf<'TriggerFired'>).timing === 'recurring' &&
        position > earlier.position &&
        position < runRow.position,
    );
    claim(failed || fired, 'an earlier start may have had its effect');
  }
  return wrong;
}
