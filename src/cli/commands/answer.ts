import { GroundsError } from '../../errors.ts';
import {
  approve as agree,
  decline,
  type Replied,
  answer as reply,
  type SlotAnswer,
} from '../../preflight/reply.ts';
import type { AskedQuestion } from '../../preflight/waiting.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../json-text.ts';
import { type ByOptions, byOf, liveOn } from '../live-around.ts';
import { reading } from '../open-log.ts';
import { onLog } from '../printed-command.ts';
import { usage } from '../report-error.ts';
import { printable } from '../text.ts';
import { type Meant, meantBy, questionJson, questionsText } from '../waiting-questions.ts';
import { whichLog } from '../which-log.ts';

export interface AnswerOptions extends ByOptions {
  readonly json?: boolean;
  readonly db?: string;
  readonly slot?: readonly string[];
  readonly none?: readonly string[];
  readonly earlier?: readonly string[];
  readonly text?: string;
}

/** Answers questions of a call by slot, or one question; with nothing to answer it lists what waits. */
export async function answer(
  io: Io,
  ref: string,
  last: string | undefined,
  options: AnswerOptions,
): Promise<void> {
  const answers = answersOf(options);
  await reading(whichLog(last, options.db), async (log) => {
    const meant = meantBy(io, log, ref);
    if (answers.length === 0) {
      if (options.json === true) for (const question of meant.open) io.out(questionJson(question));
      else io.out(questionsText(meant.open, io, log.file));
      return;
    }
    const by = byOf(options);
    for (const [question, own] of byQuestion(meant, answers, log.file))
      tell(io, options, await reply(liveOn(log), { question, by, answers: own }), log.file);
  });
}

/** Approves what one question shows, or declines it. */
export async function approve(
  io: Io,
  ref: string,
  last: string | undefined,
  options: ByOptions & { readonly json?: boolean; readonly db?: string; readonly decline?: boolean },
): Promise<void> {
  await reading(whichLog(last, options.db), async (log) => {
    const meant = meantBy(io, log, ref);
    const shown = meant.open.filter(({ about }) => about === 'approval');
    const [only] = shown;
    if (meant.question === null && shown.length !== 1) {
      const hint = `A yes is to one question: name it by its id. grounds answer <call>${onLog(log.file)} lists what waits.`;
      const many =
        shown.length === 0 ? 'Nothing waits to be approved there.' : `${shown.length} questions wait there.`;
      throw new GroundsError('ask/which-question', many, {
        facts: { questions: shown.map(({ id }) => id) },
        hint,
      });
    }
    const question = meant.question ?? (only as AskedQuestion).id;
    const said = { question, by: byOf(options) };
    tell(io, options, await (options.decline === true ? decline : agree)(liveOn(log), said), log.file);
  });
}

function tell(io: Io, { json }: { readonly json?: boolean }, replied: Replied, log: string): void {
  if (json === true) {
    io.out(`${jsonText(replied)}\n`);
    return;
  }
  const misfits = replied.misfits.map(
    (slot) =>
      `${printable(slot)}: what was said does not fit; it is kept as it was said, and will be asked again.\n`,
  );
  io.out(`Recorded as ${replied.event.slice(0, 8)}. To use it, judge the call again.\n${misfits.join('')}`);
  if (replied.open.length > 0) io.out(`\nStill open:\n${questionsText(replied.open, io, log)}`);
}

function answersOf({ slot = [], none = [], earlier = [], text }: AnswerOptions): SlotAnswer[] {
  return [
    ...slot.map((given): SlotAnswer => {
      const equals = given.indexOf('=');
      if (!given.startsWith('/') || equals < 0)
        throw usage(`${JSON.stringify(given)} names no slot and value.`, 'Write --slot /amount=50.');
      return { slot: given.slice(0, equals), text: given.slice(equals + 1) };
    }),
    ...none.map((pointer): SlotAnswer => ({ slot: pointer, none: true })),
    ...earlier.map((pointer): SlotAnswer => ({ slot: pointer, candidate: true })),
    ...(text === undefined ? [] : [{ slot: 'intent', text }]),
  ];
}

/** Each answer goes to the question that asks for its slot: a call may have several that wait. */
function byQuestion(meant: Meant, answers: readonly SlotAnswer[], log: string): Map<string, SlotAnswer[]> {
  const out = new Map<string, SlotAnswer[]>();
  for (const one of answers) {
    const question = meant.question ?? meant.open.find((open) => asks(open, one.slot))?.id;
    if (question === undefined) {
      throw new GroundsError('ask/no-such-slot', `No question waits there that asks for ${one.slot}.`, {
        facts: { slot: one.slot, asks: meant.open.flatMap(({ slots }) => slots.map(({ slot }) => slot)) },
        hint: `grounds answer <call>${onLog(log)} lists what waits, with its slots.`,
      });
    }
    out.set(question, [...(out.get(question) ?? []), one]);
  }
  return out;
}

function asks({ about, slots }: AskedQuestion, slot: string): boolean {
  return slot === 'intent'
    ? about === 'intent' || about === 'tool'
    : slots.some((each) => each.slot === slot);
}
