import { encode } from '../events/canonical.ts';
import { entriesFrom } from '../events/entries-from.ts';
import type { Entry } from '../events/entry.ts';
import { type AnyEvent, type DataOf, parseEvent, parseStream } from '../events/index.ts';
import type { RunStarted } from '../events/run.ts';
import type { Verdict } from '../events/verdict.ts';
import type { Folded } from './calls.ts';

/** A question of this call, and what of it is still open. */
export interface Question {
  readonly id: string;
  readonly at: string;
  readonly position: number;
  readonly data: DataOf<'QuestionAsked'>;
  /** The slots that nobody has answered yet; empty: it is closed, and an answer to it comes too late. */
  readonly open: readonly string[];
  /** The user said no to it. */
  readonly declined: boolean;
}

/** The newest run. */
export interface StandingRun {
  readonly id: string;
  readonly started: RunStarted;
  /** Position and version of its `RunStarted`. */
  readonly position: number;
  readonly version: number;
  /** null while its verdict has not come. */
  readonly verdict: {
    readonly event: string;
    readonly at: string;
    readonly position: number;
    readonly verdict: Verdict;
  } | null;
}

export interface Start {
  readonly id: string;
  readonly at: string;
  readonly position: number;
  readonly data: DataOf<'CallStarted'>;
  /** `open`: nobody knows yet. `unknown`: somebody said that nobody knows; only a measurement or a person settles it. */
  readonly outcome: 'open' | 'unknown' | 'succeeded' | 'failed';
}

/** What was said for this call, as entries of its next run, each with its event. */
export interface SaidEntry {
  readonly event: string;
  readonly position: number;
  readonly entry: Entry;
}

/** What stands of a call: what it was last judged as, what is asked and was said, and whether it was started. */
export interface CallStanding {
  readonly call: string;
  /** Of its stream, as read: what is appended must still find it so. */
  readonly version: number;
  /** Oldest first. */
  readonly runs: readonly string[];
  readonly run: StandingRun | null;
  readonly questions: readonly Question[];
  readonly said: readonly SaidEntry[];
  readonly approvals: ReadonlyMap<string, DataOf<'ApprovalGranted'>>;
  /** Those of them that were taken back. */
  readonly revoked: ReadonlySet<string>;
  /** The newest deferral that no newer run has replaced, with the triggers that fired for it. */
  readonly deferred: {
    readonly event: string;
    readonly data: DataOf<'CallDeferred'>;
    readonly fired: number;
  } | null;
  readonly starts: readonly Start[];
  /** Position of the newest answer, approval or revocation; -1 without one. */
  readonly heard: number;
}

/** One event of a call's stream, folded: pure. What says nothing of the call's standing only moves its version. */
export function foldStanding(
  before: CallStanding | null,
  { position, version, event }: Folded,
): CallStanding {
  // Lookups are most of a call's events: none of them is parsed for this.
  if (event.type === 'LookupPerformed')
    return { ...(before ?? beginning(event.stream)), version: version + 1 };
  return foldParsed(before, { position, version, event: parseEvent(event) });
}

/** The same of an event that is parsed already. */
export function foldParsed(
  before: CallStanding | null,
  {
    position,
    version,
    event,
  }: { readonly position: number; readonly version: number; readonly event: AnyEvent },
): CallStanding {
  const state = { ...(before ?? beginning(event.stream)), version: version + 1 };
  const said = (next: CallStanding): CallStanding => {
    const entries = entriesFrom(event, {
      question: (id) => state.questions.find((question) => question.id === id)?.data,
      approval: (id) => state.approvals.get(id),
    });
    const added = entries.map((entry) => ({ event: event.id, position, entry }));
    return added.length === 0 ? next : { ...next, said: [...next.said, ...added] };
  };
  switch (event.type) {
    case 'RunStarted':
      return {
        ...state,
        runs: [...state.runs, event.data.run],
        // Judged at the instruction once more: what was deferred before is not what stands now.
        deferred: event.data.entries.some(({ entry }) => entry.kind === 'trigger') ? state.deferred : null,
        run: { id: event.data.run, started: event.data, position, version, verdict: null },
      };
    case 'VerdictRecorded':
      return state.run === null
        ? state
        : {
            ...state,
            run: {
              ...state.run,
              verdict: { event: event.id, at: event.at, position, verdict: event.data.verdict },
            },
          };
    case 'QuestionAsked':
      return said({
        ...state,
        questions: [...closedBy(state.questions, event.data), questionOf(event, position)],
      });
    case 'AnswerReceived':
      return said({ ...state, heard: position, questions: answered(state.questions, event.data) });
    case 'ApprovalGranted':
      return said({
        ...state,
        heard: position,
        approvals: new Map([...state.approvals, [event.id, event.data]]),
        questions: approved(state.questions, event.data),
      });
    case 'ApprovalRevoked':
      return said({ ...state, heard: position, revoked: new Set([...state.revoked, event.data.approval]) });
    case 'CallDeferred':
      return { ...state, deferred: { event: event.id, data: event.data, fired: 0 } };
    case 'TriggerFired':
      return said({
        ...state,
        deferred: state.deferred === null ? null : { ...state.deferred, fired: state.deferred.fired + 1 },
      });
    case 'CallStarted':
      return {
        ...state,
        starts: [
          ...state.starts,
          { id: event.id, at: event.at, position, data: event.data, outcome: 'open' },
        ],
        questions: state.questions.map((question) => ({ ...question, open: [] })),
        // A start uses up the yes and the trigger that it rests on. RULES R9, R12.
        said: state.said.filter(({ entry }) => entry.kind !== 'trigger' && entry.kind !== 'approval'),
      };
    case 'CallSucceeded':
      return { ...state, starts: ended(state.starts, event.data.start, 'succeeded') };
    case 'CallFailed':
      return { ...state, starts: ended(state.starts, event.data.start, 'failed') };
    case 'CallOutcomeUnknown':
      return { ...state, starts: ended(state.starts, event.data.start, 'unknown') };
    case 'CallReconciled':
      return { ...state, starts: ended(state.starts, event.data.start, event.data.outcome) };
    default:
      return state;
  }
}

function beginning(stream: string): CallStanding {
  const name = parseStream(stream);
  return {
    call: name.kind === 'call' ? name.id : stream,
    version: 0,
    runs: [],
    run: null,
    questions: [],
    said: [],
    approvals: new Map(),
    revoked: new Set(),
    deferred: null,
    starts: [],
    heard: -1,
  };
}

function questionOf(event: Extract<AnyEvent, { type: 'QuestionAsked' }>, position: number): Question {
  const { id, at, data } = event;
  const slots =
    data.about === 'approval' ? data.shown.map(({ slot }) => slot) : data.slots.map(({ slot }) => slot);
  return {
    id,
    at,
    position,
    data,
    open: data.about === 'intent' || data.about === 'tool' ? ['intent'] : slots,
    declined: false,
  };
}

/**
 * A newer question takes the place of an older one's for the same slots: a late click can't land on the new values. One that asks
 * for values and one that shows them stand side by side, since a value may be given or approved; so do those of one verdict.
 */
function closedBy(questions: readonly Question[], newer: DataOf<'QuestionAsked'>): Question[] {
  const taken = new Set([...newer.slots.map(slotOf), ...newer.shown.map(slotOf)]);
  return questions.map((question) => {
    const { open, data } = question;
    if (open.length === 0 || data.run === newer.run || data.about !== newer.about) return question;
    // What was shown together is approved together or not at all.
    if (data.about !== 'approval') return without(question, taken);
    return open.some((slot) => taken.has(slot)) ? { ...question, open: [] } : question;
  });
}

function answered(questions: readonly Question[], answer: DataOf<'AnswerReceived'>): Question[] {
  return questions.map((question) => {
    if (question.id === answer.question && answer.declined) return { ...question, open: [], declined: true };
    if (question.data.about !== 'approval') return without(question, new Set(answer.answers.map(slotOf)));
    // Another value than the one that is shown: there is nothing left to approve.
    const other = answer.answers.some(({ slot, value, none }) =>
      question.data.shown.some(
        (item) => item.slot === slot && (none || encode(item.value) !== encode(value)),
      ),
    );
    return other ? { ...question, open: [] } : question;
  });
}

function approved(questions: readonly Question[], approval: DataOf<'ApprovalGranted'>): Question[] {
  const shown = new Set(approval.shown.map(slotOf));
  return questions.map((question) =>
    question.data.about === 'approval' && question.id !== approval.question
      ? question
      : without(question, shown),
  );
}

function without(question: Question, slots: ReadonlySet<string>): Question {
  return { ...question, open: question.open.filter((slot) => !slots.has(slot)) };
}

function slotOf({ slot }: { readonly slot: string }): string {
  return slot;
}

/** An outcome that is closed stays closed. */
function ended(starts: readonly Start[], id: string, outcome: Start['outcome']): Start[] {
  return starts.map((start) =>
    start.id === id && (start.outcome === 'open' || start.outcome === 'unknown')
      ? { ...start, outcome }
      : start,
  );
}

/** Nobody knows its end: it may have had its effect. */
export function isUnfinished(start: Start): start is Start & { readonly outcome: 'open' | 'unknown' } {
  return start.outcome === 'open' || start.outcome === 'unknown';
}

/** The starts of a call of which nobody knows the end, as entries of a later run of its request. RULES R9. */
export function startedOf({ run, starts }: CallStanding): { event: string; entry: Entry }[] {
  if (run === null) return [];
  const name = parseStream(run.started.tool.stream);
  const tool = name.kind === 'tool' ? name.name : run.started.tool.stream;
  const args = run.started.proposal?.prepared ?? { plain: null };
  return starts
    .filter(isUnfinished)
    .map(({ id }) => ({ event: id, entry: { kind: 'started', tool, arguments: args } }));
}
