import { describe, expect, test } from 'vitest';
import { renderRecord, type SkeletonRecord } from '../../src/compat/index.ts';
import { digestOf } from '../../src/events/digest.ts';
import { VERDICT_KINDS } from '../../src/events/vocabulary.ts';
import {
  agent,
  answer,
  answerNone,
  approval,
  given,
  type Proposed,
  type Said,
  tool,
  trigger,
  user,
} from '../../src/testing/index.ts';
import { ARGS, AT, LIMITS, NOW, POLICY, recordOf } from './bank.ts';

const BALANCE = tool('get_balance', {}, { available: 900, owner: 'ann' });
const bank = (...said: Said[]) => given(said, [POLICY, LIMITS]);
const send = (call: ReturnType<typeof given>, change: object = {}) =>
  call.propose('transfer', { ...ARGS, ...change });

const later = user('Please send 250 to acc-77 later, on 2026-05-02');

interface Row {
  readonly call: Proposed;
  readonly kind: string;
  readonly decision: SkeletonRecord['execution_decision'];
  readonly gate: object | null;
  readonly counts: readonly [number | null, number | null];
  readonly reason: string;
}

const hookFailed = { hook: () => ({ said: 'failed', code: 'timeout' }) as const };
const ROWS: Readonly<Record<string, Row>> = {
  'executable is execute': {
    call: send(bank(NOW, BALANCE)),
    kind: 'executable',
    decision: 'execute',
    gate: { unknown_fields: [], unverified_checklist: [] },
    counts: [0, 0],
    reason: 'execute: unknown_fields=0, unverified_checklist=0',
  },
  'schedulable is deferred, has no gate, and its user checklist is not yet decided': {
    call: send(bank(later), {}),
    kind: 'schedulable',
    decision: 'deferred',
    gate: null,
    counts: [0, null],
    reason: 'deferred: waits for its trigger (pending=0)',
  },
  'unknown with something to ask is ask_user': {
    call: send(bank(NOW, BALANCE), { to: { account: 'acc-99' } }),
    kind: 'unknown',
    decision: 'ask_user',
    gate: { unknown_fields: [{ name: '/to/account', note: 'not_said' }], unverified_checklist: [] },
    counts: [1, 0],
    reason: 'ask_user: unknown_fields=1, unverified_checklist=0',
  },
  'unknown with nothing that the user can answer is hold': {
    call: send(bank(NOW)),
    kind: 'unknown',
    decision: 'hold',
    gate: {
      unknown_fields: [{ name: 'condition:covered', note: 'waits_for' }],
      unverified_checklist: [{ id: 'friend', description: 'balance.owner == "ann"', note: 'waits_for' }],
    },
    counts: [1, 1],
    reason: 'hold: unknown_fields=1, unverified_checklist=1',
  },
  'unmet is hold, and is not counted': {
    call: send(bank(user('Please send 400 to acc-77 now'), BALANCE), { amount: 400 }),
    kind: 'unmet',
    decision: 'hold',
    gate: { unknown_fields: [], unverified_checklist: [] },
    counts: [0, 0],
    reason: 'hold: not met (limit: condition_false)',
  },
  'unmet is hold even where something could be asked': {
    call: send(bank(user('Please send 400 now'), BALANCE), { amount: 400 }),
    kind: 'unmet',
    decision: 'hold',
    gate: { unknown_fields: [{ name: '/to/account', note: 'not_said' }], unverified_checklist: [] },
    counts: [1, 0],
    reason: 'hold: not met (limit: condition_false)',
  },
  'arguments that do not fit the schema are payload_invalid': {
    call: given(
      [user('Please send 2000 to acc-77 now'), tool('get_balance', {}, { available: 9000 })],
      POLICY,
    ).propose('transfer', { ...ARGS, amount: 2000 }),
    kind: 'unmet',
    decision: 'hold',
    gate: {
      kind: 'payload_invalid',
      payload_violation: expect.any(String),
      unknown_fields: [],
      unverified_checklist: [],
    },
    counts: [0, 0],
    reason: 'hold: not met (/: payload_invalid)',
  },
  'an act that is not settled is asked for': {
    call: send(bank(user('Please, now'))),
    kind: 'intent_undetermined',
    decision: 'ask_user',
    gate: {
      kind: 'intent_undetermined',
      user_message: expect.stringContaining('what you want done'),
      next_intent_attempt: 1,
      _diag: { issues: [{ slot: 'c2_user_action_name', code: 'act_not_said' }], attempt: 0, limit: 2 },
    },
    counts: [null, null],
    reason: 'ask_user: intent undetermined (act: act_not_said)',
  },
  'an intent that was asked for twice is held': {
    call: send(bank(user('Please')).with({ attempts: { intent: 2 } })),
    kind: 'intent_undetermined',
    decision: 'hold',
    gate: { kind: 'intent_undetermined_exhausted', next_intent_attempt: null },
    counts: [null, null],
    reason: 'hold: intent undetermined (when: timing_undecidable, act: act_not_said)',
  },
  'an intent whose hook failed is held, since no answer repairs a hook': {
    call: send(bank(NOW).with(hookFailed)),
    kind: 'intent_undetermined',
    decision: 'hold',
    gate: { kind: 'intent_undetermined', next_intent_attempt: null },
    counts: [null, null],
    reason: 'hold: intent undetermined (when: lookup_failed, act: lookup_failed)',
  },
  'a tool that is not settled is asked for, without its name': {
    call: send(bank(user('Please close it now'))),
    kind: 'tool_undetermined',
    decision: 'ask_user',
    gate: {
      kind: 'tool_undetermined',
      user_message: expect.not.stringContaining('transfer'),
      next_tool_attempt: 1,
      _diag: { candidate_tool: 'transfer', reason: 'other_act_said', attempt: 0, limit: 2 },
    },
    counts: [null, null],
    reason: 'ask_user: tool undetermined (tool: other_act_said)',
  },
  'a tool that was asked for twice is held': {
    call: send(bank(user('Please close it now')).with({ attempts: { tool: 2 } })),
    kind: 'tool_undetermined',
    decision: 'hold',
    gate: { kind: 'tool_undetermined_exhausted', next_tool_attempt: null },
    counts: [null, null],
    reason: 'hold: tool undetermined (tool: other_act_said)',
  },
  'an action key that could not be built is held': {
    call: send(bank(NOW, BALANCE).with({ action_key: 'failed' })),
    kind: 'definition_repair',
    decision: 'hold',
    gate: { kind: 'action_key_failed' },
    counts: [null, null],
    reason: 'hold: action_key_failed',
  },
  'a checklist that can not be used is held without a gate': {
    call: send(
      bank(NOW, BALANCE).with({ unsound: [{ digest: `sha256:${'1'.repeat(64)}`, declared_by: 'user' }] }),
    ),
    kind: 'definition_repair',
    decision: 'hold',
    gate: null,
    counts: [null, null],
    reason: `hold: sha256:${'1'.repeat(64)}: checklist_unsound`,
  },
  'a tool without a schema is schema_unsupported': {
    call: given(
      [NOW],
      `
grounds: 1
checklist: bank/bare
declared_by: system
intent: { unmarked_timing: immediate, act_words: { transfer: [send] } }
tools: { transfer: { slots: { /amount: { reader: decimal } } } }
`,
    ).propose('transfer', { amount: 250 }),
    kind: 'definition_repair',
    decision: 'hold',
    gate: {
      kind: 'schema_unsupported',
      unknown_fields: [{ name: '/', note: 'schema_missing' }],
      unverified_checklist: [],
    },
    counts: [1, 0],
    reason: 'hold: unknown_fields=1, unverified_checklist=0',
  },
};

describe('the decision, its gate and its counts', () => {
  test.each(Object.entries(ROWS))('%s', (_, { call, kind, decision, gate, counts, reason }) => {
    const record = recordOf(call);
    expect(call.verdict().kind).toBe(kind);
    expect(record.execution_decision).toBe(decision);
    if (gate === null) expect(record.gate).toBeNull();
    else expect(record.gate).toMatchObject(gate);
    if (gate !== null && !('kind' in gate)) expect(record.gate).not.toHaveProperty('kind');
    expect([record.unknown_count, record.unverified_checklist_count]).toEqual(counts);
    expect(record.reason).toBe(reason);
  });

  test('there is a row for every kind of verdict', () => {
    expect(new Set(Object.values(ROWS).map(({ kind }) => kind))).toEqual(new Set(VERDICT_KINDS));
  });

  test.each(Object.entries(ROWS))('%s: nothing is counted twice, and nothing is left out', (_, { call }) => {
    const record = recordOf(call);
    const { slots, unknown_count } = call.verdict();
    const fields = record.fields ?? null;
    expect(fields === null).toBe(slots === null);
    if (fields === null || slots === null) {
      expect([record.unknown_count, record.unverified_checklist_count]).toEqual([null, null]);
      return;
    }
    expect(fields.filter(({ status }) => status === 'unknown')).toHaveLength(record.unknown_count ?? -1);
    if (record.unverified_checklist_count !== null) {
      expect((record.unknown_count ?? 0) + (record.unverified_checklist_count ?? 0)).toBe(unknown_count);
    }
    expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length);
  });
});

describe('the fixed checklist', () => {
  test('has the words of the act, how the tool was matched, and the timing', () => {
    expect(recordOf(send(bank(NOW, BALANCE))).fixed).toEqual({
      c1_when_case: 'immediate',
      c2_user_action_name: 'send',
      c3_provider_action_name: 'transfer',
      c2_source: 'instruction',
      c3_match: { approved: true, reason: 'act_words' },
    });
  });

  test('leaves null what is not settled, and the match out where it did not come to it', () => {
    const record = recordOf(send(bank(user('Please'))));
    expect(record.fixed).toEqual({
      c1_when_case: null,
      c2_user_action_name: null,
      c3_provider_action_name: 'transfer',
      c2_source: null,
    });
    expect([record.action_key, record.phase]).toEqual([null, null]);
  });

  test('of a refused tool says that it was refused', () => {
    const { fixed } = recordOf(send(bank(user('Please close it now'))));
    expect(fixed?.c3_match).toEqual({ approved: false, reason: 'other_act_said' });
  });

  test('goes with the phase: a later call is at the instruction until its trigger', () => {
    const at = (call: Proposed) => {
      const { fixed, phase, execution_decision } = recordOf(call);
      return [fixed?.c1_when_case, phase, execution_decision];
    };
    expect(at(send(bank(later)))).toEqual(['scheduled', 'at_instruction', 'deferred']);
    const fired = bank(later, BALANCE).with({ entries: [trigger('scheduled')] });
    expect(at(send(fired))).toEqual(['scheduled', 'at_trigger', 'execute']);
  });
});

describe('a field', () => {
  test('has its value as its place reads, with the source and the first one', () => {
    expect(recordOf(send(bank(NOW, BALANCE))).fields).toEqual([
      {
        name: 'amount',
        value: 250,
        status: 'known',
        source: 'instruction',
        origin_source: 'instruction',
        resolved_at: AT,
      },
      expect.objectContaining({ name: '/to/account', value: 'acc-77' }),
    ]);
  });

  test('takes no value from the proposal: another one in its place stays unread', () => {
    const call = send(bank(NOW, BALANCE));
    const run = { ...call.run, proposal: { received: null, prepared: { plain: { ...ARGS, amount: 9 } } } };
    const rendered = () => renderRecord(run, call.verdict(), { action_key: null, resolved_at: AT });
    expect(rendered).toThrow(expect.objectContaining({ code: 'gate/place-differs' }));
    const open = send(bank(NOW));
    const asked = recordOf(open, { ...open.run, proposal: run.proposal });
    expect(asked.fields?.[0]).toMatchObject({ name: 'amount', value: 250 });
  });

  test('that the user answered keeps the first source of what was confirmed', () => {
    const call = bank(user('Please send 250 now'), BALANCE).with({
      entries: [answer('/to/account', 'acc-77', 'measured_data')],
    });
    expect(recordOf(send(call)).fields?.[1]).toMatchObject({
      value: 'acc-77',
      source: 'user_answer',
      origin_source: 'measured_data',
    });
  });

  test('of the schema’s own value has no place, so no value: only the arguments hold it', () => {
    const record = recordOf(send(bank(NOW, BALANCE), { currency: 'EUR' }));
    const currency = record.fields?.find(({ name }) => name === 'currency');
    expect(currency).toMatchObject({ status: 'known', source: null, note: 'fixed_by_schema' });
    expect(currency).not.toHaveProperty('value');
    expect(record.call_arguments).toEqual({ ...ARGS, currency: 'EUR' });
  });

  test('whose lookup failed says so', () => {
    const call = bank(NOW, BALANCE).with({
      hook: ({ subject }) =>
        'slot' in subject && subject.slot === '/amount' ? { said: 'failed', code: 'timeout' } : undefined,
    });
    const record = recordOf(send(call));
    expect(record.fields?.[0]).toMatchObject({ name: 'amount', status: 'unknown', lookup_failed: true });
    expect(record.gate).toMatchObject({ _diag: { lookup_failures: [{ name: 'amount', detail: null }] } });
  });

  test.each([
    ['a key', { memo: 'x' }, 'memo'],
    ['a key that looks like a pointer', { '/to/account': 'x' }, '/~1to~1account'],
    ['a key that looks like a condition', { 'condition:covered': 'x' }, '/condition:covered'],
    ['an empty key', { '': 'x' }, '/'],
  ])('is named so that no two share a name: %s', (_, more, name) => {
    const record = recordOf(given([NOW], [POLICY, LIMITS]).propose('transfer', { ...ARGS, ...more }));
    const names = record.fields?.map((field) => field.name) ?? [];
    expect(names).toContain(name);
    expect(names).toContain('condition:covered');
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('beside the skeleton’s own keys', () => {
  test('a null slot stands under grounds, and is neither a field nor counted', () => {
    const record = recordOf(send(bank(NOW, BALANCE).with({ entries: [answerNone('/memo')] }), { memo: 'x' }));
    expect(record.execution_decision).toBe('execute');
    expect(record.fields?.map(({ name }) => name)).not.toContain('memo');
    expect(record.call_arguments).toEqual(ARGS);
    expect(record.grounds).toMatchObject({
      null_slots: [{ slot: '/memo', name: 'memo', source: 'user_answer', reason: 'answered_none' }],
    });
  });

  test('what is unmet stands under grounds, and in the user checklist with the reason', () => {
    const record = recordOf(ROWS['unmet is hold, and is not counted']?.call as Proposed);
    expect(record.grounds).toMatchObject({
      unmet: [{ slot: 'limit', reason: 'condition_false', declared_by: 'user' }],
    });
    expect(record.user_checklist).toContainEqual({
      id: 'limit',
      description: 'Never more than 300.',
      status: 'unverified',
      source: 'instruction',
      note: 'condition_false',
    });
  });

  test('routes, reductions, conditions of others and the digest of the verdict', () => {
    const call = send(bank(NOW));
    expect(recordOf(call).grounds).toMatchObject({
      verdict: 'unknown',
      verdict_digest: digestOf(call.verdict()),
      unknown_count: 2,
      routes: expect.arrayContaining([
        { slot: 'covered', route: 'system_lookup', reason: 'waits_for', waits_for: ['balance'] },
      ]),
      conditions: [{ slot: 'covered', state: 'unknown', reason: 'waits_for', declared_by: 'system' }],
      reductions: [],
      rests_on: call.verdict().rests_on,
    });
  });

  test('a label of the tool is a field while it is open, and no argument once it is answered', () => {
    const described = { description: 'Sends money.\n[Verify] final: Transfers are final.' };
    const open = bank(NOW, BALANCE).propose('transfer', ARGS, { tool: described });
    const asked = recordOf(open);
    expect(asked.fields).toContainEqual(
      expect.objectContaining({ name: 'condition:final', status: 'unknown' }),
    );
    expect(asked.advisory_notes).toBe(described.description);
    const yes = approval({ final: true, '/amount': 250, '/to/account': 'acc-77' });
    const done = recordOf(bank(NOW, BALANCE).propose('transfer', ARGS, { tool: described, entries: [yes] }));
    expect(done.execution_decision).toBe('execute');
    expect(done.fields?.map(({ name }) => name)).toEqual(['amount', '/to/account']);
  });
});

test('the description of an undetermined tool is not handed on', () => {
  const options = { tool: { description: 'Sends money.' } };
  const record = recordOf(bank(user('Please close it now')).propose('transfer', ARGS, options));
  expect(record.advisory_notes).toBe('');
});

test('the user checklist stands there before it is decided on, unverified', () => {
  const items = recordOf(send(bank(user('Please')))).user_checklist;
  expect(items).toEqual([
    { id: 'friend', description: 'balance.owner == "ann"', status: 'unverified', source: null },
    { id: 'limit', description: 'Never more than 300.', status: 'unverified', source: null },
  ]);
});

test('words that the agent wrote stand in no record', () => {
  const call = send(bank(agent('I will send 250 to acc-77 now.'), user('Please, now')));
  expect(recordOf(call).fixed?.c2_user_action_name).toBeNull();
});

test('rendering twice gives the same bytes', () => {
  const call = send(bank(NOW, BALANCE));
  expect(JSON.stringify(recordOf(call))).toBe(JSON.stringify(recordOf(call)));
});
