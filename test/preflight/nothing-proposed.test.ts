import { describe, expect, test } from 'vitest';
import { createExecutor, createPreflight, openMemoryLog, parseChecklist, randomId } from '../../src/index.ts';
import { byRules } from '../../src/preflight/by-rules.ts';
import { replayed } from '../replay/recorded.ts';
import { result } from './live.ts';

const RULES = parseChecklist(
  `
grounds: 1
checklist: demo/payments
declared_by: system
intent: { unmarked_timing: immediate, act_words: { pay: [pay] } }
facts:
  home: { measured_by: [{ tool: get_home }] }
tools:
  pay:
    slots:
      /amount: { reader: money }
      /from: { setting: account }
      /branch: { measured: ["home#/branch"] }
`,
  'payments.yaml',
);
const TOOL = {
  name: 'pay',
  inputSchema: {
    type: 'object',
    required: ['amount', 'from', 'branch'],
    properties: { amount: { type: 'number' }, from: { type: 'string' }, branch: { type: 'string' } },
  },
};

describe('where nothing is proposed, and nothing but rules looks,', () => {
  test('settings and measurements fill their slots, and what the words may mean is asked, not guessed', async () => {
    const log = openMemoryLog();
    const preflight = createPreflight({ log, checklists: [RULES], hooks: byRules });
    const conversation = randomId();
    const request = await preflight.openRequest({ conversation });
    await preflight.say(conversation, [
      { author: 'user', typed: true, body: 'Pay 120, please. The last bill was 90.' },
      result('get_home', {}, { branch: 'B-7' }),
    ]);
    const given = {
      conversation,
      request,
      call: randomId(),
      tool: TOOL,
      arguments: null,
      settings: { account: 'A-1' },
    };
    const judged = await preflight.judge(given);
    const states = judged.verdict.slots?.map((slot) => [slot.slot, slot.reason]);
    expect(states).toEqual([
      ['/amount', 'not_said'],
      ['/branch', 'measured'],
      ['/from', 'setting'],
    ]);
    const [question] = await preflight.ask(judged);
    expect(question?.slots.map(({ slot }) => slot)).toEqual(['/amount']);
    const by = { user: 'ann', known_by: 'form' as const };
    await preflight.answer({ question: question?.id ?? '', by, answers: [{ slot: '/amount', text: '120' }] });
    const again = await preflight.judge(given);
    expect(again.verdict.kind).toBe('executable');
    const executor = createExecutor({
      log,
      name: 'test/1',
      call: async () => ({ result: 'paid', failed: false }),
    });
    expect(await executor.execute({ run: again.run })).toMatchObject({
      arguments: { amount: 120, branch: 'B-7', from: 'A-1' },
    });
    expect(replayed(log).summary).toMatchObject({ matched: 2, diverged: 0, tampered: 0 });
  });

  test('the rule as a hook to be called from one of your own says nothing either, and with a proposal it does', async () => {
    const found: unknown[] = [];
    const hooks = {
      ...byRules,
      extractFromInstruction: (ctx: Parameters<typeof byRules.extractFromInstruction>[0]) => {
        const said = byRules.extractFromInstruction(ctx);
        if (ctx.field.slot === '/amount') found.push(said);
        return said;
      },
    };
    const preflight = createPreflight({ log: openMemoryLog(), checklists: [RULES], hooks });
    const conversation = randomId();
    const request = await preflight.openRequest({ conversation });
    await preflight.say(conversation, [{ author: 'user', typed: true, body: 'Pay 120.' }]);
    const given = { conversation, request, tool: TOOL };
    await preflight.judge({ ...given, call: randomId(), arguments: null });
    await preflight.judge({ ...given, call: randomId(), arguments: { amount: 120 } });
    expect(found).toEqual([undefined, { value: 120, segment_index: 0, span: [4, 7] }]);
  });
});
