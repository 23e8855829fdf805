import { encode } from '../events/canonical.ts';
import type { AnyEvent } from '../events/index.ts';
import type { CallStanding, Question } from './standing.ts';

/** Why an answer or an approval can't be taken. */
export type Late = 'no_question' | 'closed' | 'slot_not_asked' | 'not_shown';

/**
 * Whether an event answers what nobody asks (any more), or approves what nobody was shown: answers go to open questions only,
 * and an approval binds what its question showed. null: it may stand there. RULES R9.
 */
export function lateTo(standing: CallStanding | null, event: Pick<AnyEvent, 'type' | 'data'>): Late | null {
  const asked = event as AnyEvent;
  if (asked.type === 'AnswerReceived') {
    const question = questionOf(standing, asked.data.question);
    if (question === undefined) return 'no_question';
    if (question.open.length === 0) return 'closed';
    return asked.data.answers.every(({ slot }) => question.open.includes(slot)) ? null : 'slot_not_asked';
  }
  if (asked.type === 'ApprovalGranted' && asked.data.question !== null) {
    const question = questionOf(standing, asked.data.question);
    if (question === undefined) return 'no_question';
    if (question.open.length === 0) return 'closed';
    const shown = new Set(question.data.shown.map((each) => encode(each)));
    const same =
      question.data.tool === asked.data.tool && asked.data.shown.every((each) => shown.has(encode(each)));
    return same ? null : 'not_shown';
  }
  return null;
}

function questionOf(standing: CallStanding | null, id: string): Question | undefined {
  return standing?.questions.find((question) => question.id === id);
}
