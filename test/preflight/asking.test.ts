import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/events/json.ts';
import { createExecutor } from '../../src/executor/index.ts';
import { openMemoryLog } from '../../src/log/index.ts';
import { ask } from '../../src/preflight/ask.ts';
import { answer, approve, decline, revoke } from '../../src/preflight/reply.ts';
import { NO_HOOKS, type World } from '../../src/preflight/world.ts';
import { projectionsOf } from '../../src/projections/index.ts';
import { standingOf } from '../../src/runs/standing.ts';
import { replayed } from '../replay/recorded.ts';
import { ANN, SEND, scene, sending } from './asked.ts';

const about = (questions: readonly { readonly about: string }[]) => questions.map((one) => one.about);
const by = ANN;

describe('An unknown call', () => {
  test('is asked about in one list: values to give, and the proposed ones to approve', async () => {
    const { ask: asks } = await scene('Please send 50.', { to: 'B-2', amount: 50 });
    const questions = await asks();
    expect(about(questions)).toEqual(['slots', 'approval']);
    expect(questions[0]).toMatchObject({ text: 'Who is it for?', slots: [{ slot: '/to' }] });
    expect(questions[1]?.shown).toEqual([{ slot: '/to', value: 'B-2' }]);
  });

  test('is executable once its value is answered as proposed, and replays', async () => {
    const { around, judge, ask: asks } = await scene('Please send 50.', { to: 'B-2', amount: 50 });
    const [question] = await asks();
    await answer(around, { question: question?.id ?? '', by, answers: [{ slot: '/to', text: 'B-2' }] });
    expect((await judge()).verdict.kind).toBe('executable');
    expect(replayed(around.log).summary).toMatchObject({ matched: 2, diverged: 0 });
  });

  test('stays open where only one of two values was given (CASE 3)', async () => {
    const { around, judge, ask: asks } = await scene('Please send it.', { to: 'B-2', amount: 50 });
    const [question] = await asks();
    const { open } = await answer(around, {
      question: question?.id ?? '',
      by,
      answers: [{ slot: '/to', text: 'B-2' }],
    });
    expect(open[0]?.slots.map(({ slot }) => slot)).toEqual(['/amount']);
    const again = await judge();
    expect([again.verdict.kind, again.verdict.unknown_count]).toEqual(['unknown', 1]);
    await answer(around, {
      question: question?.id ?? '',
      by,
      answers: [{ slot: '/amount', text: '$50.00' }],
    });
    expect((await judge()).verdict.kind).toBe('executable');
  });

  test('is never asked about by itself (CASES 1, 2): a proposal is no answer, and silence is no approval (CASE 10)', async () => {
    const { judge, ask: asks } = await scene('Please send 50.', { to: 'invented@x.test', amount: 50 });
    await asks();
    expect((await judge()).verdict.kind).toBe('unknown');
  });

  test('asks nothing twice for the same verdict, nor for one that leaves the same open', async () => {
    const { around, judge, ask: asks, proposed } = await scene('Please send 50.', { to: 'B-2', amount: 50 });
    const judged = await judge();
    const first = await ask(around, judged);
    expect(await ask(around, judged)).toEqual(first);
    expect(await asks()).toEqual(first);
    expect(standingOf(around.log, proposed.call)?.questions).toHaveLength(2);
  });

  test('is approved as it was shown', async () => {
    const { around, judge, ask: asks } = await scene('Please send 50.', { to: 'B-2', amount: 50 });
    const [, shown] = await asks();
    await approve(around, { question: shown?.id ?? '', by });
    const { verdict } = await judge();
    expect(verdict.kind).toBe('executable');
    expect(verdict.slots?.find(({ slot }) => slot === '/to')).toMatchObject({
      source: 'pre_set_data',
      reason: 'approved',
    });
  });

  test('is approved for these values and this tool only (CASE 5); a new id of the run alone voids nothing', async () => {
    const { around, judge, ask: asks } = await scene('Please send 50.', { to: 'B-2', amount: 50 });
    const [, shown] = await asks();
    await approve(around, { question: shown?.id ?? '', by });
    expect((await judge({ arguments: { to: 'C-3', amount: 50 } })).verdict.kind).toBe('unknown');
    const other = { ...SEND, description: 'Sends it all.' };
    expect((await judge({ tool: other })).verdict.kind).toBe('unknown');
    expect((await judge()).verdict.kind).toBe('executable');
  });

  test('is declined: unmet, and not asked again', async () => {
    const { around, judge, ask: asks } = await scene('Please send 50.', { to: 'B-2', amount: 50 });
    const [, shown] = await asks();
    await decline(around, { question: shown?.id ?? '', by });
    const judged = await judge();
    expect(judged.verdict.kind).toBe('unmet');
    expect(judged.verdict.unmet).toMatchObject([{ slot: '/to', reason: 'declined' }]);
    expect(await ask(around, judged)).toEqual([]);
  });

  test('loses a [Verify] with an argument that was shown and is left out since, as with one that changed', async () => {
    const tool = { ...SEND, description: '[Verify] final: Transfers are final.' };
    const { around, ask: asking, judge: judging } = await scene('Send 50 to B-2.', null, { tool });
    const whole = { to: 'B-2', amount: 50, note: 'for the rent' };
    const questions = await asking({ arguments: whole });
    const question = questions.find(({ about }) => about === 'approval')?.id ?? '';
    await approve(around, { question, by: ANN });
    const final = async (args: Json) =>
      (await judging({ arguments: args })).verdict.slots?.find(({ slot }) => slot === 'final')?.state;
    expect(await final(whole)).toBe('known');
    expect(await final({ ...whole, note: 'for the car' })).toBe('unknown');
    expect(await final({ to: 'B-2', amount: 50 })).toBe('unknown');
    expect(await final(whole)).toBe('known');
  });

  test('loses an approval that is taken back, and a later no beats an earlier yes (CASE 9)', async () => {
    const { around, judge, ask: asks, proposed } = await scene('Please send 50.', { to: 'B-2', amount: 50 });
    const [, shown] = await asks();
    const { event } = await approve(around, { question: shown?.id ?? '', by });
    await revoke(around, { call: proposed.call, approval: event, by });
    expect((await judge()).verdict.kind).toBe('unmet');
    await expect(revoke(around, { call: proposed.call, approval: event, by })).rejects.toMatchObject({
      code: 'ask/no-approval',
    });
  });

  test('is not asked for what the user will not say, and they may still type it', async () => {
    const tool = SEND;
    const {
      around,
      judge,
      ask: asks,
      type,
    } = await scene('Please send 50.', { to: 'B-2', amount: 50 }, { tool });
    const [values] = await asks();
    await decline(around, { question: values?.id ?? '', by });
    const judged = await judge();
    expect(judged.verdict.kind).toBe('unknown');
    expect(about(await ask(around, judged))).toEqual(['approval']);
    await type('To B-2 then.');
    expect((await judge()).verdict.kind).toBe('executable');
  });

  test('takes an answer that differs from the proposal, and then it is the proposal that has to change (CASE 38)', async () => {
    const { around, judge, ask: asks } = await scene('Please send 50.', { to: 'B-2', amount: 50 });
    const [values, shown] = await asks();
    const { open } = await answer(around, {
      question: values?.id ?? '',
      by,
      answers: [{ slot: '/to', text: 'D-4' }],
    });
    expect(open).toEqual([]);
    await expect(approve(around, { question: shown?.id ?? '', by })).rejects.toMatchObject({
      code: 'ask/question-closed',
    });
    const judged = await judge();
    expect(judged.verdict.slots?.find(({ slot }) => slot === '/to')).toMatchObject({
      reason: 'differs_from_proposal',
    });
    expect(judged.answered_otherwise).toEqual([{ slot: '/to', value: 'D-4' }]);
    expect(await ask(around, judged)).toEqual([]);
    expect((await judge({ arguments: { to: 'D-4', amount: 50 } })).verdict.kind).toBe('executable');
  });

  test('asks in its words for what is open alone, once a part of it was answered', async () => {
    const { around, ask: asks } = await scene('Please send it.', { to: 'B-2', amount: 50 });
    const [values] = await asks();
    expect(values?.text).toBe('Which value should amount have?\nWho is it for?');
    const { open } = await answer(around, {
      question: values?.id ?? '',
      by,
      answers: [{ slot: '/to', text: 'B-2' }],
    });
    expect(open[0]).toMatchObject({ slots: [{ slot: '/amount' }], text: 'Which value should amount have?' });
    expect((await asks())[0]).toMatchObject({ id: values?.id, text: 'Which value should amount have?' });
  });

  test('keeps what does not fit a slot as it was said, and asks again', async () => {
    const { around, judge, ask: asks } = await scene('Please send it to B-2.', { to: 'B-2', amount: 50 });
    const [values] = await asks();
    const said = await answer(around, {
      question: values?.id ?? '',
      by,
      answers: [{ slot: '/amount', text: 'a lot' }],
    });
    expect(said.misfits).toEqual(['/amount']);
    const judged = await judge();
    expect(judged.verdict.slots?.find(({ slot }) => slot === '/amount')).toMatchObject({
      rule: 'S5',
      reason: 'format',
    });
    const [newer] = await ask(around, judged);
    expect(newer?.slots).toEqual([{ slot: '/amount' }]);
    await expect(
      answer(around, { question: values?.id ?? '', by, answers: [{ slot: '/amount', text: '50' }] }),
    ).rejects.toMatchObject({ code: 'ask/question-closed', facts: { newer: newer?.id } });
  });

  test('takes “there is none” from the user', async () => {
    const {
      around,
      judge,
      ask: asks,
    } = await scene('Please send 50 to B-2.', { to: 'B-2', amount: 50, note: 'x1' });
    const [values] = await asks();
    expect(values?.slots).toEqual([{ slot: '/note' }]);
    await answer(around, { question: values?.id ?? '', by, answers: [{ slot: '/note', none: true }] });
    const { verdict } = await judge();
    expect(verdict.slots?.find(({ slot }) => slot === '/note')).toMatchObject({ state: 'null', rule: 'S4' });
  });

  test('of a slot that takes the user’s words only, the answer is typed into the conversation', async () => {
    const checklists = [sending('      /note: { reader: text, sources: [instruction] }\n')];
    const {
      around,
      judge,
      ask: asks,
    } = await scene('Send 50 to B-2.', { to: 'B-2', amount: 50, note: 'rent' }, { checklists });
    const [values] = await asks();
    const question = values?.id ?? '';
    await expect(
      answer(around, { question, by, answers: [{ slot: '/note', value: 'rent' }] }),
    ).rejects.toMatchObject({
      code: 'ask/must-be-typed',
    });
    await answer(around, { question, by, answers: [{ slot: '/note', text: 'rent' }] });
    const { verdict } = await judge();
    expect(verdict.slots?.find(({ slot }) => slot === '/note')).toMatchObject({ source: 'instruction' });
  });

  test('is asked for a value as often as is declared, and then no more', async () => {
    const checklists = [sending('      /note: { reader: integer, asks: 2 }\n')];
    const args = { to: 'B-2', amount: 50, note: 'n' };
    const { around, ask: asks, proposed } = await scene('Send 50 to B-2.', args, { checklists });
    for (let times = 1; times <= 2; times++) {
      const [values] = await asks();
      await answer(around, { question: values?.id ?? '', by, answers: [{ slot: '/note', text: 'many' }] });
    }
    expect(await asks()).toEqual([]);
    expect(await asks()).toEqual([]);
    const reached = [
      ...around.log.readSync({ stream: `request/${proposed.request}`, types: ['AskCeilingReached'] }),
    ].flat();
    expect(reached.map(({ event }) => event.data)).toMatchObject([
      { about: 'slots', slot: '/note', asked: 2 },
    ]);
  });

  test('refuses what was not asked, two answers to one slot, and values for an approval', async () => {
    const { around, ask: asks } = await scene('Please send 50.', { to: 'B-2', amount: 50 });
    const [values, shown] = await asks();
    const code = async (question: string, ...answers: Parameters<typeof answer>[1]['answers']) =>
      answer(around, { question, by, answers }).then(
        () => null,
        (error: { code: string }) => error.code,
      );
    expect(await code(values?.id ?? '', { slot: '/amount', value: 1 })).toBe('ask/no-such-slot');
    expect(await code(values?.id ?? '', { slot: '/to', text: 'a' }, { slot: '/to', text: 'b' })).toBe(
      'ask/answered-twice',
    );
    expect(await code(values?.id ?? '', { slot: '/to', candidate: true })).toBe('ask/no-candidate');
    expect(await code(shown?.id ?? '', { slot: '/to', text: 'B-2' })).toBe('ask/not-a-value');
    expect(await code('00000000-0000-4000-8000-00000000dead', { slot: '/to', text: 'B-2' })).toBe(
      'ask/no-question',
    );
    await expect(approve(around, { question: values?.id ?? '', by })).rejects.toMatchObject({
      code: 'ask/not-an-approval',
    });
  });

  test('takes one of two answers that come at once', async () => {
    const { around, ask: asks } = await scene('Please send 50.', { to: 'B-2', amount: 50 });
    const [values] = await asks();
    const both = await Promise.allSettled(
      ['B-2', 'C-3'].map((text) =>
        answer(around, { question: values?.id ?? '', by, answers: [{ slot: '/to', text }] }),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('takes answers to parallel questions in any order (CASE 13), and records who and how that is known (CASE 21)', async () => {
    const { around, judge, ask: asks, proposed } = await scene('Please send it.', { to: 'B-2', amount: 50 });
    const [values, shown] = await asks();
    expect(values?.id).not.toBe(shown?.id);
    await answer(around, { question: values?.id ?? '', by, answers: [{ slot: '/amount', value: 50 }] });
    await approve(around, { question: shown?.id ?? '', by });
    expect((await judge()).verdict.kind).toBe('executable');
    const said = [
      ...around.log.readSync({ stream: `call/${proposed.call}`, types: ['ApprovalGranted'] }),
    ].flat();
    expect(said[0]?.event.data).toMatchObject({
      by: { known_by: 'form', user: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      request: proposed.request,
    });
  });
});

describe('A tool’s labels', () => {
  const tool = { ...SEND, description: '[Verify] final: Transfers are final.\n[Notice] fee: A fee applies.' };

  test('are shown with the values that they are bound to, and one yes settles all', async () => {
    const { around, judge, ask: asks } = await scene('Send 50 to B-2.', { to: 'B-2', amount: 50 }, { tool });
    const questions = await asks();
    expect(questions).toMatchObject([
      {
        about: 'approval',
        shown: [
          { slot: 'final', value: 'Transfers are final.' },
          { slot: '/amount', value: 50 },
          { slot: '/to', value: 'B-2' },
        ],
        notices: ['A fee applies.'],
      },
    ]);
    await approve(around, { question: questions[0]?.id ?? '', by });
    expect((await judge()).verdict.kind).toBe('executable');
    expect((await judge({ arguments: { to: 'B-2', amount: 60 } })).verdict.kind).toBe('unknown');
    expect(replayed(around.log).summary).toMatchObject({ matched: 3, diverged: 0 });
  });

  test('that only tell something count once they were shown', async () => {
    const notice = { ...SEND, description: '[Notice] fee: A fee applies.' };
    const { judge, ask: asks } = await scene('Send 50 to B-2.', { to: 'B-2', amount: 50 }, { tool: notice });
    expect(await asks()).toMatchObject([{ slots: [], shown: [], notices: ['A fee applies.'] }]);
    expect((await judge()).verdict.kind).toBe('executable');
  });
});

describe('A group', () => {
  test('that was never said whole is shown whole, and a yes to it settles it (CASE 37)', async () => {
    const tool = {
      ...SEND,
      input_schema: {
        type: 'object',
        required: ['lines'],
        properties: {
          lines: {
            type: 'array',
            items: {
              type: 'object',
              required: ['to', 'amount'],
              properties: { to: { type: 'string' }, amount: { type: 'number' } },
            },
          },
        },
      },
    };
    const args = {
      lines: [
        { to: 'A-1', amount: 50 },
        { to: 'B-2', amount: 100 },
      ],
    };
    const { around, judge, ask: asks } = await scene('Send 100 to A-1 and 50 to B-2.', args, { tool });
    const [shown, ...rest] = await asks();
    expect(rest).toEqual([]);
    expect(shown?.shown).toHaveLength(4);
    const swapped = {
      lines: [
        { to: 'A-1', amount: 100 },
        { to: 'B-2', amount: 50 },
      ],
    };
    await approve(around, { question: shown?.id ?? '', by });
    expect((await judge()).verdict.kind).toBe('executable');
    expect((await judge({ arguments: swapped })).verdict.kind).toBe('executable');
    const other = {
      lines: [
        { to: 'A-1', amount: 50 },
        { to: 'B-2', amount: 70 },
      ],
    };
    expect((await judge({ arguments: other })).verdict.kind).toBe('unknown');
  });
});

describe('What was not understood', () => {
  test('is asked in the user’s own terms, twice at most, and what they reply is part of the conversation', async () => {
    const {
      around,
      judge,
      ask: asks,
      proposed,
    } = await scene('Clean up the old invoices.', { to: 'B-2', amount: 50 });
    const [first] = await asks();
    expect(first).toMatchObject({ about: 'intent', call: null, slots: [], shown: [] });
    expect(first?.text).toContain('“Clean up the old invoices.”');
    expect(await asks()).toEqual([first]);
    await answer(around, {
      question: first?.id ?? '',
      by,
      answers: [{ slot: 'intent', text: 'The old ones.' }],
    });
    const [second] = await asks();
    expect(second?.id).not.toBe(first?.id);
    await expect(
      answer(around, { question: first?.id ?? '', by, answers: [{ slot: 'intent', text: 'Send it.' }] }),
    ).rejects.toMatchObject({ code: 'ask/question-closed', facts: { newer: second?.id } });
    await answer(around, { question: second?.id ?? '', by, answers: [{ slot: 'intent', text: 'Those.' }] });
    const judged = await judge();
    expect([judged.verdict.kind, judged.verdict.exhausted]).toEqual(['intent_undetermined', true]);
    expect(await ask(around, judged)).toEqual([]);
    const types = [...around.log.readSync({ stream: `request/${proposed.request}` })]
      .flat()
      .map(({ event }) => event.type);
    expect(types.filter((type) => type === 'AskCeilingReached')).toHaveLength(1);
    expect(replayed(around.log).summary).toMatchObject({ diverged: 0, tampered: 0 });
  });

  test('is settled by the words of the reply', async () => {
    const { around, judge, ask: asks } = await scene('50 to B-2.', { to: 'B-2', amount: 50 });
    const [question] = await asks();
    await answer(around, {
      question: question?.id ?? '',
      by,
      answers: [{ slot: 'intent', text: 'Send it, please.' }],
    });
    expect((await judge()).verdict.kind).toBe('executable');
  });

  test('is not asked about before what was typed since is judged', async () => {
    const { around, judge, type } = await scene('50 to B-2.', { to: 'B-2', amount: 50 });
    const judged = await judge();
    await type('Send it.');
    await expect(ask(around, judged)).rejects.toMatchObject({ code: 'ask/typed-since' });
    await judge();
    await expect(ask(around, judged)).rejects.toMatchObject({ code: 'ask/not-newest' });
  });

  test('is never asked about with a word of the provider’s: the question is the same for every tool (CASE 32)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(
          'Clean up the old invoices.',
          'Please close it.',
          'Do it on 2 May.',
          'Send it on a day.',
        ),
        fc.stringMatching(/^[a-z]{1,8}[._][a-z]{1,8}$/),
        fc.string({ maxLength: 30 }),
        fc.string({ maxLength: 20 }),
        async (words, name, description, title) => {
          const schema = { type: 'object', title, properties: { q: { type: 'string', title, description } } };
          const of = async (tool: typeof SEND) => {
            const { ask: asks } = await scene(words, { q: 'x' }, { tool });
            return (await asks()).map(({ text, about: what }) => ({ text, what }));
          };
          const named = await of({ ...SEND, name, description, input_schema: schema });
          const other = await of({ ...SEND, name: 'records.delete_all', description: null });
          expect(named).toEqual(other);
          expect(named[0]?.text.includes(name)).toBe(false);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('An earlier value', () => {
  const baseline: World = {
    ...NO_HOOKS,
    judge: async () => ({
      entries: [
        { kind: 'baseline', slots: [{ slot: '/to', value: { plain: 'B-2' }, origin: 'instruction' }] },
      ],
      action_key: { state: 'ok', key: null },
    }),
  };
  test('is shown as a candidate, and confirms nothing until the user says so', async () => {
    const list = sending('', '', 'sources: [user_answer, instruction, prior_state]');
    const {
      around,
      judge,
      ask: asks,
    } = await scene('Send 50.', { to: 'B-2', amount: 50 }, { world: baseline, checklists: [list] });
    const [values] = await asks();
    expect(values?.slots).toEqual([{ slot: '/to', prior: 'B-2' }]);
    await answer(around, { question: values?.id ?? '', by, answers: [{ slot: '/to', candidate: true }] });
    const { verdict } = await judge();
    expect(verdict.slots?.find(({ slot }) => slot === '/to')).toMatchObject({
      source: 'user_answer',
      origin: 'instruction',
      reason: 'candidate_confirmed',
    });
  });
});

describe('How much is asked', () => {
  test('is a figure, for each call that was started: questions of what was meant, too (CASE 4)', async () => {
    const log = openMemoryLog();
    const {
      around,
      proposed,
      judge,
      ask: asks,
    } = await scene('50, please.', { to: 'B-2', amount: 50 }, { log });
    const projections = projectionsOf(log);
    const [meant] = await asks();
    await answer(around, { question: meant?.id ?? '', by, answers: [{ slot: 'intent', text: 'Send it.' }] });
    projections.catchUp();
    const [, shown] = await asks();
    await approve(around, { question: shown?.id ?? '', by });
    const { verdict } = await judge();
    expect(verdict.kind).toBe('executable');
    projections.catchUp();
    expect(projections.summary().questions.live).toEqual({ asked: 3, started: 0, per_started_call: null });
    await createExecutor({
      log,
      call: async () => ({ result: 'sent', failed: false }),
      name: 'test',
      clock: around.clock,
    }).execute({
      call: proposed.call,
    });
    projections.catchUp();
    const asked = { asked: 3, started: 1, per_started_call: 3 };
    expect(projections.summary().questions.live).toEqual(asked);
    expect(projections.gapSummary().questions).toEqual(asked);
    projections.rebuild();
    expect(projections.summary().questions.live).toEqual(asked);
  });
});
