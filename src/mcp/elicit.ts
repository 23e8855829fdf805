import { isGroundsError } from '../errors.ts';
import { isObject, type JsonObject } from '../events/json.ts';
import type { Around } from '../preflight/around.ts';
import { ask } from '../preflight/ask.ts';
import { abandon } from '../preflight/conversation.ts';
import type { Judged } from '../preflight/judge.ts';
import { answer, approve, decline } from '../preflight/reply.ts';
import type { AskedQuestion } from '../preflight/waiting.ts';
import type { Ask, AskedFor } from './ask-host.ts';
import { formOf, submitted } from './form.ts';
import type { Peer } from './peer.ts';
import { DECLINED, type OpenQuestion } from './refusal.ts';

export interface Eliciting {
  readonly around: Around;
  readonly host: Peer;
  /** Whether the host can ask its user by a form. */
  readonly elicits: () => boolean;
  /** How long a user may take, in milliseconds. */
  readonly patience: number;
}

/** What a user did with a form. */
type Reply = 'recorded' | 'declined' | 'gone' | 'empty' | 'silent';

/**
 * Records what a verdict leaves to the user, and asks the host's user for all of it in one form. An accepted form answers and
 * approves; a declined one declines; one that was closed, and one that nobody answered in time, says nothing: its questions stay
 * open, and are not put again for this proposal. A host without forms gets the questions with the refusal.
 */
export function elicitingHost({ around, host, elicits, patience }: Eliciting): Ask {
  const put = async (
    questions: readonly AskedQuestion[],
    judged: Judged,
    about: AskedFor,
  ): Promise<Reply> => {
    const { message, requestedSchema } = formOf(questions, judged.input);
    let result: JsonObject;
    try {
      result = await host.ask(
        'elicitation/create',
        { message, requestedSchema: requestedSchema as unknown as JsonObject },
        { timeout: patience, related: about.related, signal: about.signal },
      );
    } catch {
      // Too late, cancelled, gone, or a host that can't after all: nobody said anything.
      return 'silent';
    }
    const by = { user: about.user ?? null, known_by: 'form' as const };
    if (result.action === 'decline') {
      const refusable = questions.filter(
        ({ slots, shown, call }) => call === null || slots.length + shown.length > 0,
      );
      for (const { id } of refusable) await decline(around, { question: id, by });
      // Nothing was asked but whether to go on: there is nothing to judge again.
      if (refusable.length === 0) await abandon(around, about.at.request, 'said_so');
      return refusable.length === 0 ? 'gone' : 'declined';
    }
    if (result.action !== 'accept') return 'silent';
    const said = submitted(questions, isObject(result.content) ? result.content : {});
    for (const one of said) {
      const { question } = one;
      if (one.says === 'answers') await answer(around, { question, by, answers: one.answers });
      else if (one.says === 'yes') await approve(around, { question, by });
      else await decline(around, { question, by });
    }
    if (said.some(({ says }) => says === 'no')) return 'declined';
    return said.length === 0 ? 'empty' : 'recorded';
  };

  return async (judged, about) => {
    let reply: Reply;
    let open: OpenQuestion[] = [];
    try {
      const questions = await ask(around, judged);
      open = questions.map(openQuestion);
      if (!elicits() || questions.length === 0) return { heard: false, open, notes: [] };
      if (questions.every(({ id }) => about.put.has(id))) return { heard: false, open, notes: [UNANSWERED] };
      for (const { id } of questions) about.put.add(id);
      reply = await put(questions, judged, about);
    } catch (error) {
      // Something was said meanwhile, here or elsewhere, and closed what was asked: it settles that, and this answer nothing.
      if (isGroundsError(error) && MOVED.has(error.code)) return { heard: true, open: [], notes: [] };
      throw error;
    }
    if (reply === 'gone') return { heard: false, open: [], notes: [DECLINED] };
    if (reply === 'silent') return { heard: false, open, notes: [UNANSWERED] };
    const notes = reply === 'declined' ? [DECLINED] : [];
    // A no to saying what was meant leaves nothing to judge.
    const meant = open.some(({ about: what }) => what === 'intent' || what === 'tool');
    return { heard: !(meant && reply === 'declined'), open: [], notes };
  };
}

const UNANSWERED = 'The user was asked and has not answered.';
const MOVED = new Set(['ask/typed-since', 'ask/not-newest', 'ask/question-closed']);

function openQuestion({ id, about, slots, shown, text }: AskedQuestion): OpenQuestion {
  const of = about === 'approval' ? shown : slots;
  return { id, about, slots: of.map(({ slot }) => slot), text };
}
