import { GroundsError } from '../errors.ts';
import { type DataOf, parseStream } from '../events/index.ts';
import type { SyncLog } from '../log/index.ts';

/** Where a question stands. */
export interface QuestionAt {
  /** `request`: it is about intent or tool. */
  readonly kind: 'call' | 'request';
  readonly id: string;
  readonly data: DataOf<'QuestionAsked'>;
}

/**
 * Finds a question by its id, the newest first: the ones that can be answered stand near the end of a log.
 *
 * @throws GroundsError `ask/no-question`
 */
export function findQuestion(log: SyncLog, id: string): QuestionAt {
  for (const page of log.readSync({ types: ['QuestionAsked'], direction: 'backward' })) {
    for (const { event } of page) {
      if (event.id !== id) continue;
      const stream = parseStream(event.stream);
      if (stream.kind !== 'call' && stream.kind !== 'request') continue;
      return { kind: stream.kind, id: stream.id, data: event.data as DataOf<'QuestionAsked'> };
    }
  }
  throw new GroundsError('ask/no-question', `There is no question ${id}.`, {
    facts: { question: id },
    hint: 'Answers carry the id of the question that was asked.',
  });
}

/** A question that takes no answer any more, with the one that took its place. */
export function questionClosed(question: string, newer: string | null): GroundsError {
  return new GroundsError('ask/question-closed', `Question ${question} is closed.`, {
    facts: { question, newer },
    hint:
      newer === null
        ? 'It was answered, or what it asked about is settled; judge the call again to see what is open.'
        : `Another took its place: ${newer}. Show that one, and answer what it asks.`,
  });
}
