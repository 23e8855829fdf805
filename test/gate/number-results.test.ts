import { describe, expect, test } from 'vitest';
import { parseChecklist } from '../../src/declarations/load.ts';
import type { Json } from '../../src/events/json.ts';
import { argumentsOf, drive, locate, type RunInput } from '../../src/gate/index.ts';

const digest = `sha256:${'0'.repeat(64)}`;

type Segment = RunInput['segments'][number];

const typed = (text: string): Segment => ({
  at: null,
  author: 'user',
  typed: true,
  origin: null,
  body: { plain: text },
  observes: null,
});

const answered = (result: Json, tool = 'get_balance'): Segment => ({
  at: null,
  author: 'tool',
  typed: false,
  origin: null,
  body: { plain: result },
  observes: { tool, arguments: { plain: {} }, failed: false, fault: null },
});

const { checklist } = parseChecklist(
  `grounds: 1
checklist: test/bank
declared_by: system
intent: { unmarked_timing: immediate, act_words: { send_money: [send] } }
facts:
  balance: { measured_by: [{ tool: get_balance }], stale_after: [{ tools: [send_money], match: {} }] }
tools:
  send_money:
    schema: { type: object, required: [amount], properties: { amount: { type: number } } }
    slots:
      /amount: { reader: money, phrases: { "the whole balance": "balance#" } }
    conditions:
      covered: { says: What is sent is there., require: args.amount <= balance }
`,
  'bank.yaml',
);

function sends(amount: number, segments: readonly Segment[]) {
  const run: RunInput = {
    gate: digest,
    ruleset: 'standard',
    phase: 'at_trigger',
    now: null,
    attempts: { intent: 0, tool: 0 },
    proposal: { received: null, prepared: { plain: { amount } } },
    tool: { server: 'test', name: 'send_money', description: null, input_schema: null, annotations: null },
    tool_digest: digest,
    checklists: [{ digest, body: checklist }],
    unsound: [],
    action_key: 'ok',
    segments,
    request_from: 0,
    entries: [],
  };
  return { run, ...drive(run, (request) => locate(run, request)) };
}

describe('a result that is one JSON number', () => {
  const all = typed('Send the whole balance, please.');

  test('measures, and declared words may name it', () => {
    const { run, verdict } = sends(1810, [all, answered('1810.0')]);
    expect(verdict.kind).toBe('executable');
    expect(verdict.slots?.find(({ slot }) => slot === '/amount')).toMatchObject({
      place: { in: 'json', of: 'result', pointer: '', segment: 1 },
      by: { in: 'text', segment: 0, start: 5, end: 22 },
    });
    expect(argumentsOf(run, verdict)).toEqual({ amount: 1810 });
  });

  test('is compared by conditions', () => {
    expect(sends(20, [typed('Send 20.'), answered('1810.0')]).verdict.kind).toBe('executable');
    expect(sends(20, [typed('Send 20.'), answered('19.99')]).verdict.kind).toBe('unmet');
  });

  test('is not the value where the words do not name it', () => {
    expect(sends(1810, [typed('Send it.'), answered('1810.0')]).verdict.kind).toBe('unknown');
    expect(sends(1811, [all, answered('1810.0')]).verdict.kind).not.toBe('executable');
  });

  test('is no measurement of a fact that another tool measures, nor after what makes it stale', () => {
    expect(sends(1810, [all, answered('1810.0', 'read_file')]).verdict.kind).toBe('unknown');
    expect(sends(1810, [all, answered('1810.0'), answered('Sent.', 'send_money')]).verdict.kind).toBe(
      'unknown',
    );
  });

  test.each([
    '1810.0 dollars',
    ' 1810',
    '01810',
    '1,810',
    '+1810',
    '',
    '1.81e',
    '1810.00000000000000000001',
    'NaN',
  ])('but %j is text and measures nothing', (result) => {
    expect(sends(1810, [all, answered(result)]).verdict.kind).toBe('unknown');
  });
});
