import { isGroundsError } from '../errors.ts';
import { isObject, type JsonObject } from '../events/json.ts';
import type { Around } from '../preflight/around.ts';
import { ask } from '../preflight/ask.ts';
import type { Judged } from '../preflight/judge.ts';
import { answer, approve, decline } from '../preflight/reply.ts';
import type { AskedQuestion } from '../preflight/waiting.ts';
import type { Ask, AskedFor } from './ask-host.ts';
import { formOf, submitted } from './form.ts';
import type { Peer } from './peer.ts';
import type { OpenQuestion } from './refusal.ts';

export interface Eliciting {
  readonly around: Around;
  readonly host: Peer;
  /** Whether the host can ask its user by a form. */
  readonly elicits: () => boolean;
  /** How long a user may take, in milliseconds. */
  readonly patience: number;
}

/** What a user did with one question. */
type Reply = 'recorded' | 'declined' | 'empty' | 'silent';

/**
 * Records what a verdict leaves to the user, and asks the host's user by a form, one question after the other. An accepted form
 * answers or approves; a declined one declines; one that was closed, and one that nobody answered in time, says nothing: the
 * question stays open. A host without forms gets the questions with the refusal.
 */
export function elicitingHost({ around, host, elicits, patience }: Eliciting): Ask {
  const put = async (question: AskedQuestion, judged: Judged, about: AskedFor): Promise<Reply> => {
    const { message, requestedSchema } = formOf(question, judged.input);
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
      await decline(around, { question: question.id, by });
      return 'declined';
    }
    const said =
      result.action === 'accept' && isObject(result.content) ? submitted(question, result.content) : null;
    if (said === null) return result.action === 'accept' ? 'empty' : 'silent';
    if (said.says === 'answers') await answer(around, { question: question.id, by, answers: said.answers });
    else if (said.says === 'yes') await approve(around, { question: question.id, by });
    else await decline(around, { question: question.id, by });
    return said.says === 'no' ? 'declined' : 'recorded';
  };

  return async (judged, about) => {
    let questions: readonly AskedQuestion[];
    try {
      questions = await ask(around, judged);
    } catch (error) {
      // Something was said meanwhile: it may be what would be asked.
      if (isGroundsError(error) && MOVED.has(error.code)) return { heard: true, open: [], notes: [] };
      throw error;
    }
    if (!elicits()) return { heard: false, open: questions.map(openQuestion), notes: [] };
    let heard = false;
    const notes: string[] = [];
    for (const [index, question] of questions.entries()) {
      // Whoever does not answer one question is not asked the next, nor the same again.
      if (about.unanswered.has(question.id)) {
        return { heard, open: questions.slice(index).map(openQuestion), notes };
      }
      let reply: Reply;
      try {
        reply = await put(question, judged, about);
      } catch (error) {
        if (!isGroundsError(error) || !LATE.has(error.code)) throw error;
        // The answer came after something else had closed the question: it settles nothing, and the call is judged again.
        heard = true;
        continue;
      }
      // A notice waits for no answer: it was shown, and the next run finds that.
      const isNotice = question.about === 'slots' && question.slots.length === 0;
      heard ||= reply === 'recorded' || reply === 'declined' || (isNotice && reply === 'empty');
      if (reply === 'declined')
        notes.push('The user declined. Do not propose it again unless they ask for it.');
      // A no to saying what was meant leaves nothing to judge.
      if (reply === 'declined' && question.call === null) return { heard: false, open: [], notes };
      if (reply !== 'silent') continue;
      about.unanswered.add(question.id);
      notes.push('The user was asked and has not answered.');
      return { heard, open: questions.slice(index).map(openQuestion), notes };
    }
    return { heard, open: [], notes };
  };
}

const MOVED = new Set(['ask/typed-since', 'ask/not-newest']);
const LATE = new Set(['ask/question-closed', 'ask/not-newest']);

function openQuestion({ id, about, slots, shown, text }: AskedQuestion): OpenQuestion {
  const of = about === 'approval' ? shown : slots;
  return { id, about, slots: of.map(({ slot }) => slot), text };
}
