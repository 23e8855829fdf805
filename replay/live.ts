import { isGroundsError } from '../src/errors.ts';
import type { Entry } from '../src/events/entry.ts';
import { type DataOf, parseEvent, parseStream } from '../src/events/index.ts';
import type { Json } from '../src/events/json.ts';
import { checkRow, type SyncLog } from '../src/log/index.ts';
import { lateTo } from '../src/projections/late.ts';
import { type CallStanding, foldStanding, startedOf } from '../src/projections/standing.ts';
import type { Baselines } from '../src/runs/baselines.ts';
import { settingEntries } from '../src/runs/setting-entries.ts';
import { requestOf, standingOf } from '../src/runs/standing.ts';
import { positionOfFirst, versionBefore } from '../src/runs/within-stream.ts';
import { firstDifference } from './difference.ts';
import type { Found, RecordedRun, StartedRun } from './recorded.ts';
import type { ReplayCode } from './report.ts';

/**
 * The request in which a call was opened: `CallOpened` stands right before the call's first event, since one commit wrote both.
 * null: it was not opened, as in an audit or a check. What its run says of itself has no part in it.
 */
export function openedIn(log: SyncLog, { stream, version, position }: StartedRun): string | null {
  const first = version === 0 ? position : positionOfFirst(log, stream);
  for (const page of first < 1 ? [] : log.readSync({ from: first - 1, to: first })) {
    for (const row of page) {
      // A row that can't be relied on is a finding of its own.
      if (row.type !== 'CallOpened' || checkRow(row) !== null) continue;
      const data = row.event.data as Partial<DataOf<'CallOpened'>> | null;
      const [call, name] = [parseStream(stream), parseStream(row.stream)];
      if (call.kind === 'call' && call.id === data?.call && name.kind === 'request') return name.id;
    }
  }
  return null;
}

/**
 * What a run of a call that was opened was given, made again from the log as it stood: the answers, approvals and triggers of its
 * call, the settings it looked at, what had been started, how often it had been asked, where its request began. What only a caller
 * or a hook said stands in the run with no event, and nothing can make that again. Of a baseline it is told that it is what the record
 * holds that it names, and that this was of the same action key and had succeeded; whether there was a newer one is not.
 */
export function givenOtherwise(log: SyncLog, run: RecordedRun, baselines: Baselines): Found | null {
  try {
    return compared(log, run, baselines);
  } catch (error) {
    // A row that can't be read is a finding of its own.
    if (isGroundsError(error)) return null;
    throw error;
  }
}

function compared(log: SyncLog, run: RecordedRun, baselines: Baselines): Found | null {
  const { started, position } = run;
  const otherwise = (code: ReplayCode, path: string, recorded: unknown, recomputed: unknown): Found => ({
    finding: 'INPUT_TAMPERED',
    code,
    at: position,
    path,
    recorded,
    recomputed,
  });
  const of = openedIn(log, run);
  const boundary = of === null ? 'assumed' : 'declared';
  if (started.request_boundary !== boundary)
    return otherwise('request', '/request_boundary', started.request_boundary, boundary);
  if (of === null) return null;
  if (started.request !== of) return otherwise('request', '/request', started.request, of);
  if (started.origin !== null) return otherwise('request', '/origin', started.origin, null);
  const request = requestOf(log, of, position);
  const asked = request?.asked ?? { intent: 0, tool: 0 };
  const opened = request?.opened ?? null;
  const unlike = firstDifference(
    { attempts: started.attempts, request_from: started.request_from, conversation: started.conversation },
    { attempts: asked, request_from: opened?.from ?? null, conversation: opened?.conversation ?? null },
  );
  if (unlike !== null) return otherwise('request', unlike.path, unlike.recorded, unlike.recomputed);

  const call = callBefore(log, run);
  if ('late' in call) return otherwise('late', `/${call.late}`, null, null);
  const { id = null, started: before } = call.standing?.run ?? {};
  if (started.supersedes !== id) return otherwise('supersedes', '/supersedes', started.supersedes, id);
  // Whose call it is it stays, and nobody else's settings are looked at.
  const { user = null } = started;
  const own = before?.user;
  if (own != null && user !== own) return otherwise('given', '/user', user, own);
  for (const { stream, version } of started.settings ?? []) {
    const of = parseStream(stream) as { readonly user?: string };
    if (user !== null && of.user !== user) return otherwise('setting', '/settings', stream, user);
    const held = versionBefore(log, stream, position);
    if (held !== version) return otherwise('setting', stream, version, held);
  }
  const looked = started.settings ?? [];
  const given = [
    ...looked.flatMap(({ stream, version }) => settingEntries(log, stream, version)),
    ...(call.standing?.said ?? []),
  ];
  const recorded = started.entries.filter(
    ({ event, entry }) => !ELSEWHERE.has(entry.kind) && (event !== null || FROM_EVENTS_ONLY.has(entry.kind)),
  );
  const difference = firstDifference(
    recorded as Json,
    given.map(({ event, entry }) => ({ event, entry })) as Json,
    '/entries',
  );
  if (difference !== null)
    return otherwise('given', difference.path, difference.recorded, difference.recomputed);
  const starts = firstDifference(
    started.entries.filter(({ entry }) => entry.kind === 'started') as Json,
    (request?.calls ?? []).flatMap((each) => startedBefore(log, each, position)) as Json,
    '/entries',
  );
  if (starts !== null) return otherwise('given', starts.path, starts.recorded, starts.recomputed);
  const { key } = started.action_key;
  for (const [index, given] of started.entries.entries()) {
    if (given.entry.kind !== 'baseline') continue;
    const { event } = given;
    const held = key === null || event === null ? null : baselines.named(key, event, position);
    const unlike =
      held === 'sealed' ? null : firstDifference(given as Json, held as Json, `/entries/${index}`);
    if (unlike !== null) return otherwise('given', unlike.path, unlike.recorded, unlike.recomputed);
  }
  return null;
}

function startedBefore(log: SyncLog, call: string, position: number): ReturnType<typeof startedOf> {
  const standing = standingOf(log, call, position);
  return standing === null ? [] : startedOf(standing);
}

/** Made from events of other calls. */
const ELSEWHERE: ReadonlySet<Entry['kind']> = new Set(['started', 'baseline']);
/** A live run takes these from the log and from nowhere else. */
const FROM_EVENTS_ONLY: ReadonlySet<Entry['kind']> = new Set(['answer', 'approval', 'trigger', 'notice']);

/** `late`: an answer to a question that was not open, or an approval of something else than was shown. */
function callBefore(
  log: SyncLog,
  { stream, version }: RecordedRun,
): { readonly standing: CallStanding | null } | { readonly late: string } {
  let standing: CallStanding | null = null;
  for (const page of version === 0 ? [] : log.readSync({ stream, toVersion: version })) {
    for (const row of page) {
      const late = lateTo(standing, parseEvent(row.event));
      if (late !== null) return { late: row.event.id };
      standing = foldStanding(standing, row);
    }
  }
  return { standing };
}
