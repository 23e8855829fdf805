import { CALL_EVENTS } from '../events/call.ts';
import type { Uuid } from '../events/identity.ts';
import { parseEvent } from '../events/index.ts';
import type { RunStarted } from '../events/run.ts';
import type { SyncLog } from '../log/index.ts';
import { type CallStanding, foldParsed } from '../projections/standing.ts';
import type { Facts, Refusal } from './decide.ts';
import { requireWhole } from './require-whole.ts';

/** A run of a call, with what was recorded of it since. */
export interface JudgedRun {
  readonly started: RunStarted;
  readonly position: number;
  readonly verdict: Facts['verdict'];
  /** Refusals that stand already for this run, the newest last. */
  readonly refusals: readonly {
    readonly event: Uuid;
    readonly executor: string;
    readonly refused: readonly Refusal[];
  }[];
}

/** What a call's own stream holds, as far as a decision rests on it. */
export interface CallPast {
  /** Of the stream: 0 where there is none. */
  readonly version: number;
  readonly standing: CallStanding | null;
  readonly runs: ReadonlyMap<Uuid, JudgedRun>;
  /** Positions of what was said for this call, and of its recurring triggers. */
  readonly answered: readonly number[];
  readonly revoked: readonly number[];
  readonly recurring: readonly number[];
}

/** The lookups are most of a call's bytes, and nothing here depends on them. */
const TYPES = Object.keys(CALL_EVENTS).filter((type) => type !== 'LookupPerformed');

/** @throws GroundsError `executor/damaged` (exit 4) where a row is not what was hashed */
export function pastOf(log: SyncLog, stream: string): CallPast {
  const version = log.versionSync(stream);
  let standing: CallStanding | null = null;
  let newest: Uuid | null = null;
  const runs = new Map<Uuid, JudgedRun>();
  const more = (run: Uuid | null, of: (known: JudgedRun) => Partial<JudgedRun>): void => {
    const known = run === null ? undefined : runs.get(run);
    if (run !== null && known !== undefined) runs.set(run, { ...known, ...of(known) });
  };
  const answered: number[] = [];
  const revoked: number[] = [];
  const recurring: number[] = [];
  for (const page of log.readSync({ stream, types: TYPES, toVersion: version })) {
    for (const row of page) {
      requireWhole(row);
      const event = parseEvent(row.event);
      standing = foldParsed(standing, { position: row.position, version: row.version, event });
      const { type, data, id, at } = event;
      switch (type) {
        case 'RunStarted':
          newest = data.run;
          runs.set(newest, { started: data, position: row.position, verdict: null, refusals: [] });
          break;
        case 'VerdictRecorded':
          more(newest, () => ({ verdict: { event: id, at, record: data.verdict } }));
          break;
        case 'AnswerReceived':
        case 'ApprovalGranted':
          answered.push(row.position);
          break;
        case 'ApprovalRevoked':
          revoked.push(row.position);
          break;
        case 'TriggerFired':
          if (data.timing === 'recurring') recurring.push(row.position);
          break;
        case 'ExecutionDecided':
          if (data.decision === 'refuse')
            more(data.run, ({ refusals }) => ({
              refusals: [...refusals, { event: id, executor: data.executor, refused: data.refused }],
            }));
          break;
        default:
      }
    }
  }
  return { version, standing, runs, answered, revoked, recurring };
}
