import { type Resolver, resolverOf } from '../../replay/resolve.ts';
import { GroundsError, isGroundsError } from '../errors.ts';
import { CALL_EVENTS } from '../events/call.ts';
import { encode } from '../events/canonical.ts';
import type { Uuid } from '../events/identity.ts';
import { type DataOf, parseEvent, parseStream, streamOf } from '../events/index.ts';
import type { Json } from '../events/json.ts';
import type { Place } from '../events/place.ts';
import type { RunStarted } from '../events/run.ts';
import type { ToolDeclaration } from '../events/tool.ts';
import { argumentsOf } from '../gate/arguments.ts';
import { rulesFor } from '../gate/index.ts';
import { type Commit, checkRow, type StoredRow, type SyncLog } from '../log/index.ts';
import { type CallStanding, foldStanding } from '../projections/standing.ts';
import { isExecutable } from '../projections/verdict-facts.ts';
import { newestDeclared } from '../runs/newest-declared.ts';
import { requestOf } from '../runs/standing.ts';
import type { Facts, Refusal } from './decide.ts';
import { noSuchRun } from './find-run.ts';

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
  /** What would be sent, and to which tool; null where nothing may be. */
  readonly sends: { readonly tool: ToolDeclaration; readonly arguments: Json } | null;
  /** Refusals that stand already for this run, the newest last. */
  readonly refusals: readonly {
    readonly event: Uuid;
    readonly executor: string;
    readonly refused: readonly Refusal[];
  }[];
}

/** The lookups are most of a call's bytes, and nothing here depends on them. */
const TYPES = Object.keys(CALL_EVENTS).filter((type) => type !== 'LookupPerformed');

/**
 * Reads all that decides whether a run may be executed. Each stream is read at one version; that all of them still are at it
 * is for the commit to see.
 *
 * @param inputs from `inputsOf`, once for many runs: what is declared is then read and compiled once.
 * @param asked the run; null: the newest of the call.
 * @throws GroundsError `executor/no-such-run`; `executor/damaged` (exit 4) where a row is not what was hashed;
 * `executor/input-missing` (exit 3); `gate/place-differs` where a place no longer reads as what was judged.
 */
export function readFacts(log: SyncLog, inputs: Resolver, call: Uuid, asked: Uuid | null): ReadFacts {
  const stream = streamOf.call(call);
  const version = log.versionSync(stream);
  const past = pastOf(log, stream, version);
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
  const said = saidSince(log, started, touching);
  const request = requestOf(log, started.request);
  const sends =
    verdict !== null && newest && isExecutable(verdict.record)
      ? sentBy(inputs, started, position, verdict.record)
      : null;
  const others = request === null ? [] : othersOf(log, request.calls, call);
  const since = (positions: readonly number[]): number => positions.filter((each) => each > position).length;

  return {
    call,
    run,
    started,
    version,
    conversation: said.version,
    unchanged: [
      { stream: started.tool.stream, version: tool.version },
      ...checklists.map(({ at, version: found }) => ({ stream: at, version: found })),
      ...settings.map(({ at, found }) => ({ stream: at, version: found })),
      { stream: streamOf.conversation(started.conversation), version: said.version },
      { stream: streamOf.request(started.request), version: request?.version ?? 0 },
      ...others.map(({ stream: at, version: found }) => ({ stream: at, version: found })),
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

interface JudgedRun {
  readonly started: RunStarted;
  readonly position: number;
  verdict: Facts['verdict'];
  readonly refusals: { event: Uuid; executor: string; refused: readonly Refusal[] }[];
}

interface Past {
  readonly standing: CallStanding | null;
  readonly runs: ReadonlyMap<Uuid, JudgedRun>;
  /** Positions of what was said for this call, and of its recurring triggers. */
  readonly answered: readonly number[];
  readonly revoked: readonly number[];
  readonly recurring: readonly number[];
}

function pastOf(log: SyncLog, stream: string, version: number): Past {
  let standing: CallStanding | null = null;
  let newest: JudgedRun | null = null;
  const runs = new Map<Uuid, JudgedRun>();
  const answered: number[] = [];
  const revoked: number[] = [];
  const recurring: number[] = [];
  for (const page of log.readSync({ stream, types: TYPES, toVersion: version })) {
    for (const row of page) {
      requireWhole(row);
      standing = foldStanding(standing, row);
      const { type, data, id, at } = parseEvent(row.event);
      switch (type) {
        case 'RunStarted':
          newest = { started: data, position: row.position, verdict: null, refusals: [] };
          runs.set(data.run, newest);
          break;
        case 'VerdictRecorded':
          if (newest !== null) newest.verdict = { event: id, at, record: data.verdict };
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
            runs.get(data.run)?.refusals.push({ event: id, executor: data.executor, refused: data.refused });
          break;
        default:
      }
    }
  }
  return { standing, runs, answered, revoked, recurring };
}

/** The other calls of the request, each at one version. */
function othersOf(
  log: SyncLog,
  calls: readonly Uuid[],
  own: Uuid,
): { stream: string; version: number; past: Past }[] {
  return calls
    .filter((each) => each !== own)
    .map((each) => {
      const stream = streamOf.call(each);
      const version = log.versionSync(stream);
      return { stream, version, past: pastOf(log, stream, version) };
    });
}

/**
 * Whether another call has a start that may have had this very effect: the same tool, the same arguments. What the user said once
 * is asked for once, under however many ids it is proposed. What can't be compared counts as the same.
 */
function sentTheSame(
  inputs: Resolver,
  { standing, runs }: Past,
  { tool }: RunStarted,
  sends: NonNullable<ReadFacts['sends']> | 'sealed',
): boolean {
  return (standing?.starts ?? []).some(({ outcome, data }) => {
    const run = runs.get(data.run);
    if (outcome === 'failed' || run === undefined || run.started.tool.stream !== tool.stream) return false;
    if (sends === 'sealed' || run.verdict === null) return true;
    const sent = sentBy(inputs, run.started, run.position, run.verdict.record);
    return sent === 'sealed' || sent === null || encode(sent.arguments) === encode(sends.arguments);
  });
}

/** The tools whose results measure a fact of the run, or make it stale. RULES R8b. */
function touchingTools(inputs: Resolver, started: RunStarted, position: number): ReadonlySet<string> {
  const { run } = inputs.resolve(started, position);
  const facts = run === null ? [] : rulesFor(run).facts;
  return new Set(
    facts.flatMap(({ measured_by, stale_after }) => [
      ...measured_by.map(({ tool }) => tool),
      ...stale_after.flatMap(({ tools }) => tools),
    ]),
  );
}

/** Whether another call was started since that may have changed what this run rests on; what failed changed nothing. */
function touched({ standing, runs }: Past, tools: ReadonlySet<string>, position: number): boolean {
  return (standing?.starts ?? []).some((start) => {
    const stream = runs.get(start.data.run)?.started.tool.stream;
    const name = stream === undefined ? null : parseStream(stream);
    return (
      start.position > position &&
      start.outcome !== 'failed' &&
      (name?.kind !== 'tool' || tools.has(name.name))
    );
  });
}

/** What the conversation holds beyond what the run saw. */
function saidSince(
  log: SyncLog,
  { conversation, segments }: RunStarted,
  touching: ReadonlySet<string>,
): { version: number; typed: number; measured: number } {
  let version = segments;
  let typed = 0;
  let measured = 0;
  const stream = streamOf.conversation(conversation);
  for (const page of log.readSync({ stream, fromVersion: segments })) {
    for (const row of page) {
      requireWhole(row);
      version = row.version + 1;
      const { segment } = row.event.data as DataOf<'SegmentAdded'>;
      if (segment.typed) typed++;
      if (segment.observes !== null && touching.has(segment.observes.tool)) measured++;
    }
  }
  return { version, typed, measured };
}

/** The tool and the arguments, read again at the places that the verdict names. */
function sentBy(
  inputs: Resolver,
  started: RunStarted,
  position: number,
  verdict: NonNullable<Facts['verdict']>['record'],
): ReadFacts['sends'] | 'sealed' {
  const { run, missing } = inputs.resolve(started, position);
  if (run === null) {
    throw new GroundsError(
      'executor/input-missing',
      'The log does not hold what this verdict rests on, so nothing is executed.',
      { facts: { ...missing }, hint: 'Run grounds replay on this log: it says what is missing.', exit: 3 },
    );
  }
  try {
    return { tool: run.tool, arguments: argumentsOf(run, verdict) };
  } catch (error) {
    if (!isGroundsError(error)) throw error;
    if (error.code === 'events/sealed') return 'sealed';
    // The words at a place that is sealed can't be read, which is no difference.
    const place = error.code === 'gate/place-differs' ? (error.facts.place as Place) : null;
    const segment = place === null || place.in === 'entry' ? undefined : run.segments[place.segment];
    if (segment !== undefined && 'sealed' in segment.body) return 'sealed';
    throw error;
  }
}

function requireWhole(row: StoredRow): void {
  const problem = checkRow(row);
  if (problem === null) return;
  throw new GroundsError(
    'executor/damaged',
    `The event at position ${row.position} is not what was recorded, so nothing is executed.`,
    {
      facts: { position: row.position, stream: row.stream, problem: problem.code },
      hint: 'Keep the file as it is; grounds replay says what else was changed.',
      exit: 4,
    },
  );
}
