import { GroundsError } from '../errors.ts';
import { type DataOf, makeEvent } from '../events/index.ts';
import type { Json } from '../events/json.ts';
import type { Question } from '../projections/standing.ts';
import { again } from '../runs/again.ts';
import { standingOf } from '../runs/standing.ts';
import type { Around } from './around.ts';
import { type By, responderOf } from './by.ts';
import { findQuestion, questionClosed } from './find-question.ts';
import { type At, newerThan, openAt, type Replied, record } from './open-at.ts';
import { requestInForce } from './open-request.ts';
import { readerOfSlot } from './read-answer.ts';
import { sayFor } from './say-for.ts';
import { offeredBy } from './waiting.ts';

export type { Replied } from './open-at.ts';

/** What is answered for one slot of a question. */
export type SlotAnswer = { readonly slot: string } & (
  | { readonly value: Json }
  /** As it was typed: read by the slot's reader, never by a model. */
  | { readonly text: string }
  /** There is none. */
  | { readonly none: true }
  /** The prior value that the question showed is to be taken again. */
  | { readonly candidate: true }
);

/**
 * Answers a question: some of its slots or all, in any order, over as many turns as it takes. What does not fit a slot is recorded
 * as it was said and settles nothing. The answer to a question about what was meant is what the user typed: it becomes part of the
 * conversation, in whose words act and timing are looked for; its one slot is `intent`. To use an answer, judge the call again.
 * RULES R9.
 *
 * @throws GroundsError `ask/no-question`, `ask/question-closed` (with the newer one), `ask/no-such-slot`, `ask/answered-twice`,
 * `ask/not-a-value`, `ask/no-candidate`, `ask/must-be-typed`, `preflight/other-user`, `preflight/abandoned`; those of the log
 */
export function answer(
  around: Around,
  given: { readonly question: string; readonly by: By; readonly answers: readonly SlotAnswer[] },
): Promise<Replied> {
  const { question, by, answers } = given;
  return again(async () => {
    requireOnce(answers);
    const found = findQuestion(around.log, question);
    if (found.kind === 'request') return sayFor(around, { question, request: found.id, by, answers });
    const at = openAt(around, found.id, question, by);
    if (at.question.data.about === 'approval') {
      throw refused('ask/not-a-value', 'This question shows values to be approved; it takes a yes or a no.', {
        question,
        hint: 'Approve or decline it; another value is given to the question that asks for it.',
      });
    }
    const misfits: string[] = [];
    const said = answers.map((one) => asRecorded(around, at, one, misfits));
    const typed = said.flatMap(({ typed: text }) => (text === null ? [] : [text]));
    return record(
      around,
      at,
      makeEvent(
        'AnswerReceived',
        {
          question,
          by: responderOf(around.log, by),
          answers: said.map(({ recorded }) => recorded),
          declined: false,
        },
        { id: around.newId(), at: around.clock() },
      ),
      { misfits, typed },
    );
  });
}

/**
 * Approves what a question shows, all of it: these values, for this tool, in this request. A yes to anything else it is not.
 *
 * @throws GroundsError as `answer`; `ask/not-an-approval`
 */
export function approve(
  around: Around,
  { question, by }: { readonly question: string; readonly by: By },
): Promise<Replied> {
  return again(async () => {
    const found = findQuestion(around.log, question);
    if (found.data.about !== 'approval' || found.data.tool === null) {
      throw refused('ask/not-an-approval', 'This question asks for values; a yes says none.', {
        question,
        hint: 'Answer it by slot.',
      });
    }
    const at = openAt(around, found.id, question, by);
    const { data } = at.question;
    const approval = makeEvent(
      'ApprovalGranted',
      {
        question,
        request: at.request.request,
        tool: found.data.tool,
        group: commonArray(data.shown.map(({ slot }) => slot)),
        shown: data.shown,
        text: data.text,
        by: responderOf(around.log, by),
      },
      { id: around.newId(), at: around.clock() },
    );
    return record(around, at, approval);
  });
}

/**
 * Says no: to the values that a question shows (they are declined, and not asked again), or to giving the values that it asks for
 * (they are not asked for again in this call). An earlier yes to the same values is void with it.
 *
 * @throws GroundsError as `answer`
 */
export function decline(
  around: Around,
  { question, by }: { readonly question: string; readonly by: By },
): Promise<Replied> {
  return again(async () => {
    const found = findQuestion(around.log, question);
    if (found.kind === 'request') return sayFor(around, { question, request: found.id, by, answers: null });
    const at = openAt(around, found.id, question, by);
    const no = makeEvent(
      'AnswerReceived',
      { question, by: responderOf(around.log, by), answers: [], declined: true },
      { id: around.newId(), at: around.clock() },
    );
    return record(around, at, no);
  });
}

/**
 * Takes an approval back. Of a call that was started it comes too late: the start used it up. Whoever does it: taking back lets
 * nothing run.
 *
 * @throws GroundsError `ask/no-approval`, `ask/approval-used`; those of the log
 */
export function revoke(
  around: Around,
  given: {
    readonly call: string;
    readonly approval: string;
    readonly by: By;
    readonly because?: 'said_no' | 'revoked';
  },
): Promise<Replied> {
  return again(async () => {
    const { call, approval, by, because = 'revoked' } = given;
    const standing = standingOf(around.log, call);
    const granted = standing?.approvals.get(approval);
    if (standing === null || granted === undefined || standing.revoked.has(approval)) {
      throw refused('ask/no-approval', `Call ${call} has no approval ${approval} that stands.`, {
        call,
        approval,
        hint: 'An approval is named by the event that granted it; it can be taken back once.',
      });
    }
    if (!standing.said.some(({ event }) => event === approval)) {
      throw refused('ask/approval-used', 'The call was started with this approval already.', {
        call,
        approval,
        hint: 'What ran can not be taken back here; report it if it was wrong.',
      });
    }
    const request = requestInForce(around.log, granted.request);
    const event = makeEvent(
      'ApprovalRevoked',
      { approval, by: responderOf(around.log, by), because },
      { id: around.newId(), at: around.clock() },
    );
    return record(around, { standing, request }, event);
  });
}

interface Recorded {
  readonly recorded: DataOf<'AnswerReceived'>['answers'][number];
  /** What has to stand in the conversation, since only the user's own words count for this slot. */
  readonly typed: string | null;
}

function asRecorded(
  around: Around,
  { standing, question }: At & { readonly question: Question },
  given: SlotAnswer,
  misfits: string[],
): Recorded {
  const { slot } = given;
  const asked = question.data.slots.find((each) => each.slot === slot);
  if (asked === undefined) {
    throw refused('ask/no-such-slot', `Question ${question.id} does not ask for ${slot}.`, {
      slot,
      asks: question.data.slots.map((each) => each.slot),
      hint: 'Answer the slots that it asks for.',
    });
  }
  if (!question.open.includes(slot)) throw questionClosed(question.id, newerThan(standing, question));
  const plain = (value: Json, more: Partial<Recorded['recorded']> = {}): Recorded => ({
    recorded: { slot, value: { plain: value }, none: false, candidate: null, ...more },
    typed: null,
  });
  const reader = readerOfSlot(around.log, standing, slot, around.clock());
  if (reader.onlyTyped && !('text' in given)) {
    throw refused('ask/must-be-typed', `For ${slot} only what the user types counts.`, {
      slot,
      hint: 'Give it as the text that they typed.',
    });
  }
  if ('none' in given) return plain(null, { none: true });
  if ('candidate' in given) {
    const offered = offeredBy(around.log, standing.call, question.data, asked.candidate);
    if (offered === undefined) {
      throw refused('ask/no-candidate', `Question ${question.id} showed no earlier value for ${slot}.`, {
        slot,
        hint: 'Give the value.',
      });
    }
    return plain(offered.value, { candidate: { origin: offered.origin } });
  }
  const read = 'text' in given ? reader.fromText(given.text) : reader.fromJson(given.value);
  if (read === undefined) misfits.push(slot);
  const value = read ?? ('text' in given ? given.text : given.value);
  const typed = reader.onlyTyped && 'text' in given ? given.text : null;
  return { ...plain('text' in given ? value : given.value), typed };
}

/** The array that all of it stands in; null where it doesn't. */
function commonArray(slots: readonly string[]): string | null {
  const arrays = slots.map((slot) => /^(.*)\/(?:0|[1-9][0-9]*)(?:\/[^/]*)*$/.exec(slot)?.[1] ?? null);
  const [first] = arrays;
  return first != null && arrays.every((array) => array === first) ? `${first}/*` : null;
}

function requireOnce(answers: readonly SlotAnswer[]): void {
  const slots = answers.map(({ slot }) => slot);
  const twice = slots.find((slot, index) => slots.indexOf(slot) !== index);
  if (twice !== undefined) {
    throw refused('ask/answered-twice', `${twice} is answered twice at once.`, {
      slot: twice,
      hint: 'Give one answer for each slot.',
    });
  }
  if (answers.length === 0) {
    throw refused('ask/no-answer', 'The answer answers nothing.', {
      hint: 'Give at least one slot; a no is `decline`.',
    });
  }
}

function refused(
  code: string,
  message: string,
  { hint, ...facts }: Record<string, unknown> & { hint: string },
): GroundsError {
  return new GroundsError(code, message, { facts, hint });
}
