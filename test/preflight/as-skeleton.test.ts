import { describe, expect, test } from 'vitest';
import { streamOf } from '../../src/events/index.ts';
import { openMemoryLog } from '../../src/log/index.ts';
import { createPreflight, type Preflight, type PreflightOptions } from '../../src/preflight/create.ts';
import type { Hooks } from '../../src/preflight/hooks.ts';
import type { SkeletonInput, SkeletonState } from '../../src/preflight/skeleton-input.ts';
import { requestOf, standingOf } from '../../src/runs/standing.ts';
import { CLEAN_UP, CLEAN_UP_HOOKS, executorOn, replays, WORDS } from './clean-up.ts';

const input = CLEAN_UP;
const hooks = CLEAN_UP_HOOKS;

function preflightWith(own: Partial<Hooks> = {}, more: Partial<PreflightOptions> = {}): Preflight {
  return createPreflight({ log: openMemoryLog(), strict: true, ...more, hooks: { ...hooks, ...own } });
}

/** Executes what the record stands for. */
async function executed(preflight: Preflight, { grounds }: SkeletonState): Promise<void> {
  expect(await executorOn(preflight).execute({ run: grounds.run })).toMatchObject({
    decision: 'execute',
    outcome: 'succeeded',
  });
}

describe("The source documents' form", () => {
  test('executes nothing, and says so of what it would take', async () => {
    const preflight = preflightWith();
    const state = await preflight.runPreflightAndRecord(input);
    expect(state).toMatchObject({ execution_decision: 'execute', call_arguments: { folder: 'invoices' } });
    expect(preflight.log.versionSync(streamOf.call(state.grounds.call))).toBeGreaterThan(0);
    expect(requestOf(preflight.log, state.grounds.request)?.calls).toEqual([state.grounds.call]);
    replays(preflight);
  });

  test('counts an answer for the tool and the user that were asked, and for no other', async () => {
    const none = { extractFromInstruction: () => undefined, measureFromEnvironment: () => undefined };
    const preflight = preflightWith(none);
    const { grounds } = await preflight.runPreflightAndRecord(input);
    const question = grounds.questions.find(({ about }) => about === 'slots');
    await preflight.answer({
      question: question?.id ?? '',
      by: { user: input.userId, known_by: 'form' },
      answers: [{ slot: '/folder', text: 'invoices' }],
    });
    const again = { ...input, arguments: { folder: 'invoices' }, grounds };
    await expect(preflight.runPreflightAndRecord({ ...again, userId: 'another' })).rejects.toMatchObject({
      code: 'preflight/other-user',
    });
    const changed = { ...input.mcpTool, description: 'Another version' };
    for (const mcpTool of [{ ...input.mcpTool, name: 'records.wipe' }, changed]) {
      const other = await preflight.runPreflightAndRecord({ ...again, mcpTool });
      expect(other).toMatchObject({
        execution_decision: 'ask_user',
        gate: { unknown_fields: [{ name: 'folder', note: 'not_said' }] },
      });
    }
    expect((await preflight.runPreflightAndRecord(again)).execution_decision).toBe('execute');
    replays(preflight);
  });

  test('closes the instruction where it comes as a bare text', async () => {
    const preflight = preflightWith();
    const state = await preflight.runPreflightAndRecord({ ...input, instruction: WORDS });
    expect(state).toMatchObject({ execution_decision: 'ask_user', fields: null, unknown_count: null });
    replays(preflight);
  });

  test.each(['untrusted', 'USER', '', 'system'])(
    'takes nothing from a segment of trust "%s"',
    async (trust) => {
      const preflight = preflightWith();
      const state = await preflight.runPreflightAndRecord({
        ...input,
        instruction: [{ text: WORDS, trust }],
      });
      expect(state.execution_decision).not.toBe('execute');
      replays(preflight);
    },
  );

  test('never names the tool in what it asks (case 32), and a count of nothing decided is null (case 31)', async () => {
    const preflight = preflightWith({
      confirmToolNameMatchesIntent: () => ({ approved: false, reason: 'scope' }),
    });
    const state = await preflight.runPreflightAndRecord(input);
    expect(state).toMatchObject({ execution_decision: 'ask_user', unknown_count: null, fields: null });
    expect(state.gate).toMatchObject({ kind: 'tool_undetermined', next_tool_attempt: 1 });
    expect(state.gate?.user_message).not.toContain('records');
    expect(state.gate?.user_message).not.toContain('delete');
    replays(preflight);
  });

  test('counts what it asked in the log: the third time it holds', async () => {
    const preflight = preflightWith({ confirmToolNameMatchesIntent: () => undefined });
    const kinds: unknown[] = [];
    let grounds: SkeletonState['grounds'] | undefined;
    for (let attempt = 0; attempt < 3; attempt++) {
      const state = await preflight.runPreflightAndRecord({
        ...input,
        tool_attempt: attempt,
        tool_reselected_by_user: true,
        ...(grounds === undefined || attempt === 2 ? {} : { grounds }),
      });
      kinds.push([state.gate?.kind, state.gate?.next_tool_attempt, state.execution_decision]);
      grounds = state.grounds;
    }
    expect(kinds).toEqual([
      ['tool_undetermined', 1, 'ask_user'],
      ['tool_undetermined', 2, 'ask_user'],
      ['tool_undetermined_exhausted', null, 'hold'],
    ]);
    replays(preflight);
  });

  test('holds a threshold that was never said (case 35)', async () => {
    const preflight = preflightWith({ classifyWhenCase: () => 'conditional' });
    const state = await preflight.runPreflightAndRecord(input);
    expect(state.gate?.kind).toBe('intent_undetermined');
    replays(preflight);
  });

  test('does not take a time that somebody else proposed (case 33)', async () => {
    const tool = {
      name: 'calendar.confirm',
      inputSchema: { type: 'object', required: ['time'], properties: { time: { type: 'string' } } },
    };
    const mail = 'How about Friday 15:00?';
    const preflight = preflightWith({
      extractUserActionName: () => 'sell',
      extractFromInstruction: () => ({ value: '15:00', segment_index: 1, span: [17, 22] }),
    });
    const state = await preflight.runPreflightAndRecord({
      ...input,
      mcpTool: tool,
      preSetData: { may_agree_in_my_name: true },
      instruction: [
        { text: 'Please sell my bike for me.', trust: 'user' },
        { text: mail, trust: 'untrusted', origin: 'chat:7' },
      ],
    });
    expect(state).toMatchObject({
      execution_decision: 'ask_user',
      gate: { unknown_fields: [{ name: 'time' }] },
    });
    replays(preflight);
  });

  test('keeps no schema apart from a schema without required arguments (case 30)', async () => {
    const empty = { name: 'ping', inputSchema: { type: 'object', required: [] } };
    const preflight = preflightWith();
    expect((await preflight.runPreflightAndRecord({ ...input, mcpTool: empty })).execution_decision).toBe(
      'execute',
    );
    const none = await preflight.runPreflightAndRecord({ ...input, mcpTool: { name: 'ping' } });
    expect(none.execution_decision).toBe('hold');
    replays(preflight);
  });

  test('takes what was measured, and never a measurement of the time before', async () => {
    let known: string | undefined = 'invoices';
    const preflight = preflightWith({
      extractFromInstruction: () => undefined,
      measureFromEnvironment: ({ field }) =>
        field?.name === 'folder' && known !== undefined ? { valid: true, value: known } : undefined,
    });
    const first = await preflight.runPreflightAndRecord(input);
    expect(first.fields).toMatchObject([{ name: 'folder', value: 'invoices', source: 'measured_data' }]);
    known = undefined;
    const next = await preflight.runPreflightAndRecord({ ...input, grounds: first.grounds });
    expect(next.execution_decision).not.toBe('execute');
    replays(preflight);
  });

  test('takes valid: false for unfinished, and never for a value', async () => {
    const preflight = preflightWith({
      extractFromInstruction: () => undefined,
      measureFromEnvironment: () => ({ valid: false, value: 'invoices' }),
    });
    const state = await preflight.runPreflightAndRecord(input);
    expect(state.fields).toMatchObject([{ name: 'folder', status: 'unknown' }]);
    replays(preflight);
  });
});

describe('Items of the user', () => {
  const item = { id: 'chk_limit', description: 'within the daily limit', status: 'verified' };
  const run = async (own: Partial<Hooks>, userChecklist: SkeletonInput['userChecklist'] = [item]) => {
    const preflight = preflightWith(own);
    const state = await preflight.runPreflightAndRecord({ ...input, userChecklist });
    replays(preflight);
    return state;
  };

  test('hold where the hook confirms them, and only there', async () => {
    const seen: unknown[] = [];
    const state = await run({
      verifyUserChecklistItem: (ctx) => {
        seen.push(ctx.item);
        return { status: 'verified' };
      },
    });
    expect(state).toMatchObject({
      execution_decision: 'execute',
      user_checklist: [{ id: 'chk_limit', status: 'verified', source: 'measured_data' }],
    });
    expect(seen).toEqual([{ id: 'chk_limit', description: 'within the daily limit' }]);
  });

  test.each<[string, Partial<Hooks>]>([
    ['no hook', {}],
    ['silence', { verifyUserChecklistItem: () => undefined }],
    ['another status', { verifyUserChecklistItem: () => ({ status: 'unverified' }) }],
    ['a yes of another form', { verifyUserChecklistItem: () => true as never }],
  ])('stay unverified with %s, whatever status came along', async (_, own) => {
    const state = await run(own);
    expect(state.execution_decision).not.toBe('execute');
    expect(state).toMatchObject({
      unverified_checklist_count: 1,
      user_checklist: [{ status: 'unverified' }],
    });
  });

  test('are unmet where they were checked and do not hold', async () => {
    const state = await run({ verifyUserChecklistItem: () => ({ status: 'violated' }) });
    expect(state).toMatchObject({ execution_decision: 'hold', unverified_checklist_count: 0 });
  });

  test.each<[string, SkeletonInput['userChecklist']]>([
    ['no id', [{ description: 'x' }]],
    ['a doubled id', [item, item]],
    ['no form at all', ['x']],
  ])('spoil the list with %s', async (_, list) => {
    const state = await run({ verifyUserChecklistItem: () => ({ status: 'verified' }) }, list);
    expect(state).toMatchObject({ execution_decision: 'hold', fields: null });
    expect(state.grounds).toMatchObject({ verdict: 'definition_repair' });
  });
});

describe('Checks of the adopter', () => {
  test.each<[string, Partial<Hooks>, string]>([
    ['a field that passes', { validateFieldSchema: ({ value }) => value === 'invoices' }, 'execute'],
    ['a field that does not', { validateFieldSchema: () => ({ valid: false }) }, 'hold'],
    ['a whole that passes', { validatePayload: ({ payload }) => payload.folder === 'invoices' }, 'execute'],
    ['a whole that does not', { validatePayload: () => false }, 'hold'],
    [
      'a policy that narrows the sources',
      { applyFieldPolicy: () => ({ sources: ['pre_set_data'] }) },
      'ask_user',
    ],
    ['a policy that is none', { applyFieldPolicy: () => 'yes' as never }, 'hold'],
  ])('%s', async (_, own, decision) => {
    const preflight = preflightWith(own);
    const state = await preflight.runPreflightAndRecord(input);
    expect(state.execution_decision).toBe(decision);
    replays(preflight);
  });
});

describe('The last execution', () => {
  const copy = (state: SkeletonState, value = 'invoices') => ({
    ...state,
    execution_decision: 'executed',
    fields: [{ name: 'folder', value, status: 'known', source: 'instruction' }],
  });

  test('is a candidate by default, and with its first source under inherit', async () => {
    for (const ruleset of ['standard', 'inherit'] as const) {
      let said = true;
      const preflight = preflightWith(
        { extractFromInstruction: (ctx) => (said ? hooks.extractFromInstruction(ctx) : undefined) },
        { ruleset },
      );
      const before = preflight.log.sizeSync();
      await executed(preflight, await preflight.runPreflightAndRecord(input));
      expect(preflight.log.sizeSync()).toBeGreaterThan(before);
      said = false;
      const state = await preflight.runPreflightAndRecord(input);
      expect(state.fields).toMatchObject([
        ruleset === 'standard'
          ? { name: 'folder', status: 'unknown' }
          : { name: 'folder', status: 'known', source: 'prior_state', origin_source: 'instruction' },
      ]);
      replays(preflight);
    }
  });

  test('must be what the log holds, whoever else keeps it (R10)', async () => {
    const kept: unknown[] = [];
    const storage = { persist: () => {}, load: () => kept };
    const preflight = preflightWith({}, { storage });
    const first = await preflight.runPreflightAndRecord(input);
    await executed(preflight, first);
    const decision = async (priorExecutionState: unknown) =>
      (await preflight.runPreflightAndRecord({ ...input, priorExecutionState })).execution_decision;
    expect(await decision(copy(first))).toBe('execute');
    expect(await decision(first)).toBe('execute');
    expect(await decision(copy(first, 'everything'))).toBe('hold');
    kept.push(copy(first, 'everything'));
    expect(await decision(undefined)).toBe('hold');
    kept.push(copy(first));
    expect(await decision(undefined)).toBe('execute');
    replays(preflight);
  });

  test('is nobody’s word where the log holds none', async () => {
    const preflight = preflightWith();
    const state = await preflight.runPreflightAndRecord({
      ...input,
      priorExecutionState: {
        execution_decision: 'executed',
        fields: [{ name: 'folder', value: 'x', status: 'known' }],
      },
    });
    expect(state.execution_decision).toBe('hold');
  });
});

test('A record that the storage refuses still stands in the log, and the caller is told where', async () => {
  const preflight = preflightWith(
    {},
    {
      storage: {
        persist: () => {
          throw new Error('disk full');
        },
        load: () => undefined,
      },
    },
  );
  const failed = preflight.runPreflightAndRecord(input);
  await expect(failed).rejects.toMatchObject({ code: 'preflight/not-persisted' });
  const { facts } = (await failed.catch((error: unknown) => error)) as {
    facts: { run: string; call: string };
  };
  expect(standingOf(preflight.log, facts.call)?.run?.id).toBe(facts.run);
});

test('A judged call is one durable commit, its request with it; what it asks is another', async () => {
  const log = openMemoryLog();
  let commits = 0;
  const counted = {
    ...log,
    append: (commit: Parameters<typeof log.append>[0]) => {
      commits++;
      return log.append(commit);
    },
  };
  const preflight = preflightWith({}, { log: counted });
  expect((await preflight.runPreflightAndRecord(input)).execution_decision).toBe('execute');
  expect(commits).toBe(1);
  const asking = preflightWith({ extractFromInstruction: () => undefined }, { log: counted });
  expect((await asking.runPreflightAndRecord(input)).execution_decision).toBe('ask_user');
  expect(commits).toBe(3);
});
