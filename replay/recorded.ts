import { encode } from '../src/events/canonical.ts';
import { parseExact } from '../src/events/ingress.ts';
import type { Json } from '../src/events/json.ts';
import type { Lookup, LookupRequest, Subject } from '../src/events/lookup.ts';
import type { LookupPerformed, RunStarted } from '../src/events/run.ts';
import type { Verdict } from '../src/events/verdict.ts';
import { firstDifference } from './difference.ts';
import type { ReplayCode, RunReplay } from './report.ts';
import type { Resolver } from './resolve.ts';

/** One run as it stands in its call's stream, whole. */
export interface RecordedRun {
  readonly stream: string;
  /** Position and version of its `RunStarted`. */
  readonly position: number;
  readonly version: number;
  readonly started: RunStarted;
  readonly walks: readonly { readonly position: number; readonly walk: LookupPerformed }[];
  readonly verdict: { readonly position: number; readonly verdict: Verdict };
}

/** Where a run stands, and what it was started with. */
export type StartedRun = Pick<RecordedRun, 'stream' | 'position' | 'version' | 'started'>;

/** A finding, before what every one of a run has in common. */
export type Found = Pick<RunReplay, 'finding'> &
  Partial<Pick<RunReplay, 'code' | 'at' | 'path' | 'recorded' | 'recomputed'>>;

/** A recorded lookup with the position of its event. */
export interface Recorded {
  readonly at: number;
  readonly lookup: Lookup;
}

/** What the log's own words settle, without a gate. */
export function withinTheLog(
  run: RecordedRun,
  lookups: readonly Recorded[],
  resolver: Resolver,
): Found | null {
  const { started, verdict, walks } = run;
  const answers = new Map<string, Lookup>();
  for (const { at, lookup } of lookups) {
    const id = idOf(lookup.request);
    const other = answers.get(id);
    if (other !== undefined) {
      const same = firstDifference(other.outcome as Json, lookup.outcome as Json) === null;
      const path = pathOf(lookup.request);
      return tampered(same ? 'two_walks' : 'two_answers', at, { path, recorded: lookup.outcome });
    }
    answers.set(id, lookup);
  }
  const subjects = new Set<string>();
  for (const { position, walk } of walks) {
    const subject = subjectOf(walk.subject);
    if (subjects.has(subject)) return tampered('two_walks', position, { recorded: walk.subject });
    subjects.add(subject);
  }
  const difference = firstDifference(verdict.verdict.rests_on as Json, restsOn(started) as Json, '/rests_on');
  if (difference !== null) {
    const { path, recorded, recomputed } = difference;
    return tampered('rests_on', verdict.position, { path, recorded, recomputed });
  }
  return withinTheStart(run, resolver);
}

/** The same of its `RunStarted` alone. */
export function withinTheStart(run: StartedRun, resolver: Resolver): Found | null {
  const { started } = run;
  if (started.origin === null) return null;
  // An imported call's runs follow one another, and its arguments are what was received; a live run says so itself.
  const before = run.version === 0 ? null : resolver.runBefore(run.stream, run.version);
  if (before !== started.supersedes) {
    const path = '/supersedes';
    return tampered('supersedes', run.position, { path, recorded: started.supersedes, recomputed: before });
  }
  const unlike = receivedOtherwise(started.proposal);
  return unlike === null ? null : tampered('received', run.position, { path: unlike });
}

function tampered(code: ReplayCode, at: number, rest: Omit<Found, 'finding'> = {}): Found {
  return { finding: 'INPUT_TAMPERED', code, at, ...rest };
}

/** No values: they are a person's. */
function receivedOtherwise(proposal: RunStarted['proposal']): string | null {
  const { received = null, prepared = null } = proposal ?? {};
  if (received === null || prepared === null || !('plain' in received) || !('plain' in prepared)) return null;
  const read = parseExact(received.plain);
  if ('fault' in read) return '/proposal/received';
  return firstDifference(prepared.plain, read.value, '/proposal/prepared/plain')?.path ?? null;
}

/** What a verdict must rest on, by what its run was started with. */
export function restsOn(started: RunStarted): Verdict['rests_on'] {
  return {
    gate: started.gate,
    ruleset: started.ruleset,
    tool: started.tool.digest,
    checklists: [...started.checklists, ...started.unsound]
      .map(({ digest }) => digest)
      .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
  };
}

/** `slot /amount instruction`, `fact offer[1] measured_data`. */
export function pathOf({ subject, source }: LookupRequest): string {
  return `${subjectOf(subject)} ${source}`;
}

function subjectOf(subject: Subject): string {
  if ('slot' in subject) return `slot ${subject.slot}`;
  return `fact ${subject.fact}${subject.index === null ? '' : `[${subject.index}]`}`;
}

/** As telling as a request's canonical bytes, and sooner made: subject and source stand apart by their kinds and order. */
export function idOf({ subject, source, key }: LookupRequest): string {
  const name = 'slot' in subject ? `s${subject.slot}` : `f${subject.index ?? ''} ${subject.fact}`;
  return `${source} ${Object.keys(key).length === 0 ? '' : encode(key)} ${name}`;
}
