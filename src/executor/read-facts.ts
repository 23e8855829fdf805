import { type Resolver, resolverOf } from '../../replay/resolve.ts';
import type { Uuid } from '../events/identity.ts';
import { streamOf } from '../events/index.ts';
import type { RunStarted } from '../events/run.ts';
import type { Commit, SyncLog } from '../log/index.ts';
import { isExecutable } from '../projections/verdict-facts.ts';
import { newestDeclared } from '../runs/newest-declared.ts';
import { requestOf } from '../runs/standing.ts';
import { type JudgedRun, pastOf } from './call-past.ts';
import type { Facts } from './decide.ts';
import { noSuchRun } from './find-run.ts';
import { requireWhole } from './require-whole.ts';
import { type Sends, sentBy, sentTheSame } from './sends.ts';
import { saidSince, touched, touchingTools } from './since.ts';

/** What the log holds of one run, and at which versions: what a decision is made on, and may be committed on. */
export interface ReadFacts {
  readonly facts: Omit<Facts, 'now' | 'max_age' | 'accepted'>;
  readonly call: Uuid;
  readonly run: Uuid;
  readonly started: RunStarted;
  /** Version of the call's stream. */
  readonly version: number;
  /** Every other stream that the decision looked at. */
  readonly unchanged: NonNullable<Commit['unchanged']>;
  /** Version of the conversation: what is added to it is added here. */
  readonly conversation: number;
  /** null where nothing may be sent. */
  readonly sends: Sends | null;
  readonly refusals: JudgedRun['refusals'];
}

/**
 * Reads all that decides whether a run may be executed, on one state of the log; that every stream still is at the version that
 * was read is for the commit to see.
 *
 * @param inputs from `inputsOf`, once for many runs: what is declared is then read and compiled once.
 * @param asked the run; null: the newest of the call.
 * @throws GroundsError `executor/no-such-run`; `executor/damaged` (exit 4) where a row is not what was hashed;
 * `executor/input-missing` (exit 3); `gate/place-differs` where a place no longer reads as what was judged.
 */
export function readFacts(log: SyncLog, inputs: Resolver, call: Uuid, asked: Uuid | null): ReadFacts {
  return log.atOnce(() => read(log, inputs, call, asked));
}

function read(log: SyncLog, inputs: Resolver, call: Uuid, asked: Uuid | null): ReadFacts {
  const past = pastOf(log, streamOf.call(call));
  const run = asked ?? past.standing?.run?.id ?? null;
  const judged = run === null ? undefined : past.runs.get(run);
  if (past.standing === null || run === null || judged === undefined)
    throw noSuchRun(run === null ? { call } : { run, call });
  const { started, position, verdict } = judged;
  const newest = past.standing.run?.id === run;

  const tool = newestDeclared(log, started.tool.stream, requireWhole);
  const checklists = started.checklists.map(({ stream: at, digest }) => ({
    at,
    judged: digest,
    ...newestDeclared(log, at, requireWhole),
  }));
  const settings = (started.settings ?? []).map(({ stream: at, version: then }) => ({
    at,
    judged: then,
    found: log.versionSync(at),
  }));
  const touching = touchingTools(inputs, started, position);
  const said = saidSince(log, inputs, started, touching);
  const request = requestOf(log, started.request, undefined, requireWhole);
  const sends =
    verdict !== null && newest && isExecutable(verdict.record)
      ? sentBy(inputs, started, position, verdict.record)
      : null;
  // The other calls of the request, each at one version.
  const others = (request?.calls ?? []).flatMap((each) => {
    const stream = streamOf.call(each);
    return each === call ? [] : [{ stream, past: pastOf(log, stream) }];
  });
  const since = (positions: readonly number[]): number => positions.filter((each) => each > position).length;

  return {
    call,
    run,
    started,
    version: past.version,
    conversation: said.version,
    unchanged: [
      { stream: started.tool.stream, version: tool.version },
      ...checklists.map(({ at, version: found }) => ({ stream: at, version: found })),
      ...settings.map(({ at, found }) => ({ stream: at, version: found })),
      { stream: streamOf.conversation(started.conversation), version: said.version },
      { stream: streamOf.request(started.request), version: request?.version ?? 0 },
      ...others.map(({ stream, past: { version } }) => ({ stream, version })),
    ],
    sends: sends === 'sealed' ? null : sends,
    refusals: judged.refusals,
    facts: {
      newest,
      verdict,
      starts: past.standing.starts.map((start) => ({
        verdict: start.data.verdict,
        outcome: start.outcome,
        triggered_since: past.recurring.some((fired) => fired > start.position && fired < position),
      })),
      tool: { judged: started.tool.digest, declared: tool.digest },
      checklists: checklists.map(({ judged: then, digest }) => ({ judged: then, declared: digest })),
      settings: settings.map(({ judged: then, found }) => ({ judged: then, found })),
      typed: said.typed,
      measured: said.measured + others.filter(({ past: other }) => touched(other, touching, position)).length,
      answered: since(past.answered),
      revoked: since(past.revoked),
      abandoned: request !== null && request.abandoned !== null,
      repeated:
        sends !== null && others.some(({ past: other }) => sentTheSame(inputs, other, started, sends)),
      sealed: sends === 'sealed',
    },
  };
}

/** What runs name by reference; each row is checked when it is first read. */
export function inputsOf(log: SyncLog): Resolver {
  return resolverOf(log, requireWhole);
}
