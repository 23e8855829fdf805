import { expect, test } from 'vitest';
import { Checklist } from '../../src/declarations/checklist.ts';
import { rulesFor } from '../../src/declarations/rules.ts';
import type { Party } from '../../src/events/vocabulary.ts';

const tool = (server: string, annotations: { readonly [hint: string]: boolean }) => ({
  server,
  name: 'look',
  description: null,
  input_schema: null,
  annotations,
});
const policy = (more: object, declared_by: Party = 'system') =>
  Checklist.parse({ grounds: 1, checklist: 'shop/policy', declared_by, ...more });
const trusting = policy({ trusts_annotations_of: ['shop'] });

test.each([
  ['says that it only reads, and is trusted', tool('shop', { readOnlyHint: true }), [trusting], true],
  ['says so, and nobody trusts it', tool('shop', { readOnlyHint: true }), [policy({})], false],
  ['says so, and another server is trusted', tool('other', { readOnlyHint: true }), [trusting], false],
  ['says only that it destroys nothing', tool('shop', { destructiveHint: false }), [trusting], false],
  [
    'says so, and the system says that it can not be taken back',
    tool('shop', { readOnlyHint: true }),
    [policy({ trusts_annotations_of: ['shop'], tools: { look: { reversible: false } } })],
    false,
  ],
])('a tool that %s', (_, given, checklists, reversible) => {
  expect(rulesFor(given, checklists).reversible).toBe(reversible);
});

test('a provider can not have its own hints believed', () => {
  const own = policy({ trusts_annotations_of: ['shop'] }, 'provider');
  const rules = rulesFor(tool('shop', { readOnlyHint: true }), [own]);
  expect(rules.reversible).toBe(false);
  expect(rules.defects).toMatchObject([{ reason: 'not_allowed_to_declare' }]);
});
