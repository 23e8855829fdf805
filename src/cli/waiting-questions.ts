import { GroundsError } from '../errors.ts';
import { parseStream } from '../events/index.ts';
import type { SqliteLog } from '../log/sqlite.ts';
import { type AskedQuestion, waitingAt } from '../preflight/waiting.ts';
import { requestOf } from '../runs/standing.ts';
import { findCall } from './find-call.ts';
import type { Io } from './io.ts';
import { jsonText } from './json-text.ts';
import { caughtUp } from './open-log.ts';
import { printedCommand } from './printed-command.ts';
import { printable, wrapped } from './text.ts';

/** What a reference means here: one question, or a call with all that waits there. */
export interface Meant {
  /** null where a call was named. */
  readonly question: string | null;
  readonly call: string | null;
  readonly open: readonly AskedQuestion[];
}

const LEAST_PREFIX = 4;

/**
 * A question by its id or the first four characters or more of it; or a call, with the questions that wait there.
 *
 * @throws GroundsError `ask/several`; `calls/not-found`, `calls/several`
 */
export function meantBy(io: Io, log: SqliteLog, ref: string): Meant {
  const typed = ref
    .trim()
    .toLowerCase()
    .replace(/^question[_/]/, '');
  const questions = typed.length < LEAST_PREFIX ? [] : questionsFrom(log, typed);
  const [only] = questions;
  if (questions.length > 1) {
    throw new GroundsError('ask/several', `${JSON.stringify(ref)} can mean several questions.`, {
      facts: { questions: questions.map(({ id }) => id) },
      hint: 'Type a few more characters.',
    });
  }
  if (only !== undefined) {
    const { stream, id } = only;
    const call = stream.kind === 'call' ? stream.id : null;
    const request = stream.kind === 'request' ? stream.id : null;
    return { question: id, call, open: call === null ? ofRequest(log, request ?? '') : waitingAt(log, call) };
  }
  const { row } = findCall(caughtUp(io, log), ref, log);
  return { question: null, call: row.call_id, open: waitingAt(log, row.call_id) };
}

function questionsFrom(log: SqliteLog, prefix: string) {
  const found: { readonly id: string; readonly stream: { readonly kind: string; readonly id: string } }[] =
    [];
  for (const page of log.readSync({ types: ['QuestionAsked'], direction: 'backward' })) {
    for (const { event } of page) {
      const stream = parseStream(event.stream);
      if (!event.id.startsWith(prefix) || (stream.kind !== 'call' && stream.kind !== 'request')) continue;
      found.push({ id: event.id, stream });
    }
  }
  return found;
}

function ofRequest(log: SqliteLog, id: string): readonly AskedQuestion[] {
  const [call] = requestOf(log, id)?.calls ?? [];
  return call === undefined
    ? []
    : waitingAt(log, call).filter(({ about }) => about === 'intent' || about === 'tool');
}

/** The questions that wait, each with how it is answered; or that none does. */
export function questionsText(open: readonly AskedQuestion[], io: Io, log: string): string {
  if (open.length === 0) return 'Nothing waits for the user.\n';
  return open.map((question) => questionText(question, io.width, log)).join('\n');
}

function questionText(question: AskedQuestion, width: number, log: string): string {
  const id = question.id.slice(0, 8);
  const text = wrapped(printable(question.text), width, '  ');
  const how =
    question.about === 'approval'
      ? [
          ['approve', id],
          ['approve', id, '--decline'],
        ]
      : question.about !== 'slots'
        ? [['answer', id, '--text', '…']]
        : question.slots.length === 0
          ? []
          : [['answer', id, ...question.slots.flatMap(({ slot }) => ['--slot', `${slot}=…`])]];
  const lines = [
    `${id}  ${question.about}`,
    text,
    ...how.map((words) => `  → ${printedCommand(words, log)}`),
  ];
  return `${lines.join('\n')}\n`;
}

export function questionJson(question: AskedQuestion): string {
  return `${jsonText(question)}\n`;
}
