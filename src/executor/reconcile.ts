import { GroundsError } from '../errors.ts';
import type { Uuid } from '../events/identity.ts';
import { type DataOf, parseStream } from '../events/index.ts';
import type { Json } from '../events/json.ts';
import type { SyncLog } from '../log/index.ts';
import { type Closed, closeStart, type Recorder } from './close-start.ts';
import { resultSegment } from './result-segment.ts';
import { noSuchStart } from './signed-record.ts';
import { type UnfinishedStart, unfinishedStarts } from './unfinished.ts';

/** What was looked at to know: it becomes a piece of the conversation. */
export interface Measurement {
  /** The hook or tool that measured, as the checklist names it. */
  readonly tool: string;
  readonly arguments: Json;
  readonly result: Json | string;
}

/** What became of a start that had no end: measured, or reported by a person. */
export interface Settlement {
  readonly start: Uuid;
  readonly outcome: 'succeeded' | 'failed';
  readonly by: 'measured' | 'reported';
  /** Who reports it, and how that is known. */
  readonly responder: DataOf<'CallReconciled'>['responder'];
  readonly result?: Measurement;
}

/** A hook that can tell whether a call had its effect: by its idempotency key, or by looking at the record. null: it can't. */
export type MeasureOutcome = (
  start: UnfinishedStart,
) => Promise<(Pick<Settlement, 'outcome'> & { readonly result: Measurement }) | null>;

/**
 * Settles a start. One that is closed stays closed.
 *
 * @throws GroundsError `executor/closed`, `executor/no-such-start`; `executor/not-measured` for a measurement without a result;
 * `executor/nobody` for a report by nobody
 */
export async function reconcile(recorder: Recorder, settlement: Settlement): Promise<Closed> {
  const { start, outcome, by, responder, result } = settlement;
  if (by === 'measured' && result === undefined) throw notMeasured(start);
  if (by === 'reported' && responder === null) throw nobody(start);
  const found = unfinished(recorder.log, start);
  const closed = await closeStart(
    recorder,
    { call: found.call, start, conversation: found.conversation, versions: null },
    {
      type: 'CallReconciled',
      outcome,
      by,
      responder,
      segment:
        result === undefined
          ? null
          : resultSegment(result.result, {
              author: 'hook',
              tool: result.tool,
              arguments: result.arguments,
              failed: false,
              at: recorder.clock(),
            }),
    },
  );
  if (!closed.closed) throw alreadyClosed(start, closed.outcome);
  return closed;
}

/**
 * Lets a hook measure every start that has no end, and settles those of which it knows. Not for use beside an executor that is
 * still at work: its open starts are in the list too.
 *
 * @returns the starts that are settled now
 */
export async function reconcileBy(recorder: Recorder, measure: MeasureOutcome): Promise<readonly Uuid[]> {
  const settled: Uuid[] = [];
  for (const start of [...unfinishedStarts(recorder.log)]) {
    const measured = await measure(start);
    if (measured === null) continue;
    await reconcile(recorder, { start: start.start, by: 'measured', responder: null, ...measured });
    settled.push(start.start);
  }
  return settled;
}

function unfinished(log: SyncLog, start: Uuid): { readonly call: Uuid; readonly conversation: Uuid } {
  for (const each of unfinishedStarts(log)) if (each.start === start) return each;
  for (const page of log.readSync({ types: ['CallStarted'], direction: 'backward' })) {
    for (const { event } of page) {
      if (event.id !== start) continue;
      const name = parseStream(event.stream);
      throw alreadyClosed(start, null, name.kind === 'call' ? name.id : event.stream);
    }
  }
  throw noSuchStart(start);
}

function alreadyClosed(start: Uuid, outcome: string | null, call?: Uuid): GroundsError {
  return new GroundsError('executor/closed', 'What became of this start is known already, and stays so.', {
    facts: { start, ...(outcome === null ? {} : { outcome }), ...(call === undefined ? {} : { call }) },
    hint: 'Where the record is wrong, say so with grounds incident; an outcome is never changed.',
  });
}

function notMeasured(start: Uuid): GroundsError {
  return new GroundsError('executor/not-measured', 'A measurement has a result, and this one has none.', {
    facts: { start },
    hint: 'Give what was measured; what somebody only says is settled by a report.',
  });
}

function nobody(start: Uuid): GroundsError {
  return new GroundsError('executor/nobody', 'A report is somebody’s, and this one is nobody’s.', {
    facts: { start },
    hint: 'Give the opaque id of who reports it, and how that is known.',
  });
}
