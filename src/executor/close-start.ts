import { isGroundsError } from '../errors.ts';
import type { Uuid } from '../events/identity.ts';
import { type DataOf, type Made, makeEvent, streamOf } from '../events/index.ts';
import type { Segment } from '../events/segment.ts';
import type { Signer } from '../keys/index.ts';
import type { Commit, SyncLog } from '../log/index.ts';
import type { Start } from '../projections/standing.ts';
import { standingOf } from '../runs/standing.ts';
import { leafToBe, noSuchStart, type Signature, signRecord } from './signed-record.ts';

/** What an outcome is recorded with. */
export interface Recorder {
  readonly log: SyncLog;
  readonly clock: () => string;
  readonly newId: () => Uuid;
  readonly key: Signer | null;
}

/** Where a start stands. */
export interface StartAt {
  readonly call: Uuid;
  readonly start: Uuid;
  readonly conversation: Uuid;
  /** Versions of both streams, where they are known from what was just written. */
  readonly versions: { readonly call: number; readonly conversation: number } | null;
}

export type Ending =
  | { readonly type: 'CallSucceeded'; readonly segment: Segment | null }
  | { readonly type: 'CallFailed'; readonly code: string; readonly segment: Segment | null }
  | { readonly type: 'CallOutcomeUnknown'; readonly code: string; readonly segment: null }
  | {
      readonly type: 'CallReconciled';
      readonly outcome: 'succeeded' | 'failed';
      readonly by: 'measured' | 'reported';
      readonly responder: DataOf<'CallReconciled'>['responder'];
      readonly segment: Segment | null;
    };

export interface Closed {
  /** How the start stands now. */
  readonly outcome: Start['outcome'];
  readonly result: { readonly conversation: Uuid; readonly segment: number } | null;
  /** false: somebody had closed it already, and that stands. What was to be its result is in the conversation all the same. */
  readonly closed: boolean;
}

/** Others who write to the same streams make progress with each conflict; giving up would lose an outcome. */
const TRIES = 1000;

/**
 * Records how a start ended, in one commit with its result: a segment at the end of the conversation. After a conflict it
 * reads again; a start that somebody else closed meanwhile stays as they closed it.
 *
 * @throws GroundsError of the log's; `executor/no-such-start`
 */
export async function closeStart(recorder: Recorder, at: StartAt, ending: Ending): Promise<Closed> {
  let versions = at.versions;
  for (let tries = 1; ; tries++) {
    if (versions === null) {
      const standing = standingOf(recorder.log, at.call);
      const start = standing?.starts.find(({ id }) => id === at.start);
      if (standing === null || start === undefined) throw noSuchStart(at.start);
      if (start.outcome === 'succeeded' || start.outcome === 'failed')
        return closedBefore(recorder, at, start.outcome, ending.segment);
      // To say again that nobody knows adds nothing.
      if (start.outcome === 'unknown' && ending.type === 'CallOutcomeUnknown')
        return { outcome: 'unknown', result: null, closed: false };
      const conversation = recorder.log.versionSync(streamOf.conversation(at.conversation));
      versions = { call: standing.version, conversation };
    }
    try {
      return await close(recorder, at, versions, ending);
    } catch (error) {
      if (!isGroundsError(error) || error.code !== 'log/conflict' || tries >= TRIES) throw error;
      versions = null;
    }
  }
}

async function close(
  recorder: Recorder,
  at: StartAt,
  versions: { readonly call: number; readonly conversation: number },
  ending: Ending,
): Promise<Closed> {
  const of = { id: recorder.newId(), at: recorder.clock() };
  const added = segmentWrite(recorder, at, versions.conversation, ending.segment);
  const result = added === null ? null : { conversation: at.conversation, segment: versions.conversation };
  const event = endingEvent(
    ending,
    at.start,
    result,
    of,
    signatureOf(recorder, at, ending, added?.leaf ?? null),
  );
  await recorder.log.append({
    writes: [
      ...(added === null ? [] : [added.write]),
      { stream: streamOf.call(at.call), expected: versions.call, events: [event] },
    ],
  });
  return { outcome: outcomeOf(ending), result, closed: true };
}

function outcomeOf(ending: Ending): Closed['outcome'] {
  switch (ending.type) {
    case 'CallSucceeded':
      return 'succeeded';
    case 'CallFailed':
      return 'failed';
    case 'CallOutcomeUnknown':
      return 'unknown';
    case 'CallReconciled':
      return ending.outcome;
  }
}

function endingEvent(
  ending: Ending,
  start: Uuid,
  result: Closed['result'],
  of: { readonly id: string; readonly at: string },
  signature: Signature | null,
): Made {
  const signed = signature === null ? {} : { signed: signature };
  switch (ending.type) {
    case 'CallSucceeded':
      return makeEvent('CallSucceeded', { result, ...signed, start }, of);
    case 'CallFailed':
      return makeEvent('CallFailed', { code: ending.code, result, ...signed, start }, of);
    case 'CallOutcomeUnknown':
      return makeEvent('CallOutcomeUnknown', { start, code: ending.code }, of);
    case 'CallReconciled': {
      const { outcome, by, responder } = ending;
      return makeEvent('CallReconciled', { start, outcome, by, result, responder, ...signed }, of);
    }
  }
}

function signatureOf(
  { log, key }: Recorder,
  at: StartAt,
  ending: Ending,
  result: Uint8Array | null,
): Signature | null {
  if (key === null || ending.type === 'CallOutcomeUnknown') return null;
  const outcome = ending.type === 'CallReconciled' ? ending.outcome : outcomeOf(ending);
  return signRecord(
    log,
    at.call,
    at.start,
    {
      outcome: outcome === 'failed' ? 'failed' : 'succeeded',
      by: ending.type === 'CallReconciled' ? ending.by : 'call',
      code: ending.type === 'CallFailed' ? ending.code : null,
      result,
    },
    key,
  );
}

type SegmentWrite = { readonly write: Commit['writes'][number]; readonly leaf: Uint8Array | null };

function segmentWrite(
  { newId, clock, key }: Recorder,
  { conversation }: StartAt,
  expected: number,
  segment: Segment | null,
): SegmentWrite | null {
  if (segment === null) return null;
  const stream = streamOf.conversation(conversation);
  const event = makeEvent('SegmentAdded', { segment, source: null }, { id: newId(), at: clock() });
  return {
    write: { stream, expected, events: [event] },
    leaf: key === null ? null : leafToBe(event, stream),
  };
}

/** An outcome that is closed stays closed; what the call answered is said in the conversation nevertheless. */
async function closedBefore(
  recorder: Recorder,
  at: StartAt,
  outcome: 'succeeded' | 'failed',
  segment: Segment | null,
): Promise<Closed> {
  if (segment === null) return { outcome, result: null, closed: false };
  const stream = streamOf.conversation(at.conversation);
  const event = makeEvent(
    'SegmentAdded',
    { segment, source: null },
    { id: recorder.newId(), at: recorder.clock() },
  );
  const { first } = await recorder.log.append({ writes: [{ stream, expected: 'any', events: [event] }] });
  for (const page of recorder.log.readSync({ stream, from: first, to: first + 1 }))
    for (const row of page)
      return { outcome, closed: false, result: { conversation: at.conversation, segment: row.version } };
  return { outcome, result: null, closed: false };
}
