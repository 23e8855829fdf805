import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { byRules } from '../../src/preflight/by-rules.ts';
import { callHook } from '../../src/preflight/call-hook.ts';
import { checkedHooks, REQUIRED_HOOKS } from '../../src/preflight/hooks.ts';
import { HOOKS, hooked } from './hooked.ts';
import { deadlineFor, ODD, OUT_OF_CONTRACT } from './odd-answers.ts';

const refusal = (hooks: unknown) => {
  try {
    checkedHooks(hooks, null);
  } catch (error) {
    return error as { code: string; message: string; facts: { problems: { hook: string; hint: string }[] } };
  }
  return expect.unreachable('they were taken');
};

describe('Hooks are checked at construction', () => {
  test('and all six that are required are named where they are missing', () => {
    const { code, facts } = refusal({});
    expect(code).toBe('preflight/hooks');
    expect(facts.problems.map(({ hook }) => hook)).toEqual([...REQUIRED_HOOKS]);
  });

  test('and where none are given, those that may be left out are told apart, and byRules is named', () => {
    const [problem] = refusal(undefined).facts.problems;
    expect(problem?.hint).toMatch(
      /^Give classifyWhenCase.*buildActionKey; applyFieldPolicy.* may be left out\./,
    );
    expect(problem?.hint).toContain('byRules');
  });

  test('with everything that is wrong in one error', () => {
    const { buildActionKey, classifyWhenCase, ...rest } = HOOKS;
    const { message, facts } = refusal({
      ...rest,
      buildActionkey: buildActionKey,
      classifyWhenCase: 'immediate',
      validatePayload: true,
      fetchWeather: () => 1,
    });
    expect(facts.problems.map(({ hook }) => hook).sort()).toEqual([
      'buildActionKey',
      'buildActionkey',
      'classifyWhenCase',
      'fetchWeather',
      'validatePayload',
    ]);
    expect(message).toContain('Did you mean "buildActionKey"?');
    expect(message).toContain('"buildActionkey" was probably meant.');
  });

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['a list of functions', [() => 1]],
    ['a required hook that is undefined', { ...HOOKS, buildActionKey: undefined }],
    ['a measuring hook that is no function', { ...HOOKS, measure: { get_account: 1 } }],
    [
      'a measuring hook by the name of another hook',
      { ...HOOKS, measure: { buildActionKey: () => undefined } },
    ],
  ])('and %s is refused', (_, hooks) => {
    expect(refusal(hooks).code).toBe('preflight/hooks');
  });

  test('and a measuring hook that no checklist names is a slip', () => {
    expect(() => hooked({ measure: { get_acount: () => undefined } })).toThrow(/Did you mean "get_account"/);
  });

  test('and what stands for a check that nobody makes is listed, and refused under strict', () => {
    const { measureFromEnvironment } = byRules;
    expect(hooked().unsafeDefaults).toEqual([]);
    expect(hooked({ measureFromEnvironment }).unsafeDefaults).toEqual(['measureFromEnvironment']);
    expect(hooked({}, { strict: true }).unsafeDefaults).toEqual([]);
    expect(() => hooked({ measureFromEnvironment }, { strict: true })).toThrow(
      expect.objectContaining({ code: 'preflight/unsafe-defaults' }),
    );
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])('and %d is no deadline', (deadline) => {
    expect(() => hooked({}, { deadline })).toThrow(expect.objectContaining({ code: 'preflight/deadline' }));
  });
});

const contract = z.looseObject({ approved: z.boolean() });
const call = (hook: (ctx: { readonly signal: AbortSignal }) => unknown, deadline = 20_000) =>
  callHook(hook, {}, contract, { name: 'hook', deadline });

describe('One call of a hook', () => {
  test.each([...ODD, ...OUT_OF_CONTRACT])(
    'that %s fails with a code and nothing else',
    async (what, hook) => {
      const answer = await call(hook, deadlineFor(what));
      expect(answer.said).toBe('failed');
      expect(Object.keys(answer)).toEqual(['said', 'code']);
      expect(JSON.stringify(answer)).toMatch(/"hook\/(threw|timed_out|out_of_contract)"/);
    },
  );

  test('that gives undefined is absent, now or later', async () => {
    expect(await call(() => undefined)).toEqual({ said: 'absent' });
    expect(await call(async () => undefined)).toEqual({ said: 'absent' });
  });

  test('that answers is copied: what it does to its answer afterwards changes nothing', async () => {
    const own = { approved: true, reason: undefined };
    const answer = await call(() => own);
    own.approved = false;
    expect(answer).toEqual({ said: 'answer', value: { approved: true } });
  });

  test('is really aborted at its deadline, and a late answer or rejection changes nothing', async () => {
    let aborted = false;
    const answer = await call(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            aborted = true;
            reject(new Error('late'));
          });
        }),
      100,
    );
    expect(answer).toEqual({ said: 'failed', code: 'hook/timed_out' });
    expect(aborted).toBe(true);
  });

  test('that blocks the thread past its deadline came too late', async () => {
    const answer = await call(() => {
      const until = performance.now() + 150;
      while (performance.now() < until);
      return { approved: true };
    }, 100);
    expect(answer).toEqual({ said: 'failed', code: 'hook/timed_out' });
  });

  test('is not aborted where it answered in time', async () => {
    let signal: AbortSignal | undefined;
    await call((ctx) => {
      signal = ctx.signal;
      return { approved: true };
    }, 200);
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(signal?.aborted).toBe(false);
  });
});
