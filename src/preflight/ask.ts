import { GroundsError } from '../errors.ts';
import { type DataOf, makeEvent, streamOf } from '../events/index.ts';
import type { RunStarted } from '../events/run.ts';
import type { Verdict } from '../events/verdict.ts';
import type { RunInput } from '../gate/index.ts';
import type { Commit } from '../log/index.ts';
import type { RequestStanding } from '../projections/request-standing.ts';
import type { CallStanding, Question, StandingRun } from '../projections/standing.ts';
import { again } from '../runs/again.ts';
import { standingOf } from '../runs/standing.ts';
import type { Around } from './around.ts';
import { requestInForce } from './open-request.ts';
import { slotsText } from './question-text.ts';
import { type Asking, askingFor, type QuestionDraft } from './questions.ts';
import { openIntentQuestion, openQuestions, showsTheSame } from './standing-question.ts';
import { typedSince } from './typed-since.ts';
import { type AskedQuestion, waitingFor } from './waiting.ts';

/** What asking needs of a judged call. */
export interface Askable {
  readonly call: string;
  readonly run: string;
  readonly verdict: Verdict;
  readonly input: RunInput;
}

/**
 * Asks what a verdict leaves to the user: everything in one durable commit. For the same verdict once only: asked again, and
 * where an older question already asks the same, it gives what is still open and spends nothing. What may not be asked any
 * more is recorded as `AskCeilingReached`. RULES R13.
 *
 * @param options `anew`: the user was shown what waits and replied elsewhere, by choosing something else. What they meant is asked once
 * more for this verdict, and counts
 * @returns the questions that wait for the user; none where nothing is theirs to answer
 * @throws GroundsError `ask/not-newest` where the call was judged again since, `ask/typed-since` where the user typed something
 * since: judge it first; `preflight/abandoned`; those of the log
 */
export function ask(
  around: Around,
  judged: Askable,
  { anew = false }: { readonly anew?: boolean } = {},
): Promise<readonly AskedQuestion[]> {
  return again(async () => {
    const { log } = around;
    const { standing, request, run } = whatStands(around, judged);
    const waiting = (): readonly AskedQuestion[] => waitingFor(log, standing, request);
    if (standing.starts.some(({ data }) => data.run === run.id)) return [];
    // What was answered is to be judged before more is asked.
    if (standing.heard > run.verdict.position) return waiting();
    const conversation = streamOf.conversation(run.started.conversation);
    const said = log.versionSync(conversation);
    if (typedSince(log, run.started.conversation, run.verdict.position)) throw typedMeanwhile(judged);
    const asking = askingFor(judged.input, judged.verdict, standing, request);
    const commit = commitOf(around, run.started, asking, standing, request, anew);
    if (commit === null) return waiting();
    await log.append({
      ...commit,
      unchanged: [...(commit.unchanged ?? []), { stream: conversation, version: said }],
    });
    const after = whatStands(around, judged);
    return waitingFor(log, after.standing, after.request);
  });
}

type Judged = StandingRun & { readonly verdict: NonNullable<StandingRun['verdict']> };

function whatStands(
  { log }: Around,
  judged: Askable,
): { readonly standing: CallStanding; readonly request: RequestStanding; readonly run: Judged } {
  const standing = standingOf(log, judged.call);
  const run = standing?.run;
  if (standing === null || run == null || run.verdict === null || run.id !== judged.run) {
    throw new GroundsError('ask/not-newest', `Run ${judged.run} is not the newest of call ${judged.call}.`, {
      facts: { call: judged.call, run: judged.run, newest: run?.id ?? null },
      hint: 'Ask about the newest verdict of a call only.',
    });
  }
  const request = requestInForce(log, run.started.request);
  return { standing, request, run: { ...run, verdict: run.verdict } };
}

function typedMeanwhile({ call, run }: Askable): GroundsError {
  return new GroundsError('ask/typed-since', 'The user typed something after this verdict.', {
    facts: { call, run },
    hint: 'Judge the call again: what they typed may be what would be asked.',
  });
}

/** What is to be written, or null where everything is asked already. */
function commitOf(
  { log, clock, newId }: Around,
  started: RunStarted,
  asking: Asking,
  standing: CallStanding,
  request: RequestStanding,
  anew: boolean,
): Commit | null {
  const at = clock();
  const id = () => ({ id: newId(), at });
  const ofRequest = [];
  const ofCall = [];
  for (const { about, slot, asked } of asking.ceilings) {
    const known = request.ceilings.some(
      (reached) =>
        reached.about === about && reached.slot === slot && (slot === null || isOf(standing, reached.run)),
    );
    if (!known)
      ofRequest.push(makeEvent('AskCeilingReached', { run: started.run, about, slot, asked }, id()));
  }
  const open = openQuestions(standing);
  // Approvals may overlap, and a newer one closes an older one's: they are asked anew all together or not at all.
  const approvals = asking.questions.filter(({ about }) => about === 'approval');
  const approvalsStand = approvals.every((draft) => open.some((question) => showsTheSame(question, draft)));
  for (const draft of asking.questions) {
    if (draft.about === 'intent' || draft.about === 'tool') {
      const waits = openIntentQuestion(log, request)?.data;
      if (waits?.about === draft.about && (!anew || waits.run === started.run)) continue;
      ofRequest.push(makeEvent('QuestionAsked', questionData(started.run, draft), id()));
    } else if (draft.about === 'approval') {
      if (approvalsStand) continue;
      ofCall.push(makeEvent('QuestionAsked', questionData(started.run, draft), id()));
    } else {
      const left = notAskedYet(draft, open, standing);
      if (left !== null) ofCall.push(makeEvent('QuestionAsked', questionData(started.run, left), id()));
    }
  }
  if (ofRequest.length + ofCall.length === 0) return null;
  const stands = (stream: string, version: number) => ({ stream, version });
  const requestStream = streamOf.request(request.request);
  const callStream = streamOf.call(standing.call);
  return {
    writes: [
      ...(ofRequest.length === 0
        ? []
        : [{ stream: requestStream, expected: request.version, events: ofRequest }]),
      ...(ofCall.length === 0 ? [] : [{ stream: callStream, expected: standing.version, events: ofCall }]),
    ],
    unchanged: [
      ...(ofRequest.length === 0 ? [stands(requestStream, request.version)] : []),
      ...(ofCall.length === 0 ? [stands(callStream, standing.version)] : []),
    ],
  };
}

function isOf({ runs }: CallStanding, run: string | null): boolean {
  return run !== null && runs.includes(run);
}

/** What of a question for values no open question asks yet. null: nothing is left of it. */
function notAskedYet(
  draft: QuestionDraft,
  open: readonly Question[],
  { questions }: CallStanding,
): QuestionDraft | null {
  const slots = draft.slots.filter(
    ({ slot, candidate }) =>
      !open.some(
        (question) =>
          question.data.about === 'slots' &&
          question.open.includes(slot) &&
          // A candidate that turned up since is worth showing.
          (candidate === null || offers(question, slot)),
      ),
  );
  const notices = draft.notices.filter((text) => !questions.some(({ data }) => data.notices.includes(text)));
  if (slots.length + notices.length === 0) return null;
  return { ...draft, slots, notices, text: slotsText(slots, notices) };
}

function offers({ data }: Question, slot: string): boolean {
  return data.slots.some((asked) => asked.slot === slot && asked.candidate !== null);
}

function questionData(run: string, draft: QuestionDraft): DataOf<'QuestionAsked'> {
  const { about, slots, text, shown, tool, notices } = draft;
  return {
    run,
    about,
    slots: slots.map(({ slot, candidate }) => ({ slot, candidate })),
    text: { plain: text },
    shown: [...shown],
    tool,
    notices: [...notices],
  };
}
