import { GroundsError } from '../errors.ts';
import { encode } from '../events/canonical.ts';
import type { Envelope } from '../events/envelope.ts';
import type { Uuid } from '../events/identity.ts';
import { type DataOf, streamOf } from '../events/index.ts';
import type { RunStarted } from '../events/run.ts';
import { isPublicKey, type PublicKey, type Signer } from '../keys/index.ts';
import { encodeEnvelope, leafHash, type SyncLog } from '../log/index.ts';

/** The first member of what is signed: no signature over it can be taken for one over anything else. */
const KIND = 'grounds/executor-record@1';

/** How a start ended, as far as it is signed. */
export interface SignedOutcome {
  readonly outcome: 'succeeded' | 'failed';
  /** Who says so: the call itself, a measurement afterwards, or a person. */
  readonly by: 'call' | 'measured' | 'reported';
  /** Of a failure. */
  readonly code: string | null;
  /** Leaf hash of the segment that holds the result; null without one. */
  readonly result: Uint8Array | null;
}

/** The event that ends a start. */
export interface Signature {
  readonly key: string;
  /** Base64 of 64 bytes. */
  readonly signature: string;
}

/**
 * What an executor signs: canonical JSON over the log it read from, the verdict it decided on, the run behind that, the
 * start, and how it ended. Values stand in it only through leaf hashes of whole events, which hold ids and times that nobody
 * guesses; there is no digest of a bare argument or result.
 *
 * @throws GroundsError `executor/no-such-start`
 */
export function recordBytes(log: SyncLog, call: Uuid, start: Uuid, ended: SignedOutcome): Buffer {
  const stream = streamOf.call(call);
  const leaves = new Map<string, Buffer>();
  let started: DataOf<'CallStarted'> | null = null;
  for (const page of log.readSync({ stream, types: ['RunStarted', 'VerdictRecorded', 'CallStarted'] })) {
    for (const row of page) {
      // Of the bytes as they are, never of the column beside them.
      const leaf = leafHash(row.bytes);
      const { id, data } = row.event;
      leaves.set(row.type === 'RunStarted' ? (data as RunStarted).run : id, leaf);
      if (id === start) started = data as DataOf<'CallStarted'>;
    }
  }
  if (started === null) throw noSuchStart(start);
  return Buffer.from(
    encode({
      kind: KIND,
      log: log.origin,
      call,
      run: { id: started.run, started: hex(leaves.get(started.run)) },
      verdict: { event: started.verdict, leaf: hex(leaves.get(started.verdict)) },
      start: { event: start, leaf: hex(leaves.get(start)) },
      outcome: ended.outcome,
      by: ended.by,
      code: ended.code,
      result: ended.result === null ? null : hex(ended.result),
    }),
    'utf8',
  );
}

export function signRecord(
  log: SyncLog,
  call: Uuid,
  start: Uuid,
  ended: SignedOutcome,
  signer: Signer,
): Signature {
  const signature = signer.sign(recordBytes(log, call, start, ended)).toString('base64');
  return { key: signer.id, signature };
}

/** The leaf hash that an event will have once it stands in this stream. */
export function leafToBe(event: Omit<Envelope, 'stream'>, stream: string): Buffer {
  return leafHash(Buffer.from(encodeEnvelope({ ...event, stream }), 'utf8'));
}

/**
 * What can be said of one ended start. `unsigned` is no fault, and no proof either; `unknown_key`: signed by a key that was not
 * given; `bad_signature`: by a known key, but not over what the log holds now.
 */
export interface SignedCheck {
  readonly start: Uuid;
  /** The event that ends it. */
  readonly event: Uuid;
  readonly outcome: 'succeeded' | 'failed';
  readonly status: 'valid' | 'bad_signature' | 'unknown_key' | 'unsigned';
  readonly key: string | null;
}

/**
 * Checks the executors' signatures of a call against the log as it stands, with public keys that the caller trusts. Of a key
 * that isn't given nothing is said but that.
 */
export function verifySigned(log: SyncLog, call: Uuid, publicKeys: readonly PublicKey[]): SignedCheck[] {
  const checks: SignedCheck[] = [];
  const types = ['CallSucceeded', 'CallFailed', 'CallReconciled'];
  for (const page of log.readSync({ stream: streamOf.call(call), types })) {
    for (const { event, type } of page) {
      const data = event.data as DataOf<'CallSucceeded'> &
        Partial<DataOf<'CallFailed'>> &
        Partial<DataOf<'CallReconciled'>>;
      const outcome = data.outcome ?? (type === 'CallFailed' ? 'failed' : 'succeeded');
      const common = { start: data.start, event: event.id, outcome, key: data.signed?.key ?? null };
      if (data.signed === undefined) {
        checks.push({ ...common, status: 'unsigned' });
        continue;
      }
      const { key, signature } = data.signed;
      const ended = {
        outcome,
        by: data.by ?? ('call' as const),
        code: data.code ?? null,
        result: data.result,
      };
      const known = publicKeys.find(({ id }) => id === key);
      const status =
        known === undefined || !isPublicKey(known)
          ? 'unknown_key'
          : holds(log, call, data.start, ended, known, signature)
            ? 'valid'
            : 'bad_signature';
      checks.push({ ...common, status });
    }
  }
  return checks;
}

function holds(
  log: SyncLog,
  call: Uuid,
  start: Uuid,
  ended: Omit<SignedOutcome, 'result'> & { readonly result: DataOf<'CallSucceeded'>['result'] },
  key: PublicKey,
  signature: string,
): boolean {
  const bytes = Buffer.from(signature, 'base64');
  // Node skips what is not base64: only the one true form counts.
  if (bytes.length !== 64 || bytes.toString('base64') !== signature) return false;
  const result = ended.result === null ? null : segmentLeaf(log, ended.result);
  if (result === undefined) return false;
  try {
    return key.verify(recordBytes(log, call, start, { ...ended, result }), bytes);
  } catch {
    return false;
  }
}

/** undefined: the log holds no such segment. */
function segmentLeaf(
  log: SyncLog,
  at: { readonly conversation: string; readonly segment: number },
): Buffer | undefined {
  const stream = streamOf.conversation(at.conversation);
  for (const page of log.readSync({ stream, fromVersion: at.segment, toVersion: at.segment + 1 }))
    for (const row of page) return leafHash(row.bytes);
  return undefined;
}

function hex(leaf: Uint8Array | undefined): string | null {
  return leaf === undefined ? null : Buffer.from(leaf).toString('hex');
}

export function noSuchStart(start: Uuid): GroundsError {
  return new GroundsError('executor/no-such-start', `The log holds no start ${start}.`, {
    facts: { start },
    hint: 'grounds reconcile lists the starts that have no end yet.',
  });
}
