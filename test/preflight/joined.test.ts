import { describe, expect, test } from 'vitest';
import { randomId } from '../../src/events/random-id.ts';
import { openMemoryLog } from '../../src/log/index.ts';
import { byRules } from '../../src/preflight/by-rules.ts';
import { createPreflight, type Preflight } from '../../src/preflight/create.ts';
import type { Hooks } from '../../src/preflight/hooks.ts';
import type { SkeletonInput, SkeletonState } from '../../src/preflight/skeleton-input.ts';
import { requestOf, standingOf } from '../../src/runs/standing.ts';
import { ANN, SEND, sending } from './asked.ts';
import { CLEAN_UP, CLEAN_UP_HOOKS, executorOn, replays } from './clean-up.ts';
import { typed } from './live.ts';

const input: SkeletonInput = { ...CLEAN_UP, userId: 'ann' };

const skeleton = (own: Partial<Hooks> = {}): Preflight =>
  createPreflight({ log: openMemoryLog(), hooks: { ...CLEAN_UP_HOOKS, ...own } });

const shownIn = ({ grounds }: SkeletonState) => grounds.questions.find(({ about }) => about === 'approval');

describe("The source documents' form asks and hears as everything else does", () => {
  test('a yes is to what a question showed, by its id', async () => {
    const preflight = skeleton();
    const proposed = { ...input, arguments: { folder: 'invoices', limit: 5 } };
    const state = await preflight.runPreflightAndRecord(proposed);
    const shown = shownIn(state);
    expect(shown).toMatchObject({ shown: [{ slot: '/limit', value: 5 }], call: state.grounds.call });
    const approved = await preflight.runPreflightAndRecord({
      ...proposed,
      userApprovals: { [shown?.id ?? '']: true },
      grounds: state.grounds,
    });
    expect(approved).toMatchObject({ execution_decision: 'execute', call_arguments: { limit: 5 } });
    expect(approved.grounds.questions).toEqual([]);
    replays(preflight);
  });

  test.each([
    ['no', false],
    ['nothing that is a yes', 'yes'],
  ])('%s approves nothing', async (_, said) => {
    const preflight = skeleton();
    const proposed = { ...input, arguments: { folder: 'invoices', limit: 5 } };
    const { grounds, ...state } = await preflight.runPreflightAndRecord(proposed);
    const userApprovals = { [shownIn({ grounds, ...state } as SkeletonState)?.id ?? '']: said as boolean };
    const next = preflight.runPreflightAndRecord({ ...proposed, userApprovals, grounds });
    if (said === false) expect((await next).execution_decision).not.toBe('execute');
    else await expect(next).rejects.toMatchObject({ code: 'preflight/input' });
    replays(preflight);
  });

  test('a yes to values that are no longer proposed is none', async () => {
    const preflight = skeleton();
    const state = await preflight.runPreflightAndRecord({
      ...input,
      arguments: { folder: 'invoices', limit: 5 },
    });
    const other = { ...input, arguments: { folder: 'invoices', limit: 500 }, grounds: state.grounds };
    const changed = await preflight.runPreflightAndRecord(other);
    const late = { ...other, userApprovals: { [shownIn(state)?.id ?? '']: true } };
    await expect(preflight.runPreflightAndRecord(late)).rejects.toMatchObject({
      code: 'ask/question-closed',
      facts: { newer: shownIn(changed)?.id },
    });
  });

  test('an answer that says something else than the one before is not passed over', async () => {
    const preflight = skeleton({ extractFromInstruction: () => undefined });
    const { grounds } = await preflight.runPreflightAndRecord(input);
    const answered = { ...input, grounds, userAnswers: { folder: 'invoices' } };
    expect((await preflight.runPreflightAndRecord(answered)).execution_decision).toBe('execute');
    expect((await preflight.runPreflightAndRecord(answered)).execution_decision).toBe('execute');
    await expect(
      preflight.runPreflightAndRecord({ ...answered, userAnswers: { folder: 'letters' } }),
    ).rejects.toMatchObject({ code: 'preflight/answered-otherwise', facts: { slot: '/folder' } });
    replays(preflight);
  });

  test('an earlier value is offered with the question', async () => {
    let said = true;
    const preflight = skeleton({
      extractFromInstruction: () =>
        said ? { value: 'invoices', segment_index: 0, span: [20, 28] } : undefined,
    });
    const first = await preflight.runPreflightAndRecord(input);
    await executorOn(preflight).execute({ run: first.grounds.run });
    said = false;
    const { grounds } = await preflight.runPreflightAndRecord(input);
    const [question] = grounds.questions;
    expect(question?.slots).toEqual([{ slot: '/folder', prior: 'invoices' }]);
    await preflight.answer({
      question: question?.id ?? '',
      by: ANN,
      answers: [{ slot: '/folder', candidate: true }],
    });
    const state = await preflight.runPreflightAndRecord({ ...input, grounds });
    expect(state).toMatchObject({ execution_decision: 'execute', call_arguments: { folder: 'invoices' } });
    replays(preflight);
  });

  test('what was answered in words stays said, and a ceiling is in the log', async () => {
    const preflight = skeleton({ confirmToolNameMatchesIntent: () => undefined });
    let state = await preflight.runPreflightAndRecord(input);
    for (let asked = 0; asked < 2; asked++) {
      const [question] = state.grounds.questions;
      expect(question?.about).toBe('tool');
      const answers = [{ slot: 'intent', text: 'Clean it up, I said.' }];
      await preflight.answer({ question: question?.id ?? '', by: ANN, answers });
      state = await preflight.runPreflightAndRecord({ ...input, grounds: state.grounds });
    }
    expect(state.gate?.kind).toBe('tool_undetermined_exhausted');
    const request = requestOf(preflight.log, state.grounds.request);
    expect(request?.ceilings).toMatchObject([{ about: 'tool', asked: 2 }]);
    replays(preflight);
  });

  test.each(['scheduled', 'recurring'] as const)(
    'what is %s is deferred, and judged anew at its trigger',
    async (timing) => {
      const preflight = skeleton({
        classifyWhenCase: () => timing,
        extractFromInstruction: ({ field }) => {
          if (field.name === 'folder') return { value: 'invoices', segment_index: 0, span: [20, 28] };
          const said = field.slot === `when/${timing}`;
          return said ? { value: 'on friday', segment_index: 0, span: [29, 38] } : undefined;
        },
      });
      const later: SkeletonInput = {
        ...input,
        instruction: [{ text: 'Clean up the folder invoices on friday.', trust: 'user' }],
      };
      const state = await preflight.runPreflightAndRecord(later);
      expect(state).toMatchObject({ execution_decision: 'deferred', phase: 'at_instruction' });
      const { call } = state.grounds;
      expect(standingOf(preflight.log, call)?.deferred?.data.timing).toBe(timing);
      const { grounds } = state;
      const fired = await preflight.runPreflightAndRecord({ ...later, phase: 'at_trigger', grounds });
      expect(fired).toMatchObject({ execution_decision: 'execute', phase: 'at_trigger', grounds: { call } });
      expect(await executorOn(preflight).execute({ run: fired.grounds.run })).toMatchObject({
        outcome: 'succeeded',
      });
      const again = await preflight.runPreflightAndRecord({ ...later, phase: 'at_trigger', grounds });
      const second = await executorOn(preflight).execute({ run: again.grounds.run });
      expect(second.decision).toBe(timing === 'recurring' ? 'execute' : 'refuse');
      replays(preflight);
    },
  );
});

describe('One object has all that an adopter needs', () => {
  const made = () => createPreflight({ log: openMemoryLog(), checklists: [sending()], hooks: byRules });
  const proposing = async (preflight: Preflight, words: string, more = {}) => {
    const conversation = randomId();
    const request = await preflight.openRequest({ conversation });
    await preflight.say(conversation, [typed(words)]);
    const proposed = { conversation, request, call: randomId(), tool: SEND, user: 'ann', ...more };
    return { ...proposed, arguments: { to: 'B-2', amount: 50 } };
  };

  test('to ask, answer, execute, and keep what was answered', async () => {
    const preflight = made();
    const calls: string[] = [];
    for (let time = 0; time < 2; time++) {
      const proposed = await proposing(preflight, 'Send 50.');
      const [values] = await preflight.ask(await preflight.judge(proposed));
      expect(values).toMatchObject({ about: 'slots', slots: [{ slot: '/to' }] });
      await preflight.answer({
        question: values?.id ?? '',
        by: ANN,
        answers: [{ slot: '/to', text: 'B-2' }],
      });
      const judged = await preflight.judge(proposed);
      expect(judged.verdict.kind).toBe('executable');
      expect(await executorOn(preflight).execute({ run: judged.run })).toMatchObject({
        outcome: 'succeeded',
      });
      calls.push(proposed.call);
    }
    const { settings } = preflight;
    expect(settings.propose('ann')).toMatchObject([{ value: 'B-2' }]);
    const from = { call: calls[0] ?? '', slot: '/to' };
    await settings.keep({ user: 'ann', name: 'recipient', from, consent: ANN });
    expect(settings.list('ann')).toMatchObject([{ name: 'recipient', value: 'B-2' }]);
    await settings.revoke({ user: 'ann', name: 'recipient', by: ANN });
    expect(settings.list('ann')).toEqual([]);
    replays(preflight);
  });

  test('to approve, revoke and decline what is shown', async () => {
    const preflight = made();
    const proposed = await proposing(preflight, 'Send 50.');
    const open = await preflight.ask(await preflight.judge(proposed));
    const shown = open.find(({ about }) => about === 'approval')?.id ?? '';
    const { event } = await preflight.approve({ question: shown, by: ANN });
    expect((await preflight.judge(proposed)).verdict.kind).toBe('executable');
    await preflight.revoke({ call: proposed.call, approval: event, by: ANN });
    expect((await preflight.judge(proposed)).verdict.kind).toBe('unmet');

    const other = await proposing(preflight, 'Send 50.');
    const [values] = await preflight.ask(await preflight.judge(other));
    await preflight.decline({ question: values?.id ?? '', by: ANN });
    const left = await preflight.ask(await preflight.judge(other));
    expect(left.every(({ about }) => about === 'approval')).toBe(true);
    replays(preflight);
  });

  test('to defer, trigger and abandon', async () => {
    const preflight = made();
    const proposed = await proposing(preflight, 'Send 50 to B-2 on 2026-03-01.');
    const judged = await preflight.judge({ ...proposed, phase: 'at_instruction' });
    expect((await preflight.defer(judged)).timing).toBe('scheduled');
    const fired = await preflight.trigger({ call: proposed.call, by: 'clock', user: 'ann' });
    expect(fired.verdict.kind).toBe('executable');
    await preflight.abandon(proposed.request, 'said_so');
    expect(await executorOn(preflight).execute({ run: fired.run })).toMatchObject({
      decision: 'refuse',
      refused: ['request_abandoned'],
    });
    await expect(preflight.judge(proposed)).rejects.toMatchObject({ code: 'preflight/abandoned' });
    replays(preflight);
  });
});
