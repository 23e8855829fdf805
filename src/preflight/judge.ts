import { GroundsError } from '../errors.ts';
import { plainOf } from '../events/content.ts';
import { digestOf, digestOfBuilt } from '../events/digest.ts';
import type { Entry } from '../events/entry.ts';
import { EVENTS, makeEvent, streamOf } from '../events/index.ts';
import type { Segment } from '../events/segment.ts';
import type { Verdict } from '../events/verdict.ts';
import { isGated, type RunInput, rulesFor } from '../gate/index.ts';
import { takesRange } from '../gate/standing-ranges.ts';
import type { Commit } from '../log/index.ts';
import { noRequestYet, type RequestStanding } from '../projections/request-standing.ts';
import type { CallStanding } from '../projections/standing.ts';
import { again } from '../runs/again.ts';
import { segmentsOf } from '../runs/conversation.ts';
import { undeclaredYet } from '../runs/held.ts';
import { declarationsOf, type MakeEvent, runEvents } from '../runs/run-events.ts';
import { requestOf, standingOf } from '../runs/standing.ts';
import { type AnsweredOtherwise, answeredOtherwise } from './answered-otherwise.ts';
import type { Around } from './around.ts';
import { actionKeyIn, baselineFor } from './baseline.ts';
import { driveLive } from './drive-live.ts';
import { followed } from './follows.ts';
import { inForce, type OpenRequest } from './open-request.ts';
import { type Proposed, proposalOf } from './proposed.ts';
import { settingsOf } from './settings-of.ts';
import { startedElsewhere } from './started.ts';
import { whoseCall } from './whose.ts';

/** A judged call, as the log now holds it. */
export interface Judged {
  readonly call: string;
  readonly run: string;
  readonly verdict: Verdict;
  readonly verdict_digest: string;
  /** false: declared reversible, so nothing need stand in its way (R20). */
  readonly gated: boolean;
  /** What the gate was given. */
  readonly input: RunInput;
  /** As the log holds it: opaque; null where there is none. */
  readonly action_key: string | null;
  /** What the user answered and the proposal contradicts: nothing is asked about it, propose the call with these values. */
  readonly answered_otherwise: readonly AnsweredOtherwise[];
}

/** Calls of one request are judged on what the others have come to, so parallel ones make way for one another. */
const TRIES = 32;

/**
 * Judges one call and records it in one durable commit: what is new of its conversation, what is declared, what hooks measured,
 * its lookups and its verdict. Nothing is executed here, and nobody is asked.
 *
 * @throws GroundsError `preflight/no-request` where the request was never opened, `preflight/other-conversation`,
 * `preflight/other-request`, `preflight/other-user`, `preflight/abandoned`; those of the log
 */
export function judge(around: Around, proposed: Proposed): Promise<Judged> {
  return again(() => judgeOnce(around, proposed), TRIES);
}

async function judgeOnce(around: Around, proposed: Proposed): Promise<Judged> {
  const { log, clock, newId } = around;
  const { standing, user, held, request, draft, known, undeclared } = log.atOnce(() =>
    readWhatStands(around, proposed),
  );
  const brought = proposed.segments ?? [];
  const judgement = await around.world.judge({ ...draft, entries: known.entries.map(({ entry }) => entry) });
  const { state, key } = judgement.action_key;
  const action_key = key === null ? null : actionKeyIn(log, key);
  const baseline = action_key === null || !inherits(draft) ? null : baselineFor(log, action_key);
  const entries = [
    ...(baseline === null ? [] : [baseline]),
    ...known.entries,
    ...judgement.entries.map((entry) => ({ event: null, entry })),
  ];
  const { run, driven, added } = await driveLive(
    { ...draft, action_key: state, entries: entries.map(({ entry }) => entry) },
    around.world,
  );

  const at = clock();
  const made: MakeEvent = (type, data) => makeEvent(type, data, { id: newId(), at });
  // What the gate found has its shape from the gate's own types; all that came from outside is checked.
  const found: MakeEvent = (type, data) => ({ type, schema: EVENTS[type].schema, id: newId(), at, data });
  const id = newId();
  const prepared = run.proposal?.prepared;
  const gated = isGated(run, prepared === null || prepared === undefined ? undefined : plainOf(prepared));
  const place = {
    id,
    request: proposed.request,
    conversation: proposed.conversation,
    supersedes: standing?.run?.id ?? null,
    environment: around.environment,
    origin: null,
    gated,
    live: {
      follows: standing === null ? followed(log, request) : (standing.run?.started.follows ?? null),
      action_key,
      entries: entries.map(({ event }) => event),
      settings: known.looked,
      user,
    },
  };
  const opensCall = !request.calls.includes(proposed.call);
  const commit: Commit = {
    writes: [
      ...undeclared,
      ...segmentsWrite(proposed.conversation, held.length, [...brought, ...added], made),
      ...(opensCall
        ? [
            {
              stream: streamOf.request(proposed.request),
              expected: request.version === 0 ? ('none' as const) : request.version,
              events: [
                ...(request.version === 0 ? [made('RequestOpened', request.opened)] : []),
                made('CallOpened', { call: proposed.call }),
              ],
            },
          ]
        : []),
      {
        stream: streamOf.call(proposed.call),
        expected: standing?.version ?? ('none' as const),
        events: runEvents(run, driven, place, made, found),
      },
    ],
    unchanged: [
      ...known.looked,
      ...known.beside,
      ...(opensCall ? [] : [{ stream: streamOf.request(proposed.request), version: request.version }]),
    ],
  };
  await log.append(commit);
  const { verdict } = driven;
  return {
    call: proposed.call,
    run: id,
    verdict,
    verdict_digest: digestOfBuilt(verdict),
    gated,
    input: run,
    action_key,
    answered_otherwise: answeredOtherwise(run, verdict),
  };
}

interface WhatStands {
  readonly standing: CallStanding | null;
  /** Opaque; null where nobody said. */
  readonly user: string | null;
  /** The conversation as the log holds it. */
  readonly held: readonly Segment[];
  readonly request: OpenRequest;
  /** The run, before anything was asked of anybody. */
  readonly draft: RunInput;
  readonly known: Known;
  /** The declarations of its tool and checklists that are not the newest of their streams. */
  readonly undeclared: Commit['writes'];
}

function readWhatStands(around: Around, proposed: Proposed): WhatStands {
  const { log, declared, clock, newId } = around;
  const standing = standingOf(log, proposed.call);
  const held = segmentsOf(log, proposed.conversation);
  const request = openRequest(around, proposed, held.length);
  requireItsOwn(proposed, standing);
  const user = whoseCall(log, standing, proposed.user);
  const draft: RunInput = {
    gate: declared.gate,
    ruleset: declared.ruleset,
    phase: proposed.phase ?? 'at_trigger',
    now: proposed.now === undefined ? clock() : proposed.now,
    attempts: request.asked,
    proposal: proposalOf(proposed.arguments),
    tool: proposed.tool,
    tool_digest: digestOf(proposed.tool),
    checklists: declared.checklists,
    unsound: declared.unsound,
    action_key: 'ok',
    segments: [...held, ...(proposed.segments ?? [])],
    request_from: request.opened.from,
    entries: [],
  };
  const at = clock();
  const made: MakeEvent = (type, data) => makeEvent(type, data, { id: newId(), at });
  return {
    standing,
    user,
    held,
    request,
    draft,
    known: entriesOf(around, proposed, user, draft, standing, request),
    undeclared: declarationsOf(draft, made).flatMap((declaration) => undeclaredYet(log, declaration)),
  };
}

/** Only where some slot may read it: an entry that no slot reads would be a value in the log for nothing. RULES R10. */
function inherits(run: RunInput): boolean {
  return rulesFor(run).slots.some(({ sources }) => sources?.includes('prior_state') === true);
}

function openRequest({ log }: Around, proposed: Proposed, held: number): OpenRequest {
  const { request: id, conversation } = proposed;
  const standing = requestOf(log, id);
  if (standing === null && proposed.opens === true)
    return { ...noRequestYet(id), opened: { conversation, from: held } };
  const request = inForce(id, standing);
  if (request.opened.conversation !== conversation) {
    throw new GroundsError('preflight/other-conversation', `Request ${id} belongs to another conversation.`, {
      facts: { request: id, conversation, opened_in: request.opened.conversation },
      hint: 'Give the conversation in which the request was opened.',
    });
  }
  return request;
}

/** What was answered and approved for a call holds for its request and no other. RULES R9. */
function requireItsOwn({ call, request }: Proposed, standing: CallStanding | null): void {
  const own = standing?.run?.started.request;
  if (own === undefined || own === request) return;
  throw new GroundsError('preflight/other-request', `Call ${call} belongs to another request.`, {
    facts: { call, request, of: own },
    hint: 'Give what is proposed for this request a call of its own: a new id.',
  });
}

interface Known {
  readonly entries: readonly { readonly event: string | null; readonly entry: Entry }[];
  readonly looked: readonly { readonly stream: string; readonly version: number }[];
  /** Of the request's other calls. */
  readonly beside: readonly { readonly stream: string; readonly version: number }[];
}

/** What the log and the caller know, oldest word first within each: what was said for this call comes last and so counts. */
function entriesOf(
  { log }: Around,
  { call, settings = {} }: Proposed,
  user: string | null,
  draft: RunInput,
  standing: CallStanding | null,
  request: RequestStanding,
): Known {
  const rules = rulesFor(draft);
  const names = rules.slots.flatMap(({ setting }) => setting ?? []);
  const labels = { tool: draft.tool_digest, ids: rules.labels.filter(takesRange).map(({ id }) => id) };
  const stored = user === null ? { entries: [], looked: [] } : settingsOf(log, user, names, labels);
  const brought = Object.keys(settings).map((name) => ({
    event: null,
    entry: {
      kind: 'setting' as const,
      name,
      value: { plain: settings[name] ?? null },
      none: settings[name] === null,
      attested_by: 'caller' as const,
    },
  }));
  const started = startedElsewhere(log, request, call);
  return {
    beside: started.looked,
    entries: [
      ...brought,
      ...stored.entries,
      ...started.entries,
      ...(standing?.said ?? []).map(({ event, entry }) => ({ event, entry })),
    ],
    looked: stored.looked,
  };
}

function segmentsWrite(
  conversation: string,
  held: number,
  segments: readonly Segment[],
  made: MakeEvent,
): Commit['writes'] {
  if (segments.length === 0) return [];
  return [
    {
      stream: streamOf.conversation(conversation),
      expected: held === 0 ? 'none' : held,
      events: segments.map((segment) => made('SegmentAdded', { segment, source: null })),
    },
  ];
}
