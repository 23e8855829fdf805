import { describe, expect, test } from 'vitest';
import { parseChecklist } from '../../src/declarations/load.ts';
import type { Json } from '../../src/events/json.ts';
import { drive, locate, type RunInput } from '../../src/gate/index.ts';

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

const looked = (result: Json): Segment => ({
  at: null,
  author: 'tool',
  typed: false,
  origin: null,
  body: { plain: result },
  observes: { tool: 'get_order', arguments: { plain: {} }, failed: false, fault: null },
});

function shipTo(city: string, take: 'latest' | 'all', select: 'single' | 'member') {
  const { checklist } = parseChecklist(
    `grounds: 1
checklist: test/shop
declared_by: system
intent: { unmarked_timing: immediate, act_words: { ship: [ship] } }
facts:
  orders: { take: ${take}, measured_by: [{ tool: get_order }] }
tools:
  ship:
    schema: { type: object, required: [city], properties: { city: { type: string } } }
    slots:
      /city: { select: ${select}, measured: ["orders#/city"] }
`,
    'shop.yaml',
  );
  const run: RunInput = {
    gate: digest,
    ruleset: 'standard',
    phase: 'at_trigger',
    now: null,
    attempts: { intent: 0, tool: 0 },
    proposal: { received: null, prepared: { plain: { city } } },
    tool: { server: 'test', name: 'ship', description: null, input_schema: null, annotations: null },
    tool_digest: digest,
    checklists: [{ digest, body: checklist }],
    unsound: [],
    action_key: 'ok',
    segments: [typed('Please ship it.'), looked({ city: 'Oslo' }), looked({ city: 'Bergen' })],
    request_from: 0,
    entries: [],
  };
  const { verdict } = drive(run, (request) => locate(run, request));
  const slot = verdict.slots?.find((state) => state.slot === '/city');
  return { kind: verdict.kind, slot, reductions: verdict.reductions.map(({ kind }) => kind) };
}

describe('a slot measured by a fact that takes all records', () => {
  test('does not confirm which of the records was chosen', () => {
    const { kind, slot } = shipTo('Oslo', 'all', 'single');
    expect(kind).toBe('unknown');
    expect(slot).toMatchObject({
      state: 'unknown',
      route: 'ask_user',
      rejected: [{ source: 'measured_data', reason: 'choice_not_confirmed' }],
    });
  });

  test('accepts one of them where membership is declared, and lists that as a reduction', () => {
    const { kind, slot, reductions } = shipTo('Oslo', 'all', 'member');
    expect(kind).toBe('executable');
    expect(slot).toMatchObject({ state: 'known', source: 'measured_data' });
    expect(reductions).toContain('member');
  });

  test('refuses a value that none of them holds', () => {
    expect(shipTo('Paris', 'all', 'member').slot).toMatchObject({
      state: 'unknown',
      rejected: [{ reason: 'not_a_member' }],
    });
  });
});

describe('a slot measured by a fact that takes the latest record', () => {
  test('is confirmed by that record alone, with no reduction for membership', () => {
    const { kind, reductions } = shipTo('Bergen', 'latest', 'member');
    expect(kind).toBe('executable');
    expect(reductions).not.toContain('member');
  });

  test('differs from what an earlier record said', () => {
    expect(shipTo('Oslo', 'latest', 'single').slot).toMatchObject({
      state: 'unknown',
      reason: 'differs_from_proposal',
    });
  });
});
