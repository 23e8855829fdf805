import type { Entry } from './entry.ts';
import type { AnyEvent, DataOf } from './index.ts';
import { parseStream } from './streams.ts';

/** What an event speaks of, by its id: the question that is answered, the approval that is revoked. */
export interface SpokenOf {
  question(id: string): DataOf<'QuestionAsked'> | undefined;
  approval(id: string): DataOf<'ApprovalGranted'> | undefined;
}

/**
 * What one event gives the runs that come after it, in order: the only way from what was asked and said to a run's entries, so
 * that a replay makes them again from the log. RULES R9, R12.
 */
export function entriesFrom(event: AnyEvent, of: SpokenOf): Entry[] {
  switch (event.type) {
    case 'QuestionAsked':
      return event.data.notices.map((text) => ({ kind: 'notice', text }));
    case 'AnswerReceived': {
      const question = of.question(event.data.question);
      return [...answersFrom(event.data, question?.tool), ...refusalOf(question, event.data.declined)];
    }
    case 'ApprovalGranted':
      return [{ kind: 'approval', tool: event.data.tool, shown: event.data.shown, declined: false }];
    case 'ApprovalRevoked': {
      const granted = of.approval(event.data.approval);
      return granted === undefined
        ? []
        : [{ kind: 'approval', tool: granted.tool, shown: granted.shown, declined: true }];
    }
    case 'TriggerFired':
      return [{ kind: 'trigger', timing: event.data.timing, from: event.data.segments }];
    case 'SettingStored': {
      const stream = parseStream(event.stream);
      const { value, none, satisfies } = event.data;
      if (stream.kind !== 'setting') return [];
      const entry = { kind: 'setting', name: stream.name, value, none, attested_by: 'log' } as const;
      return [satisfies.length === 0 ? entry : { ...entry, satisfies }];
    }
    default:
      return [];
  }
}

/** Bound to the tool that the question was asked for, as an approval is: another one was asked nothing. */
function answersFrom({ answers }: DataOf<'AnswerReceived'>, tool: string | null | undefined): Entry[] {
  return answers.map(({ slot, value, none, candidate }) => ({
    kind: 'answer',
    slot,
    value,
    none,
    candidate,
    ...(tool == null ? {} : { tool }),
  }));
}

/** A no to what a question showed declines all of it. */
function refusalOf(question: DataOf<'QuestionAsked'> | undefined, declined: boolean): Entry[] {
  if (!declined || question === undefined || question.tool === null || question.shown.length === 0) return [];
  return [{ kind: 'approval', tool: question.tool, shown: question.shown, declined: true }];
}
