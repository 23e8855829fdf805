import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/events/json.ts';
import { given, user } from '../../src/testing/index.ts';

const SCHEMA = {
  type: 'object',
  required: ['amount', 'kind'],
  properties: { amount: { type: 'number' }, kind: { const: 'a' } },
};

/** Who declared what the verdict says of the arguments, by where the schema stands. */
function declarers(where: 'system' | 'provider' | 'tool', schema: Json, args: Json) {
  const system = {
    grounds: 1,
    checklist: 'a/system',
    declared_by: 'system',
    intent: { unmarked_timing: 'immediate', act_words: { send: ['send'] } },
  };
  const rules = { tools: { send: { schema } } };
  const provider = { grounds: 1, checklist: 'a/provider', declared_by: 'provider', ...rules };
  const checklists =
    where === 'system' ? [{ ...system, ...rules }] : where === 'provider' ? [system, provider] : [system];
  const { unmet, slots } = given([user('send 5')], checklists as never)
    .propose('send', args, where === 'tool' ? { tool: { input_schema: schema } } : {})
    .verdict();
  return Object.fromEntries(
    [...unmet, ...(slots ?? [])].map(({ reason, declared_by }) => [reason, declared_by]),
  );
}

describe.each([
  ['system', 'system'],
  ['provider', 'provider'],
  ['tool', 'provider'],
] as const)('of a schema that stands in what the %s brings', (where, party) => {
  test('what breaks it is unmet by its declarer', () => {
    expect(declarers(where, SCHEMA, { amount: 5, kind: 'b' })).toMatchObject({ payload_invalid: party });
  });

  test('the slots, the fixed values and the faults are its declarer’s', () => {
    expect(declarers(where, SCHEMA, { amount: 5, kind: 'a' })).toMatchObject({
      located: party,
      fixed_by_schema: party,
    });
    expect(declarers(where, { type: 'nonsense' }, { amount: 5 })).toMatchObject({ schema_unreadable: party });
  });
});

test('a schema that nobody brought is the provider’s to bring', () => {
  const checklist = {
    grounds: 1,
    checklist: 'a/b',
    declared_by: 'system',
    intent: { unmarked_timing: 'immediate', act_words: { send: ['send'] } },
  };
  given([user('send 5')], checklist as never)
    .propose('send', { amount: 5 })
    .finds({ kind: 'definition_repair', slots: { '/': 'schema_missing' } });
});
