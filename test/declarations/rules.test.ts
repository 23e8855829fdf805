import { describe, expect, test } from 'vitest';
import type { Checklist } from '../../src/declarations/checklist.ts';
import { parseChecklist } from '../../src/declarations/load.ts';
import { rulesFor } from '../../src/declarations/rules.ts';
import type { ToolDeclaration } from '../../src/declarations/tool.ts';
import { bank, checklistOf } from '../checklists.ts';

const transfer: ToolDeclaration = {
  server: 'bank',
  name: 'transfer',
  description: null,
  input_schema: null,
  annotations: null,
};

function checklist(party: string, body: string, name = party): Checklist {
  return parseChecklist(`grounds: 1\nchecklist: ${name}\ndeclared_by: ${party}\n${body}\n`, 'c.yaml')
    .checklist;
}

describe('the rules in force for a tool', () => {
  test('are those of the system, where nobody else declares', () => {
    const rules = rulesFor(transfer, [bank().checklist]);
    expect(rules.defects).toEqual([]);
    expect(rules.slots.map(({ pattern }) => pattern)).toEqual([
      '/from_account',
      '/to_account',
      '/amount',
      '/urgency',
    ]);
    expect(rules.conditions.map(({ id, declared_by }) => [id, declared_by])).toEqual([
      ['covered', 'system'],
      ['open', 'system'],
    ]);
    expect(rules.ungated).toEqual({ '/reference': 'The bank fills it in.' });
    expect(rules).toMatchObject({ reversible: false, groups: [], slots_from_proposal: false });
    expect(rulesFor({ ...transfer, name: 'pay_batch' }, [bank().checklist]).groups).toHaveLength(1);
    expect(rulesFor({ ...transfer, name: 'get_account' }, [bank().checklist]).reversible).toBe(true);
    expect(rulesFor({ ...transfer, name: 'toString' }, [bank().checklist])).toMatchObject({
      slots: [],
      defects: [],
    });
  });

  test('keep only the sources that every party allows', () => {
    const provider = checklist(
      'provider',
      'tools: { transfer: { slots: { /amount: { sources: [user_answer, instruction] } } } }',
    );
    const user = checklist(
      'user',
      'tools: { transfer: { slots: { /amount: { sources: [user_answer, measured_data], reader: text } } } }',
    );
    const amount = rulesFor(transfer, [user, provider, bank().checklist]).slots.find(
      ({ pattern }) => pattern === '/amount',
    );
    expect(amount).toMatchObject({
      sources: ['user_answer'],
      reader: 'money',
      required: true,
      declared_by: ['system', 'provider', 'user'],
    });
  });

  test('require what any party requires, and never leave that ungated', () => {
    const provider = checklist(
      'provider',
      'tools: { transfer: { slots: { /reference: { required: true } } } }',
    );
    const rules = rulesFor(transfer, [bank().checklist, provider]);
    expect(rules.ungated).toEqual({});
    expect(rules.slots.at(-1)).toMatchObject({
      pattern: '/reference',
      required: true,
      declared_by: ['provider'],
    });
  });

  test('take a [Required] label for a required slot that is never ungated', () => {
    const labelled = { ...transfer, description: '[Required] /reference\n[Required] /amount: How much.' };
    const rules = rulesFor(labelled, [bank().checklist]);
    expect(rules.ungated).toEqual({});
    expect(rules.defects).toEqual([]);
    expect(rules.slots.find(({ pattern }) => pattern === '/amount')).toMatchObject({
      reader: 'money',
      required: true,
      sources: ['user_answer', 'instruction', 'pre_set_data'],
      declared_by: ['system', 'provider'],
    });
  });

  test('hold the other labels in their order', () => {
    const description =
      '[Verify] final: Final. {on=/amount}\n[Required] owner: Owns it. {by=account#/owner}\n[Notice] fee: A fee.';
    expect(rulesFor({ ...transfer, description }, []).labels.map(({ id }) => id)).toEqual([
      'final',
      'owner',
      'fee',
    ]);
  });

  test.each<[string, string, string, string | null]>([
    ['a label that does not parse', '[Verify] Really?', 'label_malformed', 'label:1'],
    [
      'an attribute that means nothing there',
      '[Verify] final: Final. {require="true"}',
      'label_malformed',
      'label:1',
    ],
    [
      'an attribute of an argument',
      '[Required] /amount: How much. {by=account#/x}',
      'label_malformed',
      'label:1',
    ],
    ['two labels with one id', '[Notice] fee: A.\n[Notice] fee: B.', 'checklist_unsound', null],
    ['a label with the id of a condition', '[Notice] covered: A.', 'checklist_unsound', null],
  ])('have a defect for %s', (_, description, reason, slot) => {
    expect(rulesFor({ ...transfer, description }, [bank().checklist]).defects).toMatchObject([
      { reason, slot },
    ]);
  });

  test('let a call be reversible by the system’s word only, and gated by anyone’s', () => {
    const system = checklist(
      'system',
      'define: { small: args.amount < 5 }\ntools: { transfer: { reversible: small } }',
    );
    const provider = checklist('provider', 'tools: { transfer: { reversible: false } }');
    const opening = checklistOf({
      declared_by: 'provider',
      tools: {
        transfer: {
          reversible: true,
          slots_from_proposal: true,
          slots: {},
          conditions: {},
          ungated: { '/a': 'b' },
        },
      },
    });
    expect(rulesFor(transfer, [system]).reversible).toEqual({
      source: 'small',
      define: { small: 'args.amount < 5' },
    });
    expect(rulesFor(transfer, [provider, system]).reversible).toBe(false);
    const opened = rulesFor(transfer, [opening]);
    expect(opened).toMatchObject({ reversible: false, slots_from_proposal: false, ungated: {} });
    expect(opened.defects.map(({ at, slot, reason }) => [at, slot, reason])).toEqual([
      ['test/policy#/tools/transfer/reversible', null, 'not_allowed_to_declare'],
      ['test/policy#/tools/transfer/slots_from_proposal', null, 'not_allowed_to_declare'],
      ['test/policy#/tools/transfer/ungated/~1a', '/a', 'not_allowed_to_declare'],
    ]);
  });

  test('keep closed what a provider tried to open in a slot', () => {
    const slots = bank().checklist.tools.pay_batch?.slots ?? {};
    const provider = checklistOf({
      declared_by: 'provider',
      tools: { transfer: { slots_from_proposal: false, slots, conditions: {}, ungated: {} } },
    });
    const rules = rulesFor(transfer, [provider]);
    const payee = rules.slots.find(({ pattern }) => pattern === '/payments/*/payee_id');
    expect(payee).toMatchObject({ select: 'single', measured: [] });
    expect(rules.defects.map(({ slot }) => slot)).toContain('/payments/*/payee_id');
  });

  test('leave out the defects of other tools', () => {
    const other = checklistOf({
      declared_by: 'user',
      tools: {
        pay_batch: { reversible: true, slots_from_proposal: false, slots: {}, conditions: {}, ungated: {} },
      },
    });
    expect(rulesFor(transfer, [other]).defects).toEqual([]);
    expect(rulesFor({ ...transfer, name: 'pay_batch' }, [other]).defects).toHaveLength(1);
  });

  test('have a defect for a name that two checklists declare', () => {
    const twice = checklist(
      'system',
      'facts: { account: { measured_by: [{ tool: x }] } }\nreaders: { urgency: { one_of: { a: [b] } } }',
      'more',
    );
    const provider = checklist(
      'provider',
      'tools: { transfer: { conditions: { covered: { require: args.amount > 0 } } } }',
    );
    expect(rulesFor(transfer, [bank().checklist, twice, provider]).defects).toMatchObject([
      { at: 'provider#/tools/transfer/conditions/covered', slot: null, declared_by: 'provider' },
      { at: 'more#/readers/urgency', reason: 'checklist_unsound' },
      { at: 'more#/facts/account' },
    ]);
  });

  test('join the words of several system checklists', () => {
    const more = checklist('system', 'intent: { act_words: { transfer: [move] }, yes: [sure] }', 'more');
    const { intent } = rulesFor(transfer, [bank().checklist, more]);
    expect(intent.act_words.transfer).toEqual(['transfer', 'send', 'wire', 'move']);
    expect(intent.yes).toEqual(['yes', 'go ahead', 'sure']);
  });
});
