import { encode } from '../events/canonical.ts';
import { plainOf } from '../events/content.ts';
import { at as valueAt } from '../events/pointer.ts';
import { isForTool } from '../gate/entries.ts';
import { sameJson } from '../gate/expand.ts';
import type { SyncLog } from '../log/index.ts';
import type { RequestQuestion, RequestStanding } from '../projections/request-standing.ts';
import type { CallStanding, Question } from '../projections/standing.ts';
import { typedSince } from './typed-since.ts';

/**
 * What of a question can still be answered: what nobody has answered, what the newest verdict still lists as unknown, and only for
 * the tool that is proposed now. What shows values is open as long as they are the ones that are proposed: a click on what was
 * changed since must not land on the new ones.
 */
export function openOf({ run, said }: CallStanding, { open, data, position }: Question): readonly string[] {
  if (open.length === 0 || run === null) return open;
  if (data.tool !== run.started.tool.digest) return [];
  const judged = { tool_digest: run.started.tool.digest };
  const states = run.verdict?.verdict.slots ?? null;
  const isSettled = (slot: string): boolean =>
    states?.some((state) => state.slot === slot && state.state !== 'unknown') === true;
  if (data.about !== 'approval') return open.filter((slot) => !isSettled(slot));
  const isAnswered = (slot: string): boolean =>
    said.some(
      ({ position: at, entry }) =>
        at > position && entry.kind === 'answer' && entry.slot === slot && isForTool(judged, entry),
    );
  if (data.slots.length > 0 && data.slots.every(({ slot }) => isSettled(slot) || isAnswered(slot))) return [];
  const prepared = run.started.proposal?.prepared ?? null;
  const proposed = prepared === null ? null : plainOf(prepared);
  const asProposed = data.shown.every(
    ({ slot, value }) => !slot.startsWith('/') || sameJson(valueAt(proposed, slot), plainOf(value)),
  );
  return asProposed ? open : [];
}

/** The questions of a call that wait for an answer, each with what is open of it now. */
export function openQuestions(standing: CallStanding): readonly Question[] {
  return standing.questions
    .map((question) => ({ ...question, open: openOf(standing, question) }))
    .filter(({ open }) => open.length > 0);
}

/** Whether a question that waits asks for this slot, as a value or as a yes to it. */
export function asksFor({ data, open }: Question, slot: string): boolean {
  return open.includes(slot) && data.slots.some((asked) => asked.slot === slot);
}

/** Whether a question shows just these values to be approved, for this tool. */
export function showsTheSame(
  { data }: Question,
  { shown, tool }: { readonly shown: unknown; readonly tool: string | null },
): boolean {
  return data.about === 'approval' && data.tool === tool && encode(data.shown) === encode(shown);
}

/** The question about intent or tool that waits for words: the newest, unless something was typed since. */
export function openIntentQuestion(log: SyncLog, request: RequestStanding): RequestQuestion | null {
  const newest = request.questions.at(-1);
  if (newest === undefined || newest.closed || request.opened === null) return null;
  return typedSince(log, request.opened.conversation, newest.position) ? null : newest;
}
