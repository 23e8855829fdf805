import type { Checklist } from '../declarations/checklist.ts';
import type { ToolDeclaration } from '../declarations/tool.ts';
import { GroundsError } from '../errors.ts';
import { plainOf } from '../events/content.ts';
import { type DataOf, makeEvent, streamOf } from '../events/index.ts';
import type { Json } from '../events/json.ts';
import type { RunStarted } from '../events/run.ts';
import type { Verdict } from '../events/verdict.ts';
import type { Timing } from '../events/vocabulary.ts';
import { findWords } from '../gate/conversation.ts';
import { type RunInput, rulesFor } from '../gate/index.ts';
import type { SyncLog } from '../log/index.ts';
import type { CallStanding } from '../projections/standing.ts';
import { again } from '../runs/again.ts';
import { newestIn } from '../runs/newest-in.ts';
import { standingOf } from '../runs/standing.ts';
import type { Around } from './around.ts';
import type { Askable } from './ask.ts';
import { dueIn, dueOf } from './due.ts';
import { type Judged, judge } from './judge.ts';
import { requestInForce } from './open-request.ts';
import type { Proposed } from './proposed.ts';
import { typedSince } from './typed-since.ts';
import { whoseCall } from './whose.ts';

export interface Deferred {
  /** The `CallDeferred` event. */
  readonly event: string;
  readonly call: string;
  readonly timing: Exclude<Timing, 'immediate'>;
  /** The time that a schedule's words mean, before which no clock triggers it; null where they mean none. */
  readonly due: string | null;
}

/**
 * Keeps a call for later: a schedule, a condition, or again and again. Only from a schedulable verdict, the newest, with nothing
 * typed or answered since, and only if nothing could still have been asked: who is asked at the trigger is not there. Deferring the
 * same verdict again changes nothing. RULES R12, V10.
 *
 * @throws GroundsError `preflight/not-schedulable`, `preflight/still-open`, `preflight/judged-since`, `preflight/abandoned`; those
 * of the log
 */
export function defer(around: Around, judged: Askable): Promise<Deferred> {
  return again(async () => {
    const { log, clock, newId } = around;
    const { verdict } = judged;
    if (verdict.kind !== 'schedulable') {
      throw new GroundsError(
        'preflight/not-schedulable',
        `A verdict that is ${verdict.kind} defers nothing.`,
        {
          facts: { call: judged.call, kind: verdict.kind },
          hint: 'Only what is settled as far as it can be now waits for its trigger; answer what is open first.',
        },
      );
    }
    const open = stillOpen(verdict);
    if (open.length > 0) {
      throw new GroundsError('preflight/still-open', 'Something could still have been asked.', {
        facts: { call: judged.call, slots: open },
        hint: 'Ask for it and judge again: at the trigger nobody is there to be asked.',
      });
    }
    const standing = standingOf(log, judged.call);
    const run = standing?.run;
    if (standing === null || run == null || run.id !== judged.run || run.verdict === null)
      throw judgedSince(judged);
    const { deferred } = standing;
    if (deferred !== null && deferred.data.run === judged.run)
      return kept(judged, deferred.event, deferred.data);
    const conversation = streamOf.conversation(run.started.conversation);
    const said = log.versionSync(conversation);
    if (
      standing.heard > run.verdict.position ||
      typedSince(log, run.started.conversation, run.verdict.position)
    )
      throw judgedSince(judged);
    const request = requestInForce(log, run.started.request);
    const when = whenOf(judged.input, verdict, run.started.conversation);
    const event = makeEvent('CallDeferred', { run: judged.run, ...when }, { id: newId(), at: clock() });
    await log.append({
      writes: [{ stream: streamOf.call(judged.call), expected: standing.version, events: [event] }],
      unchanged: [
        { stream: conversation, version: said },
        { stream: streamOf.request(run.started.request), version: request.version },
      ],
    });
    return kept(judged, event.id, when);
  });
}

type When = Pick<DataOf<'CallDeferred'>, 'timing' | 'until'>;

function kept({ call, input }: Askable, event: string, when: When): Deferred {
  return { event, call, timing: when.timing, due: dueIn(input, when) };
}

/** What could still be asked or mended now. V10 leaves nothing of it; looked at once more, since nobody can be asked later. */
function stillOpen({ slots }: Verdict): string[] {
  return (slots ?? []).flatMap((state) => (state.state === 'unknown' && !state.pending ? [state.slot] : []));
}

function judgedSince({ call, run }: Askable): GroundsError {
  return new GroundsError('preflight/judged-since', `Run ${run} is not the last word on call ${call}.`, {
    facts: { call, run },
    hint: 'It was judged again, or something was typed or answered since: judge it again, and defer that.',
  });
}

/** The timing that a verdict rests on, and the place of the user's words for it. */
function whenOf(run: RunInput, verdict: Verdict, conversation: string): When {
  const when = verdict.intent.find(({ slot }) => slot === 'when');
  const detail = verdict.intent.find(({ slot }) => slot.startsWith('when/'));
  const timing = detail?.slot.slice('when/'.length) ?? judgedTiming(run) ?? saidTiming(run, when);
  if (timing !== 'scheduled' && timing !== 'conditional' && timing !== 'recurring') {
    // An immediate call that was judged early waits for nothing but to be judged at the trigger.
    throw new GroundsError(
      'preflight/not-schedulable',
      'The call is to be made now; nothing is to be waited for.',
      {
        facts: { timing: timing ?? null },
        hint: 'Judge it at the trigger: phase at_trigger.',
      },
    );
  }
  const place = [detail, when]
    .map((state) => (state?.state === 'known' ? state.place : null))
    .find((at) => at != null);
  return { timing, until: place === undefined || place === null ? null : { conversation, at: place } };
}

function judgedTiming(run: RunInput): string | null {
  const entry = run.entries.findLast(({ kind }) => kind === 'timing');
  return entry?.kind === 'timing' ? entry.timing : null;
}

function saidTiming(run: RunInput, when: Verdict['intent'][number] | undefined): string | null {
  const place = when?.state === 'known' ? when.place : null;
  const segment = place?.in === 'text' ? run.segments[place.segment] : undefined;
  if (place?.in !== 'text' || segment === undefined) return null;
  const { timing } = rulesFor(run);
  for (const kind of ['immediate', 'scheduled', 'conditional', 'recurring'] as const) {
    const spans = findWords(segment, timing[kind]?.words ?? []);
    if (spans.some(({ start, end }) => start === place.start && end === place.end)) return kind;
  }
  return null;
}

export interface Trigger {
  readonly call: string;
  /** What fired: the clock, an event, or a measured threshold. */
  readonly by: 'clock' | 'event' | 'threshold';
  /** What it said of itself. */
  readonly detail?: Json;
  /** The tool as its server declares it now. Left out: as the driver holds it, else as it was declared last in the log. */
  readonly tool?: ToolDeclaration;
  /** The caller's id of the user, whose settings are looked up again. Left out: whose call it was. */
  readonly user?: string;
  /** Settings that the caller brings, as they are now. */
  readonly settings?: Proposed['settings'];
  readonly now?: string | null;
}

/**
 * A trigger fired: it is recorded, and the call is judged anew. Carried are what was said up to then, the user's own rules, answers,
 * approvals, the act and the timing; fetched again are the tool, the other checklists, settings and all measurements: what was
 * measured before the trigger is stale to the gate, so that hooks are asked again. One run and one verdict a trigger; only a recurring
 * call has a second one. Where the process ended between the two, the same trigger again only judges. A clock triggers nothing before
 * the time that the user's words mean; that an event or a condition came about is the caller's word. RULES R12.
 *
 * @throws GroundsError `preflight/not-deferred`, `preflight/already-triggered`, `preflight/not-due`, `preflight/abandoned`; those of `judge`
 */
export async function trigger(around: Around, fired: Trigger): Promise<Judged> {
  const { started } = await again(() => recordTrigger(around, fired));
  const { log, declared } = around;
  const proposal = started.proposal;
  const args =
    proposal === null
      ? null
      : proposal.prepared !== null
        ? plainOf(proposal.prepared)
        : proposal.received === null
          ? null
          : plainOf(proposal.received);
  const now = { ...around, declared: { ...declared, checklists: withUsersOwn(around, started) } };
  return judge(now, {
    conversation: started.conversation,
    request: started.request,
    call: fired.call,
    tool: fired.tool ?? toolNow(log, declared, started),
    arguments: args,
    phase: 'at_trigger',
    ...(fired.user === undefined ? {} : { user: fired.user }),
    ...(fired.settings === undefined ? {} : { settings: fired.settings }),
    ...(fired.now === undefined ? {} : { now: fired.now }),
  });
}

async function recordTrigger(
  { log, clock, newId }: Around,
  { call, by, detail, user }: Trigger,
): Promise<{ readonly started: RunStarted }> {
  const standing = standingOf(log, call);
  const run = standing?.run;
  if (standing === null || run == null || standing.deferred === null) {
    throw new GroundsError('preflight/not-deferred', `Call ${call} waits for no trigger.`, {
      facts: { call },
      hint: 'Defer a schedulable verdict first; one that was judged again since has to be deferred again.',
    });
  }
  whoseCall(log, standing, user);
  const request = requestInForce(log, run.started.request);
  const { event: deferred, data, fired } = standing.deferred;
  if (fired > 0 && !wasJudged(standing)) return { started: run.started };
  if (fired > 0 && data.timing !== 'recurring') {
    throw new GroundsError('preflight/already-triggered', `The trigger of call ${call} fired already.`, {
      facts: { call, timing: data.timing },
      hint: 'A scheduled or conditional call is made once. Judge it again with its own id, or let the user ask anew.',
    });
  }
  const at = clock();
  const due = by === 'clock' ? dueOf(log, standing) : null;
  if (due !== null && Date.parse(at) < Date.parse(due)) throw notDue(call, due, at);
  const segments = log.versionSync(streamOf.conversation(run.started.conversation));
  const event = makeEvent(
    'TriggerFired',
    {
      deferred,
      timing: data.timing,
      by,
      detail: detail === undefined ? null : { plain: detail },
      segments,
    },
    { id: newId(), at },
  );
  await log.append({
    writes: [{ stream: streamOf.call(call), expected: standing.version, events: [event] }],
    unchanged: [
      { stream: streamOf.conversation(run.started.conversation), version: segments },
      { stream: streamOf.request(run.started.request), version: request.version },
    ],
  });
  return { started: run.started };
}

function notDue(call: string, due: string, now: string): GroundsError {
  return new GroundsError('preflight/not-due', `Call ${call} is due at ${due}; it is ${now}.`, {
    facts: { call, due, now },
    hint: 'Trigger it from then on. If the user wants it sooner, let them say so and judge it again.',
  });
}

/** Whether a run has seen the newest trigger; one that was used up by a start was seen. */
export function wasJudged({ run, said }: CallStanding): boolean {
  const newest = said.findLast(({ entry }) => entry.kind === 'trigger');
  return newest === undefined || (run !== null && newest.position < run.position);
}

/** The checklists that are declared now, and of the user's own those that nobody declares anew: these are carried. RULES R12, R19. */
function withUsersOwn({ log, declared }: Around, started: RunStarted): Around['declared']['checklists'] {
  const now = new Set(declared.checklists.map(({ body }) => `${body.declared_by} ${body.checklist}`));
  const carried = started.checklists.flatMap(({ stream, digest }) => {
    for (const page of log.readSync({ stream })) {
      for (const { event } of page) {
        const data = event.data as DataOf<'ChecklistDeclared'>;
        if (data.digest !== digest || data.declared_by !== 'user') continue;
        const body = data.body as unknown as Checklist;
        return now.has(`user ${body.checklist}`) ? [] : [{ digest, body }];
      }
    }
    return [];
  });
  return [...declared.checklists, ...carried];
}

function toolNow(log: SyncLog, declared: Around['declared'], started: RunStarted): ToolDeclaration {
  const event = newestIn(log, started.tool.stream);
  if (event === null) throw new Error(`no declaration in ${started.tool.stream}`);
  const newest = (event.data as DataOf<'ToolDeclared'>).tool as ToolDeclaration;
  const held = declared.tools.get(newest.name);
  return held?.server === newest.server ? held : newest;
}
