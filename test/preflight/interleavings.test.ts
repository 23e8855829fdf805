import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isGroundsError } from '../../src/errors.ts';
import { plainOf } from '../../src/events/content.ts';
import { type DataOf, streamOf } from '../../src/events/index.ts';
import type { Json } from '../../src/events/json.ts';
import { randomId } from '../../src/events/random-id.ts';
import type { SyncLog } from '../../src/log/index.ts';
import type { Around } from '../../src/preflight/around.ts';
import { ask } from '../../src/preflight/ask.ts';
import { openRequest, say } from '../../src/preflight/conversation.ts';
import { type Judged, judge } from '../../src/preflight/judge.ts';
import { answer, approve, decline, revoke } from '../../src/preflight/reply.ts';
import { requestOf, standingOf } from '../../src/runs/standing.ts';
import { replayed } from '../replay/recorded.ts';
import { ANN, SEND, sending } from './asked.ts';
import { live, typed } from './live.ts';

const CEILING = 2;
const VERIFIED = { ...SEND, description: '[Verify] final: Transfers are final.' };
const TOOLS = [SEND, VERIFIED, { ...VERIFIED, description: `${VERIFIED.description} ` }];
const ARGUMENTS: readonly { readonly to: string; readonly amount: number }[] = [
  { to: 'B-2', amount: 50 },
  { to: 'C-3', amount: 50 },
  { to: 'B-2', amount: 60 },
];
const WORDS = ['Send 50.', 'Send it to B-2.', 'Hello.', 'To C-3, and 60.'];

type Action =
  | { readonly do: 'judge'; readonly tool: number; readonly args: number }
  | { readonly do: 'ask' }
  | { readonly do: 'answer'; readonly which: number; readonly text: string; readonly none: boolean }
  | { readonly do: 'approve' | 'decline' | 'revoke'; readonly which: number }
  | { readonly do: 'type' | 'request'; readonly words: number };

const nat = (most: number) => fc.nat(most);
/** Counted from the end: mostly what was asked last. */
const newest = fc.constantFrom(0, 0, 0, 1, 1, 2, 5);
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('judge' as const),
      tool: fc.constantFrom(0, 0, 0, 1, 1, 1, 2),
      args: fc.constantFrom(0, 0, 0, 0, 1, 2),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('ask' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      which: newest,
      text: fc.constantFrom('B-2', 'B-2', 'Send it.', '50', '60', 'many'),
      none: fc.constantFrom(false, false, false, true),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('approve', 'approve', 'approve', 'decline', 'revoke'),
      which: newest,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('type', 'request'), words: nat(3) }) },
);

/** What an action may be refused with; anything else is a fault of ours. */
const REFUSALS =
  /^ask\/(question-closed|not-newest|typed-since|not-an-approval|no-approval|approval-used|must-be-typed|not-a-value)$/;

class Talk {
  readonly around: Around = live({
    checklists: [
      sending(`      /note: { reader: integer, asks: ${CEILING} }\n`, '', `reader: text, asks: ${CEILING}`),
    ],
    newId: randomId,
  });
  readonly conversation = randomId();
  readonly calls: string[] = [];
  request = '';
  judged: Judged | null = null;
  executable = 0;

  get log(): SyncLog {
    return this.around.log;
  }

  async open(words: number): Promise<void> {
    this.request = await openRequest(this.around, { conversation: this.conversation });
    await say(this.around, this.conversation, [typed(WORDS[words] as string)]);
    this.calls.push(randomId());
    this.judged = null;
  }

  async perform(action: Action): Promise<void> {
    const call = this.calls.at(-1) as string;
    const questions = this.calls
      .flatMap((one) => standingOf(this.log, one)?.questions ?? [])
      .map(({ id, data }) => ({ id, slots: data.slots.map(({ slot }) => slot) }));
    const meant = requestOf(this.log, this.request)?.questions ?? [];
    const all = [...meant.map(({ id }) => ({ id, slots: ['intent'] })), ...questions];
    switch (action.do) {
      case 'judge': {
        const { conversation, request } = this;
        const tool = TOOLS[action.tool] as (typeof TOOLS)[number];
        const args = ARGUMENTS[action.args] as Json;
        this.judged = await judge(this.around, { conversation, request, call, tool, arguments: args });
        if (this.judged.verdict.kind === 'executable') {
          this.executable++;
          this.restsOnWhatWasShown(this.judged);
        }
        return;
      }
      case 'ask': {
        if (this.judged === null) return;
        const asked = await ask(this.around, this.judged);
        const size = this.log.sizeSync();
        expect(await ask(this.around, this.judged)).toEqual(asked);
        expect(this.log.sizeSync()).toBe(size);
        return;
      }
      case 'answer': {
        const question = all.at(-1 - (action.which % Math.max(all.length, 1)));
        const slot = question?.slots[action.which % Math.max(question.slots.length, 1)];
        if (question === undefined || slot === undefined) return;
        const said =
          action.none && slot !== 'intent' ? { slot, none: true as const } : { slot, text: action.text };
        await answer(this.around, { question: question.id, by: ANN, answers: [said] });
        return;
      }
      case 'approve':
      case 'decline': {
        const question = all.at(-1 - (action.which % Math.max(all.length, 1)));
        if (question === undefined) return;
        await (action.do === 'approve' ? approve : decline)(this.around, { question: question.id, by: ANN });
        return;
      }
      case 'revoke': {
        const granted = [...(standingOf(this.log, call)?.approvals.keys() ?? [])];
        const approval = granted[action.which % Math.max(granted.length, 1)];
        if (approval !== undefined) await revoke(this.around, { call, approval, by: ANN });
        return;
      }
      case 'type':
        await say(this.around, this.conversation, [typed(WORDS[action.words] as string)]);
        return;
      case 'request':
        await this.open(action.words);
    }
  }

  /** Every approved slot of an executable verdict was approved for this tool, this request and just this value, and not taken back. */
  restsOnWhatWasShown({ call, input, verdict }: Judged): void {
    const args = ARGUMENTS.find(
      (one) => JSON.stringify(one) === JSON.stringify(plainOf(input.proposal?.prepared ?? { plain: null })),
    );
    const rows = [...this.log.readSync({ stream: streamOf.call(call) })].flat();
    for (const state of verdict.slots ?? []) {
      if (state.state !== 'known' || !(state.reason === 'approved' || state.slot === 'final')) continue;
      const living = rows.filter(({ event, position }) => {
        if (event.type !== 'ApprovalGranted') return false;
        const data = event.data as DataOf<'ApprovalGranted'>;
        const no = rows.some(
          (later) => later.position > position && isNoTo(later.event, data, event.id, rows),
        );
        return (
          !no &&
          data.tool === input.tool_digest &&
          data.request === this.request &&
          data.shown.some(({ slot }) => slot === state.slot) &&
          data.shown.every(
            ({ slot, value }) =>
              !slot.startsWith('/') ||
              plainOf(value) === (args as Record<string, Json> | undefined)?.[slot.slice(1)],
          )
        );
      });
      expect(living.length, `${state.slot} of ${call}`).toBeGreaterThan(0);
    }
    expect((verdict.slots ?? []).some(({ state }) => state === 'unknown')).toBe(false);
  }

  ceilingsHold(): void {
    const requests = [...this.log.readSync({ types: ['RequestOpened'] })]
      .flat()
      .map(({ event }) => event.stream);
    for (const stream of requests) {
      const asked = requestOf(this.log, stream.slice('request/'.length))?.asked;
      expect(asked?.intent).toBeLessThanOrEqual(2);
      expect(asked?.tool).toBeLessThanOrEqual(2);
    }
    for (const call of this.calls) {
      const questions = standingOf(this.log, call)?.questions ?? [];
      for (const slot of ['/to', '/note']) {
        const runs = questions.flatMap(({ data }) =>
          data.slots.some((each) => each.slot === slot) ? [data.run] : [],
        );
        expect(new Set(runs).size).toBeLessThanOrEqual(CEILING);
      }
    }
  }
}

/** A no, later than the yes: the approval itself taken back, or a question declined that showed one of its values. */
function isNoTo(
  event: { readonly type: string; readonly data: unknown },
  granted: DataOf<'ApprovalGranted'>,
  id: string,
  rows: readonly { readonly event: { readonly id: string; readonly data: unknown } }[],
): boolean {
  if (event.type === 'ApprovalRevoked') return (event.data as DataOf<'ApprovalRevoked'>).approval === id;
  if (event.type !== 'AnswerReceived' || !(event.data as DataOf<'AnswerReceived'>).declined) return false;
  const { question } = event.data as DataOf<'AnswerReceived'>;
  const asked = rows.find((row) => row.event.id === question)?.event.data as
    | DataOf<'QuestionAsked'>
    | undefined;
  return (
    asked?.tool === granted.tool &&
    asked.shown.some(({ slot }) => granted.shown.some((shown) => shown.slot === slot))
  );
}

describe('However asking, answering, approving, declining, revoking and judging come together', () => {
  test('no executable verdict rests on what was not approved, ceilings hold, and the log replays', async () => {
    let executable = 0;
    let approved = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { minLength: 8, maxLength: 30, size: 'max' }),
        fc.constantFrom(0, 0, 0, 1, 2, 3),
        async (actions, words) => {
          const talk = new Talk();
          await talk.open(words);
          for (const one of actions) {
            try {
              await talk.perform(one);
            } catch (error) {
              if (!isGroundsError(error) || !REFUSALS.test(error.code)) throw error;
            }
          }
          talk.ceilingsHold();
          executable += talk.executable;
          approved += [...talk.log.readSync({ types: ['ApprovalGranted'] })].flat().length;
          const { summary } = replayed(talk.log);
          expect(summary).toMatchObject({ diverged: 0, tampered: 0, missing_input: 0 });
        },
      ),
      { numRuns: Number(process.env.GROUNDS_FUZZ ?? 1) * 150, interruptAfterTimeLimit: 100_000 },
    );
    // It came to what it is about.
    expect(executable).toBeGreaterThan(5);
    expect(approved).toBeGreaterThan(5);
  }, 120_000);
});
