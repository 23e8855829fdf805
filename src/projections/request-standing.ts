import { type DataOf, parseEvent, parseStream } from '../events/index.ts';
import type { Folded } from './calls.ts';

/** A question about timing and act, or about the tool. */
export interface RequestQuestion {
  readonly id: string;
  readonly position: number;
  readonly data: DataOf<'QuestionAsked'>;
  /** Answered or declined, or a newer one took its place. One that was answered in the conversation is still open here. */
  readonly closed: boolean;
}

/** What stands of a request: where it began, its calls, and how often it was asked what was meant. RULES R2, R13. */
export interface RequestStanding {
  readonly request: string;
  /** Of its stream, as read. */
  readonly version: number;
  readonly opened: DataOf<'RequestOpened'> | null;
  /** Its calls, oldest first. */
  readonly calls: readonly string[];
  /** Questions so far: intent (timing and act together) and tool. Ceilings count these. */
  readonly asked: { readonly intent: number; readonly tool: number };
  readonly questions: readonly RequestQuestion[];
  readonly ceilings: readonly DataOf<'AskCeilingReached'>[];
  readonly abandoned: DataOf<'RequestAbandoned'> | null;
}

/** One event of a request's stream, folded: pure. */
export function foldRequest(
  before: RequestStanding | null,
  { position, version, event: stored }: Folded,
): RequestStanding {
  const event = parseEvent(stored);
  const state = { ...(before ?? beginning(event.stream)), version: version + 1 };
  switch (event.type) {
    case 'RequestOpened':
      return { ...state, opened: event.data };
    case 'CallOpened':
      return { ...state, calls: [...state.calls, event.data.call] };
    case 'QuestionAsked': {
      const { about } = event.data;
      const asked =
        about === 'intent' || about === 'tool'
          ? { ...state.asked, [about]: state.asked[about] + 1 }
          : state.asked;
      const earlier = state.questions.map((question) => ({ ...question, closed: true }));
      const question = { id: event.id, position, data: event.data, closed: false };
      return { ...state, asked, questions: [...earlier, question] };
    }
    case 'AnswerReceived':
      return {
        ...state,
        questions: state.questions.map((question) =>
          question.id === event.data.question ? { ...question, closed: true } : question,
        ),
      };
    case 'AskCeilingReached':
      return { ...state, ceilings: [...state.ceilings, event.data] };
    case 'RequestAbandoned':
      return { ...state, abandoned: state.abandoned ?? event.data };
    default:
      return state;
  }
}

function beginning(stream: string): RequestStanding {
  const name = parseStream(stream);
  return noRequestYet(name.kind === 'request' ? name.id : stream);
}

/** What stands of a request before its first event. */
export function noRequestYet(request: string): RequestStanding {
  return {
    request,
    version: 0,
    opened: null,
    calls: [],
    asked: { intent: 0, tool: 0 },
    questions: [],
    ceilings: [],
    abandoned: null,
  };
}
