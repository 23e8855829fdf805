import { describe, expect, test } from 'vitest';
import { Checklist, type ChecklistFile } from '../../src/declarations/checklist.ts';
import { digestOf } from '../../src/events/digest.ts';
import type { Json } from '../../src/events/json.ts';
import type { Lookup, Outcome } from '../../src/events/lookup.ts';
import type { Segment } from '../../src/events/segment.ts';
import { argumentsOf, driveInRounds, locate, type RunInput, step } from '../../src/gate/index.ts';

const say = (plain: string, author: Segment['author'] = 'user'): Segment => ({
  at: null,
  author,
  typed: author === 'user',
  origin: null,
  body: { plain },
  observes: null,
});

const measured = (tool: string, args: Json, body: Json): Segment => ({
  ...say('', 'tool'),
  body: { plain: body },
  observes: { tool, arguments: { plain: args }, failed: false, fault: null },
});

interface Given {
  readonly rules?: Partial<NonNullable<ChecklistFile['tools']>[string]>;
  readonly more?: Partial<ChecklistFile>;
  readonly intent?: ChecklistFile['intent'];
  readonly beside?: readonly Partial<ChecklistFile>[];
  readonly args?: Json | null;
  readonly said?: readonly Segment[];
  readonly entries?: RunInput['entries'];
  /** What a hook says instead, by subject and source. */
  readonly hooks?: Readonly<Record<string, Outcome>>;
}

const TOOL = { server: 'bank', name: 'send', description: null, input_schema: null, annotations: null };
const SCHEMA = {
  type: 'object',
  required: ['amount'],
  properties: {
    amount: { type: 'number', maximum: 500 },
    note: { type: ['string', 'null'] },
    lines: { type: 'array' },
  },
};

function judge(given: Given) {
  const own = {
    grounds: 1,
    checklist: 'bank/policy',
    declared_by: 'system',
    intent: given.intent ?? { unmarked_timing: 'immediate', act_words: { send: ['send'] } },
    ...given.more,
    tools: { send: { schema: SCHEMA, ...given.rules } },
  };
  const bodies = [
    own,
    ...(given.beside ?? []).map((part) => ({ grounds: 1, checklist: 'other/own', ...part })),
  ];
  const run: RunInput = {
    gate: digestOf('gate'),
    ruleset: 'standard',
    phase: 'at_trigger',
    now: null,
    attempts: { intent: 0, tool: 0 },
    proposal:
      given.args === null ? null : { received: null, prepared: { plain: given.args ?? { amount: 100 } } },
    tool: TOOL,
    tool_digest: digestOf(TOOL),
    checklists: bodies.map((body) => {
      const parsed = Checklist.parse(body);
      return { digest: digestOf(parsed), body: parsed };
    }),
    unsound: [],
    action_key: 'ok',
    segments: given.said ?? [say('please send 100')],
    request_from: 0,
    entries: given.entries ?? [],
  };
  const driven = driveInRounds(step, run, (request): Lookup => {
    const name = 'slot' in request.subject ? request.subject.slot : request.subject.fact;
    const outcome = given.hooks?.[`${name} ${request.source}`];
    return outcome === undefined ? locate(run, request) : { request, by: 'hook', outcome };
  });
  const { verdict } = driven;
  const state = (id: string) => {
    const found = [...verdict.intent, ...(verdict.slots ?? [])].find(({ slot }) => slot === id);
    return found === undefined ? undefined : `${found.state} ${found.reason}`;
  };
  return { run, verdict, state };
}

const answer = (slot: string, value: Json, none = false): RunInput['entries'][number] => ({
  kind: 'answer',
  slot,
  value: { plain: value },
  none,
  candidate: null,
});
const approval = (shown: Readonly<Record<string, Json>>, declined = false): RunInput['entries'][number] => ({
  kind: 'approval',
  tool: digestOf(TOOL),
  shown: Object.entries(shown).map(([slot, value]) => ({ slot, value: { plain: value } })),
  declined,
});
const ACCOUNT = { account: { measured_by: [{ tool: 'get_account', match: { 'result/id': 'typed' } }] } };
const claims = (at: object): Outcome => ({ said: 'claim', claims: [{ at } as never], also: 1 });

describe('The gate', () => {
  test('finds a plain call executable', () => {
    expect(judge({}).verdict.kind).toBe('executable');
  });

  test('takes "there is none" only from an entry that says so (N, R6)', () => {
    const place = { in: 'entry', entry: 0, pointer: '/value' } as const;
    const { state } = judge({
      args: { amount: 100, note: 'x' },
      entries: [answer('/note', 'x')],
      hooks: { '/note user_answer': { said: 'nothing', place } },
    });
    expect(state('/note')).toBe('unknown claim_untrusted');
  });

  test('takes a record only where the conversation measures it (R8b)', () => {
    const given = {
      more: { facts: ACCOUNT },
      rules: { conditions: { covered: { require: 'args.amount <= account.limit' } } },
    };
    const said = [
      say('please send 100 from A1'),
      measured('get_account', { id: 'A1' }, { id: 'A1', limit: 50 }),
    ];
    expect(judge({ ...given, said }).verdict.kind).toBe('unmet');
    const echo = { in: 'json', segment: 1, of: 'arguments', pointer: '' };
    const lying = judge({ ...given, said, hooks: { 'account measured_data': claims(echo) } });
    expect(lying.state('covered')).toBe('unknown waits_for');
    const nowhere = { in: 'json', segment: 9, of: 'result', pointer: '' };
    expect(judge({ ...given, said, hooks: { 'account measured_data': claims(nowhere) } }).verdict.kind).toBe(
      'unknown',
    );
  });

  test('lists what a party requires though the schema does not and the proposal leaves it out (R7, [Required])', () => {
    expect(judge({ rules: { slots: { '/note': { required: true } } } }).state('/note')).toBe(
      'unknown not_said',
    );
  });

  test('never leaves ungated what a party requires, or what is declared wrongly (R4)', () => {
    const provider = {
      declared_by: 'provider' as const,
      tools: { send: { slots: { '/card/id': { required: true } } } },
    };
    const args = { amount: 100, card: { id: 'C9' } };
    expect(
      judge({ args, rules: { ungated: { '/card': 'So.' } }, beside: [provider] }).state('/card/id'),
    ).toBe('unknown not_said');
    const both = { ungated: { '/note': 'So.' }, slots: { '/note': {} } };
    expect(judge({ args: { amount: 100, note: 'x' }, rules: both }).state('/note')).toBe(
      'unknown checklist_unsound',
    );
  });

  test('an approval is void once a value that it showed has changed, or a later no took it back (R9)', () => {
    const said = [say('please send it')];
    expect(judge({ said, entries: [approval({ '/amount': 100 })] }).state('/amount')).toBe('known approved');
    const changed = judge({
      said,
      args: { amount: 100, note: 'b' },
      entries: [approval({ '/amount': 100, '/note': 'a' })],
    });
    expect(changed.state('/amount')).toBe('unknown not_said');
    const rules = { slots: { '/amount': { sources: ['instruction' as const, 'pre_set_data' as const] } } };
    const taken = judge({
      said,
      rules,
      entries: [approval({ '/amount': 100 }), approval({ '/amount': 100 }, true)],
    });
    expect(taken.state('/amount')).toBe('unknown not_said');
  });

  test('only the newest answer speaks (R9)', () => {
    const old = claims({ in: 'entry', entry: 0, pointer: '/value' });
    const { state } = judge({
      said: [say('please send it')],
      entries: [answer('/amount', 100), answer('/amount', 50)],
      hooks: { '/amount user_answer': old },
    });
    expect(state('/amount')).toBe('unknown claim_untrusted');
  });

  test('an act stands in words that are there (R14), also where there is one tool (R-red)', () => {
    const out = claims({ in: 'text', segment: 0, start: 5, end: 900 });
    const judgedAct = judge({
      hooks: { 'act instruction': out },
      entries: [{ kind: 'match', approved: true }],
    });
    expect(judgedAct.state('act')).toBe('unknown act_not_said');
    const one = judge({
      said: [say('hello, 100')],
      intent: { unmarked_timing: 'immediate', single_tool: true, act_words: { send: ['send'] } },
    });
    expect(one.verdict.kind).toBe('intent_undetermined');
  });

  test("another tool's own name is not this one, also where two are said (R14)", () => {
    const names = ['big', 'small'].map((word) => ({
      kind: 'tool_name' as const,
      word,
      tool: `tool_${word}`,
    }));
    expect(judge({ said: [say('send 100 big and small')], entries: names }).verdict.kind).toBe(
      'tool_undetermined',
    );
  });

  test('a failed lookup of the time is a defect and spends no question (V2)', () => {
    const intent = {
      timing: { scheduled: { words: ['later'], detail: 'date' } },
      act_words: { send: ['send'] },
    };
    const { verdict } = judge({
      intent,
      said: [say('send 100 later')],
      hooks: { 'when/scheduled instruction': { said: 'failed', code: 'hook/timeout' } },
    });
    expect([verdict.rule, verdict.next_attempt]).toEqual(['V2', null]);
  });

  test('judges the arguments as they would be sent, with what was answered and the proposal lacks (R11)', () => {
    const rules = { conditions: { small: { require: '!has(args.amount) || args.amount <= 200' } } };
    expect(
      judge({ args: null, rules, entries: [answer('/amount', 300)] }).verdict.unmet.map(
        ({ reason }) => reason,
      ),
    ).toEqual(['condition_false']);
    expect(
      judge({ args: null, entries: [answer('/amount', 900)] }).verdict.unmet.map(({ reason }) => reason),
    ).toEqual(['payload_invalid']);
    const filled = judge({ args: null, entries: [answer('/amount', 100)] });
    expect(argumentsOf(filled.run, filled.verdict)).toEqual({ amount: 100 });
  });

  test('a condition of what is known to be nothing is unmet, unless it accepts that (R6)', () => {
    const given = { args: { amount: 100, note: null }, entries: [answer('/note', null, true)] };
    const rules = (accepts_null: boolean) => ({
      conditions: { kind: { require: 'args.note == "gift"', accepts_null } },
    });
    expect(judge({ ...given, rules: rules(false) }).verdict.unmet).toMatchObject([
      { slot: 'kind', reason: 'condition_null' },
    ]);
    expect(judge({ ...given, rules: rules(true) }).state('kind')).toBe('known met');
  });

  test('waits for a failed fact behind a fact as for a defect (S19)', () => {
    const facts = {
      ...ACCOUNT,
      owner: { measured_by: [{ tool: 'get_owner', match: { 'result/id': 'account#/owner' } }] },
    };
    const { verdict } = judge({
      more: { facts },
      said: [say('please send it')],
      rules: { slots: { '/amount': { measured: ['owner#/usual'] } } },
      hooks: { 'account measured_data': { said: 'failed', code: 'hook/timeout' } },
    });
    expect(verdict.slots?.[0]).toMatchObject({ rule: 'S19', route: 'definition_repair' });
  });
});
