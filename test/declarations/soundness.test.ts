import { describe, expect, test } from 'vitest';
import { celNames } from '../../src/declarations/cel-names.ts';
import { parseChecklist } from '../../src/declarations/load.ts';
import type { LocatedProblem } from '../../src/declarations/problem.ts';
import { soundnessOf } from '../../src/declarations/soundness.ts';
import { isGroundsError } from '../../src/errors.ts';
import { bank, checklistOf } from '../checklists.ts';
import { frozen } from '../frozen.ts';

/** The findings of a system's (or another party's) file as `code at path`. */
function findings(
  body: string,
  party = 'system',
  options: Parameters<typeof parseChecklist>[2] = {},
): string[] {
  try {
    parseChecklist(`grounds: 1\nchecklist: a\ndeclared_by: ${party}\n${body}\n`, 'c.yaml', options);
    return [];
  } catch (error) {
    if (!isGroundsError(error)) throw error;
    return (error.facts.problems as LocatedProblem[]).map(({ code, path }) => `${code} at ${path}`);
  }
}

const ORDER = 'facts: { order: { measured_by: [{ tool: get_order, match: { result/id: /order_id } }] } }\n';
const tool = (rules: string): string => `${ORDER}tools: { t: ${rules} }`;
const slot = (rules: string): string => tool(`{ slots: { /a: ${rules} } }`);
const fact = (rules: string): string => `facts: { f: { ${rules} } }`;

describe('a sound checklist', () => {
  test('has no findings', () => {
    expect(soundnessOf(bank().checklist)).toEqual([]);
    expect(soundnessOf(checklistOf({}))).toEqual([]);
  });

  test('is left as it was, and works frozen', () => {
    expect(soundnessOf(frozen(bank().checklist))).toEqual([]);
  });
});

describe('across its items a checklist is unsound with', () => {
  test.each<[string, string, string[]]>([
    [
      'a value computed by no condition',
      slot('{ fixed_by: c }'),
      ['slot/fixed_by at /tools/t/slots/~1a/fixed_by'],
    ],
    [
      'a reader that nobody declares',
      slot('{ reader: dte }'),
      ['reader/unknown at /tools/t/slots/~1a/reader'],
    ],
    [
      'a measurement of no fact',
      slot('{ measured: ["ordr#/x"] }'),
      ['fact/unknown at /tools/t/slots/~1a/measured/0'],
    ],
    [
      'a phrase for no fact',
      slot('{ phrases: { it: "ordr#/x" } }'),
      ['fact/unknown at /tools/t/slots/~1a/phrases/it'],
    ],
    [
      'an id named among no siblings',
      slot('{ named_by: [{ record: "order#/x", id: /id, by: [/n] }] }'),
      ['named_by/no_siblings at /tools/t/slots/~1a/named_by/0/record'],
    ],
    [
      'measured_data that nothing measures',
      slot('{ sources: [measured_data] }'),
      ['sources/nothing_measured at /tools/t/slots/~1a/sources'],
    ],
    [
      'a measurement that the sources leave out',
      slot('{ sources: [instruction], measured: ["order#/x"] }'),
      ['sources/not_measured at /tools/t/slots/~1a/sources'],
    ],
    [
      'a setting that the sources leave out',
      slot('{ sources: [instruction], setting: s }'),
      ['sources/not_set at /tools/t/slots/~1a/sources'],
    ],
    [
      'prior_state alone',
      slot('{ sources: [instruction, prior_state] }'),
      ['sources/prior_state_alone at /tools/t/slots/~1a/sources'],
    ],
    [
      'an ungated argument that is required',
      tool('{ slots: { /a: { required: true } }, ungated: { /a: why } }'),
      ['ungated/has_rules at /tools/t/ungated/~1a'],
    ],
    [
      'two lists of slots',
      tool('{ slots_from_proposal: true, schema: { type: object } }'),
      ['slots/two_lists at /tools/t/slots_from_proposal'],
    ],
    ['a schema that is none', tool('{ schema: [] }'), ['schema/form at /tools/t/schema']],
    [
      'each over what is no array',
      tool('{ conditions: { c: { each: /items, require: item.x } } }'),
      ['pattern/not_elements at /tools/t/conditions/c/each'],
    ],
    [
      'a fact for each of what is no array',
      fact('each: /items, measured_by: [{ tool: x }]'),
      ['pattern/not_elements at /facts/f/each'],
    ],
    [
      'a match with a bare word',
      fact('measured_by: [{ tool: x, match: { result/id: order_id } }]'),
      ['match/right at /facts/f/measured_by/0/match/result~1id'],
    ],
    [
      'a match with an unknown fact',
      fact('measured_by: [{ tool: x, match: { result/id: "g#/id" } }]'),
      ['fact/unknown at /facts/f/measured_by/0/match/result~1id'],
    ],
    [
      'a match with an element nobody chose',
      fact('measured_by: [{ tool: x, match: { result/id: /items/*/id } }]'),
      ['match/which_element at /facts/f/measured_by/0/match/result~1id'],
    ],
    [
      'a fact keyed by itself',
      fact('measured_by: [{ tool: x, match: { result/id: "f#/id" } }]'),
      ['fact/keyed_by_itself at /facts/f/measured_by/0/match/result~1id'],
    ],
    [
      'a staleness keyed by nothing known',
      fact('measured_by: [{ tool: x }], stale_after: [{ tools: [y], match: { arguments/a: a } }]'),
      ['match/right at /facts/f/stale_after/0/match/arguments~1a'],
    ],
    [
      'a fact with a name of the language',
      'facts: { args: { measured_by: [{ tool: x }] } }',
      ['name/reserved at /facts/args'],
    ],
    [
      'a template of two parts side by side',
      fact('measured_by: [{ tool: x, template: "is {a}{b}" }]'),
      ['template/form at /facts/f/measured_by/0/template'],
    ],
    [
      'a template with a stray brace',
      fact('measured_by: [{ tool: x, template: "is {A}" }]'),
      ['template/form at /facts/f/measured_by/0/template'],
    ],
    [
      'a template of one name twice',
      fact('measured_by: [{ tool: x, template: "{a} is {a}" }]'),
      ['template/form at /facts/f/measured_by/0/template'],
    ],
    [
      'a template without words',
      fact('measured_by: [{ tool: x, template: "{a}: {b}" }]'),
      ['template/form at /facts/f/measured_by/0/template'],
    ],
    [
      'a template without parts',
      fact('measured_by: [{ tool: x, template: "done" }]'),
      ['template/form at /facts/f/measured_by/0/template'],
    ],
    [
      'a template and another record',
      fact('measured_by: [{ tool: x, record: /r, template: "is {a}" }]'),
      ['template/record at /facts/f/measured_by/0/record'],
    ],
    [
      'a match with no part of the template',
      fact('measured_by: [{ tool: x, template: "is {a}", match: { record/b: /b } }]'),
      ['template/part at /facts/f/measured_by/0/match/record~1b'],
    ],
    ['a group of no elements', 'groups: [{ of: [/items] }]', ['pattern/not_elements at /groups/0/of/0']],
    [
      'a field outside its group',
      `${ORDER}groups: [{ of: [/i/*], records: [{ fact: "order#", fields: { /i/*/a: record/a, /j/*/b: record/b } }] }]`,
      ['group/field_outside at /groups/0/records/0/fields/~1j~1*~1b'],
    ],
    [
      'a group that its record does not cover',
      `${ORDER}groups: [{ of: [/i/*, /j/*], records: [{ fact: "order#", fields: { /i/*: record/a } }] }]`,
      ['group/not_covered at /groups/0/records/0/fields'],
    ],
    [
      'a word that is yes and no',
      'intent: { yes: [ok, Fine], no: [fine] }',
      ['words/yes_and_no at /intent/no/0'],
    ],
    ['a blank word', 'intent: { yes: [" "] }', ['words/blank at /intent/yes/0']],
    [
      'a timing without its detail',
      'intent: { timing: { scheduled: { words: [later] } } }',
      ['timing/detail at /intent/timing/scheduled'],
    ],
    [
      'a detail of what is immediate',
      'intent: { timing: { immediate: { words: [now], detail: date } } }',
      ['timing/detail at /intent/timing/immediate/detail'],
    ],
    [
      'act words of a misspelt tool',
      'intent: { act_words: { send_mony: [send] } }\ntools: { send_money: {} }',
      ['tool/no_rules at /intent/act_words/send_mony'],
    ],
    [
      'a group of a misspelt tool',
      'groups: [{ of: [/i/*], tools: [send_mony] }]\ntools: { send_money: {} }',
      ['tool/no_rules at /groups/0/tools/0'],
    ],
    [
      'a reader named like a built-in one',
      'readers: { text: { one_of: { a: [b] } } }',
      ['reader/built_in at /readers/text'],
    ],
    [
      'a phrase of two meanings',
      'readers: { r: { one_of: { a: [Red  one], b: [red one] } } }',
      ['reader/ambiguous at /readers/r/one_of/b/0'],
    ],
    [
      'a boolean phrase of two meanings',
      'readers: { r: { boolean: { true: [ok], false: [ok] } } }',
      ['reader/ambiguous at /readers/r/boolean/false/0'],
    ],
    ['a choice without choices', 'readers: { r: { one_of: {} } }', ['reader/empty at /readers/r']],
    [
      'a word where the number stands',
      'readers: { r: { integer: { none: [0] } } }'.replace('[0]', '["0"]'),
      ['reader/number at /readers/r/integer/none'],
    ],
    [
      'a fraction among integers',
      'readers: { r: { integer: { 0.5: [half] } } }',
      ['reader/number at /readers/r/integer/0.5'],
    ],
    [
      'parts of expressions in a circle',
      'define: { a: b + 1, b: "c", c: a, d: a }',
      ['define/circle at /define/a', 'define/circle at /define/b', 'define/circle at /define/c'],
    ],
    ['a part named like a fact', `${ORDER}define: { order: "1" }`, ['name/reserved at /define/order']],
    [
      'an unknown name in an expression',
      tool('{ conditions: { c: { require: ordr.x == 1 } } }'),
      ['expression/unknown_name at /tools/t/conditions/c/require'],
    ],
    [
      'an element outside each',
      tool('{ conditions: { c: { require: item.x == 1 } } }'),
      ['expression/outside_each at /tools/t/conditions/c/require'],
    ],
    [
      'an unknown name in reversible',
      tool('{ reversible: amount < 3 }'),
      ['expression/unknown_name at /tools/t/reversible'],
    ],
  ])('%s', (_, body, wanted) => {
    expect(findings(body)).toEqual(wanted);
  });

  test('an expression that does not compile, told with the words of the compiler', () => {
    const compile = (source: string, defines: Readonly<Record<string, string>>) => {
      expect(defines).toEqual({ limit: '3' });
      return source.includes('matches') ? { fault: { message: 'matches is not allowed' } } : {};
    };
    const checklist = parseChecklist(
      'grounds: 1\nchecklist: a\ndeclared_by: system\ndefine: { limit: "3" }\ntools: { t: { reversible: args.a < limit, conditions: { c: { require: args.a.matches("x") } } } }\n',
      'c.yaml',
    ).checklist;
    expect(soundnessOf(checklist, { compile })).toEqual([
      {
        path: '/tools/t/conditions/c/require',
        code: 'expression/invalid',
        message: 'This does not compile: matches is not allowed.',
        hint: 'See the list of operators and functions in docs/checklist.md.',
        reason: 'expression_invalid',
      },
    ]);
  });
});

describe('what stays allowed:', () => {
  test.each([
    ['two tools that share an act word', 'intent: { act_words: { a: [go], b: [go] } }'],
    [
      'act words of a tool without rules',
      'intent: { act_words: { read_mail: [read] } }\ntools: { send_money: {} }',
    ],
    [
      'facts keyed by each other in turns',
      'facts: { a: { measured_by: [{ tool: x, match: { result/i: "b#/i" } }, { tool: x, match: { result/i: typed } }] }, b: { measured_by: [{ tool: y, match: { result/i: "a#/i" } }] } }',
    ],
    [
      'names bound inside an expression',
      tool('{ conditions: { c: { require: "args.xs.all(x, x > 0) && [1].map(y, y * 2) == [2]" } } }'),
    ],
    [
      'names in texts, keys and comments',
      tool(`{ conditions: { c: { require: 'args.a == "ordr" && order["x"] == 1 // ordr' } } }`),
    ],
  ])('%s', (_, body) => {
    expect(findings(body)).toEqual([]);
  });

  test('prior_state alone under the ruleset inherit', () => {
    expect(findings(slot('{ sources: [prior_state] }'), 'system', { ruleset: 'inherit' })).toEqual([]);
  });
});

describe('elsewhere than in a system checklist', () => {
  const opening: [string, string][] = [
    ['intent: { unmarked_timing: immediate }', '/intent/unmarked_timing'],
    ['intent: { timing: { immediate: { words: [now] } } }', '/intent/timing/immediate'],
    ['intent: { act_words: { t: [go] } }', '/intent/act_words/t'],
    ['intent: { single_tool: true }', '/intent/single_tool'],
    ['intent: { yes: [yes] }', '/intent/yes'],
    ['intent: { no: ["no"] }', '/intent/no'],
    ['now: { author: user, after: "It is " }', '/now'],
    ['zone: EST', '/zone'],
    ['tool_errors: [Error]', '/tool_errors'],
    ['readers: { r: { one_of: { a: [b] } } }', '/readers/r'],
    ['facts: { f: { measured_by: [{ tool: x }] } }', '/facts/f'],
    ['groups: [{ of: [/i/*], records: [{ fact: "f#", fields: { /i/*: record/a } }] }]', '/groups/0/records'],
    ['tools: { t: { reversible: true } }', '/tools/t/reversible'],
    ['tools: { t: { reversible: args.a < 1 } }', '/tools/t/reversible'],
    ['tools: { t: { slots_from_proposal: true } }', '/tools/t/slots_from_proposal'],
    ['tools: { t: { ungated: { /a: why } } }', '/tools/t/ungated/~1a'],
    ['tools: { t: { slots: { /a: { select: member } } } }', '/tools/t/slots/~1a/select'],
    ['tools: { t: { slots: { /a: { measured: ["f#/a"] } } } }', '/tools/t/slots/~1a/measured'],
    [
      'tools: { t: { slots: { /a: { named_by: [{ record: "f#/*", id: /i, by: [/n] }] } } } }',
      '/tools/t/slots/~1a/named_by',
    ],
    ['tools: { t: { slots: { /a: { phrases: { it: "f#/a" } } } } }', '/tools/t/slots/~1a/phrases'],
    [
      'tools: { t: { slots: { /a: { fixed_by: c } }, conditions: { c: { require: args.a == 1 } } } }',
      '/tools/t/slots/~1a/fixed_by',
    ],
    [
      'tools: { t: { slots: { /a: { pending_at_trigger: true } } } }',
      '/tools/t/slots/~1a/pending_at_trigger',
    ],
    [
      'tools: { t: { slots: { /a: { sources: [user_answer, prior_state] } } } }',
      '/tools/t/slots/~1a/sources',
    ],
    [
      'tools: { t: { conditions: { c: { require: args.a == 1, when_measured: true } } } }',
      '/tools/t/conditions/c/when_measured',
    ],
  ];

  test.each(opening)('%s is not allowed', (body, path) => {
    for (const party of ['provider', 'user', 'fixed']) {
      expect(findings(body, party)).toContain(`rights/opening_key at ${path}`);
    }
    expect(findings(body).filter((each) => each.startsWith('rights/'))).toEqual([]);
  });

  test('an item that is not allowed says so as the reason of a verdict', () => {
    const checklist = checklistOf({ declared_by: 'provider', tool_errors: ['Error'] });
    expect(soundnessOf(checklist)).toMatchObject([
      { path: '/tool_errors', reason: 'not_allowed_to_declare' },
    ]);
  });

  test('a setting is the user’s to name, a schema the provider’s', () => {
    const setting = 'tools: { t: { slots: { /a: { setting: s } } } }';
    const schema = 'tools: { t: { schema: {} } }';
    expect(findings(setting, 'user')).toEqual([]);
    expect(findings(setting, 'provider')).toEqual(['rights/opening_key at /tools/t/slots/~1a/setting']);
    expect(findings(schema, 'provider')).toEqual([]);
    expect(findings(schema, 'user')).toEqual(['rights/opening_key at /tools/t/schema']);
  });

  test('a condition that an answer can meet is the user’s, not the provider’s', () => {
    const body = 'tools: { t: { conditions: { c: { require: args.a == 1, sources: [user_answer] } } } }';
    expect(findings(body, 'user')).toEqual([]);
    expect(findings(body, 'provider')).toEqual(['rights/opening_key at /tools/t/conditions/c/sources']);
  });

  test('slots, narrower sources, conditions and reversible: false may stand', () => {
    const body =
      'tools: { t: { reversible: false, slots: { /a: { required: true, sources: [measured_data] } }, conditions: { c: { require: account.open } } } }';
    expect(findings(body, 'provider')).toEqual([]);
    expect(findings(body, 'user')).toEqual([]);
  });

  test('names are looked up in the checklists beside it', () => {
    const body = 'tools: { t: { conditions: { c: { require: acount.open } } } }';
    expect(findings(body, 'provider')).toEqual([]);
    expect(findings(body, 'provider', { beside: [bank().checklist] })).toEqual([
      'expression/unknown_name at /tools/t/conditions/c/require',
    ]);
  });
});

describe('the names of an expression', () => {
  test.each<[string, string[]]>([
    ['order.status == "open" && args.a in xs', ['order', 'args', 'xs']],
    ['xs.all(x, x.y > z) || f(w)', ['xs', 'z', 'w']],
    [`r"a\\" == b && 'it''s' != c`, ['b', 'c']],
    ['1e5 + 0x1F + 2u + n1 // n2', ['n1']],
    ['"unclosed', ['unclosed']],
    ['', []],
  ])('%s are %j', (source, wanted) => {
    expect(celNames(source).map(({ name }) => name)).toEqual(wanted);
  });
});

describe('a pattern of an argument', () => {
  const SCHEMA =
    '{ type: object, properties: { order_id: { type: string }, items: { type: array, items: { type: object, properties: { sku: { type: string } } } } } }';
  const ruled = (slot: string, right: string, schema = SCHEMA) =>
    `facts: { order: { measured_by: [{ tool: get_order, match: { result/id: ${right} } }] } }
tools:
  cancel:
    schema: ${schema}
    slots: { ${slot}: { reader: text } }
    conditions: { open: { require: order.status == "open" } }`;

  test.each([
    ['is right where the schema has it', '/items/*/sku', '/order_id', []],
    [
      'of a slot that the schema lacks',
      '/order_ib',
      '/order_id',
      ['slot/not_in_schema at /tools/cancel/slots/~1order_ib'],
    ],
    [
      'in an element that the schema lacks',
      '/items/*/skew',
      '/order_id',
      ['slot/not_in_schema at /tools/cancel/slots/~1items~1*~1skew'],
    ],
    [
      'in a match that no tool of the fact has',
      '/order_id',
      '/orderid',
      ['slot/not_in_schema at /facts/order/measured_by/0/match/result~1id'],
    ],
  ])('%s', (_, slot, right, found) => {
    expect(findings(ruled(slot, right))).toEqual(found);
  });

  test.each([
    '{ type: object }',
    '{ anyOf: [] }',
    '{ type: object, properties: {}, additionalProperties: true }',
  ])('is not found fault with under a schema that may hold anything: %s', (schema) => {
    expect(findings(ruled('/a', '/b', schema))).toEqual([]);
  });

  test('is hinted at by the argument that was probably meant', () => {
    const error = (() => {
      try {
        return parseChecklist(
          `grounds: 1\nchecklist: a\ndeclared_by: system\n${ruled('/order_ib', '/order_id')}\n`,
          'c.yaml',
        );
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(isGroundsError(error) && error.message).toContain('Did you mean /order_id?');
  });
});
