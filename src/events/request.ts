import { AskCeilingReached, QuestionAsked, RequestAbandoned } from './asking.ts';

/**
 * `request/<r>`: what was asked before there was a call is counted here, so that ceilings come from the log and not from
 * the caller; an abandoned request takes nothing more.
 */
export const REQUEST_EVENTS = { QuestionAsked, AskCeilingReached, RequestAbandoned };
