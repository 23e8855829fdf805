import { fc, test as law } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/events/json.ts';
import { checkSchema, validatePayload } from '../../src/gate/payload.ts';
import { frozen } from '../frozen.ts';

const DRAFT_4 = 'http://json-schema.org/draft-04/schema#';
const DRAFT_7 = 'http://json-schema.org/draft-07/schema#';
const DRAFT_2019 = 'https://json-schema.org/draft/2019-09/schema';
const DRAFT_2020 = 'https://json-schema.org/draft/2020-12/schema';

const transfer = frozen({
  type: 'object',
  properties: {
    to: { type: 'string', minLength: 1 },
    amount: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.01 },
    tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, uniqueItems: true },
    at: { type: 'string', format: 'date-time' },
  },
  required: ['to', 'amount'],
  additionalProperties: false,
});

describe('whether a schema may judge', () => {
  test.each<[Json, string]>([
    [{}, '2020-12'],
    [true, '2020-12'],
    [{ $schema: DRAFT_4 }, '4'],
    [{ $schema: DRAFT_7 }, '7'],
    [{ $schema: 'http://json-schema.org/draft-07/schema' }, '7'],
    [{ $schema: DRAFT_2019 }, '2019-09'],
    [{ $schema: DRAFT_2020 }, '2020-12'],
    [{ $ref: '#/$defs/a', $defs: { a: { properties: { next: { $ref: '#/$defs/a' } } } } }, '2020-12'],
    [{ $id: 'urn:x', properties: { a: { $ref: 'urn:x#/properties/b' }, b: {} } }, '2020-12'],
    [{ properties: { $id: { type: 'string' }, $ref: { type: 'string' } } }, '2020-12'],
    [{ $ref: '#thing', $defs: { x: { $anchor: 'thing' } } }, '2020-12'],
    [{ enum: [{ $ref: 'http://example.org/' }], default: { pattern: '(' } }, '2020-12'],
  ])('%j is read as %s', (schema, dialect) => {
    expect(checkSchema(schema)).toEqual({ dialect });
  });

  test.each<[Json, string]>([
    [null, 'schema_unreadable'],
    ['text', 'schema_unreadable'],
    [[], 'schema_unreadable'],
    [{ $schema: 'http://json-schema.org/draft-03/schema#' }, 'schema_unreadable'],
    [{ $schema: 7 }, 'schema_unreadable'],
    [{ $ref: 'https://example.org/other.json' }, 'schema_unreadable'],
    [{ $ref: '#/$defs/none' }, 'schema_unreadable'],
    [{ $ref: '#none' }, 'schema_unreadable'],
    [{ $ref: '#/%zz' }, 'schema_unreadable'],
    [{ properties: { a: { $id: 'https://example.org/a' } } }, 'schema_unreadable'],
    [{ type: 'text' }, 'schema_unreadable'],
    [{ required: true }, 'schema_unreadable'],
    [{ properties: [] }, 'schema_unreadable'],
    [{ properties: { a: 'string' } }, 'schema_unreadable'],
    [{ anyOf: {} }, 'schema_unreadable'],
    [{ exclusiveMinimum: true, minimum: 1 }, 'schema_unreadable'],
    [{ pattern: '(' }, 'schema_unreadable'],
    [{ pattern: '(a+)+$' }, 'schema_unbounded'],
    [{ patternProperties: { '(a+)+$': {} } }, 'schema_unbounded'],
    [{ $ref: '#' }, 'schema_unbounded'],
    [{ allOf: [{ $ref: '#/$defs/a' }], $defs: { a: { anyOf: [{ $ref: '#' }] } } }, 'schema_unbounded'],
    [JSON.parse(`${'{"not":'.repeat(200)}{}${'}'.repeat(200)}`) as Json, 'schema_unbounded'],
  ])('%j is refused as %s', (schema, fault) => {
    expect(checkSchema(schema)).toEqual({ fault });
    expect(validatePayload(schema, {})).toEqual({ ok: false, at: '', keyword: fault });
  });
});

describe('a payload', () => {
  test.each<[Json, string, string]>([
    [{}, '', 'required'],
    [{ to: 'x' }, '', 'required'],
    [{ to: '', amount: 1 }, '/to', 'minLength'],
    [{ to: 'x', amount: 0 }, '/amount', 'exclusiveMinimum'],
    [{ to: 'x', amount: '1' }, '/amount', 'type'],
    [{ to: 'x', amount: 0.015 }, '/amount', 'multipleOf'],
    [{ to: 'x', amount: 1, extra: 1 }, '/extra', 'additionalProperties'],
    [{ to: 'x', amount: 1, tags: ['a', 'c'] }, '/tags/1', 'enum'],
    [{ to: 'x', amount: 1, tags: ['a', 'a'] }, '/tags', 'uniqueItems'],
    [{ to: 1, amount: '1' }, '/amount', 'type'],
    ['text', '', 'type'],
    [{ to: 'x', amount: 1, 'ä/~ %': 1 }, '/ä~1~0 %', 'additionalProperties'],
  ])('%j fails at "%s" by %s', (value, at, keyword) => {
    expect(validatePayload(transfer, frozen(value))).toEqual({ ok: false, at, keyword });
  });

  test('that fits is let through, and a format is an annotation only', () => {
    expect(validatePayload(transfer, { to: 'x', amount: 0.07, tags: ['a'], at: 'tomorrow' })).toEqual({
      ok: true,
    });
  });

  test('of no branch says so once, at its place', () => {
    const schema = {
      properties: { a: { anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: false }] } },
    };
    expect(validatePayload(schema, { a: { b: 1 } })).toEqual({ ok: false, at: '/a', keyword: 'anyOf' });
    expect(validatePayload(schema, { a: {} })).toEqual({ ok: true });
  });

  test('is judged by the dialect of its schema', () => {
    const limits = { minimum: 1, exclusiveMinimum: true, $schema: DRAFT_4 };
    expect(validatePayload(limits, 1)).toEqual({ ok: false, at: '', keyword: 'minimum' });
    const beside = { $ref: '#/definitions/a', maxLength: 1, definitions: { a: { type: 'string' } } };
    expect(validatePayload({ ...beside, $schema: DRAFT_7 }, 'ab')).toEqual({ ok: true });
    expect(validatePayload({ ...beside, $schema: DRAFT_2020 }, 'ab')).toEqual({
      ok: false,
      at: '',
      keyword: 'maxLength',
    });
    const tuple = { items: [{ type: 'string' }], additionalItems: false, $schema: DRAFT_7 };
    expect(validatePayload(tuple, ['a', 1])).toEqual({ ok: false, at: '/1', keyword: 'additionalItems' });
    const prefixed = { prefixItems: [{ type: 'string' }], items: { type: 'number' } };
    expect(validatePayload(prefixed, ['a', 1])).toEqual({ ok: true });
  });

  test('of a recursive schema is followed into the value', () => {
    const tree = {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          required: ['id'],
          properties: {
            id: { type: 'integer' },
            children: { type: 'array', items: { $ref: '#/$defs/node' } },
          },
        },
      },
    };
    expect(validatePayload(tree, { id: 1, children: [{ id: 2, children: [{ id: 'x' }] }] })).toEqual({
      ok: false,
      at: '/children/0/children/0/id',
      keyword: 'type',
    });
    const meta = { properties: { sub: { $dynamicRef: '#m' }, n: { type: 'number' } }, $dynamicAnchor: 'm' };
    expect(validatePayload(meta, { sub: { sub: { n: 'x' } } })).toEqual({
      ok: false,
      at: '/sub/sub/n',
      keyword: 'type',
    });
  });

  test('that is nested too deep, or would cost too much, is refused', () => {
    let deep: Json = 1;
    for (let i = 0; i < 100; i++) deep = { a: deep };
    const self = { properties: { a: { $ref: '#' } } };
    expect(validatePayload(self, deep)).toEqual({ ok: false, at: '', keyword: 'unbounded' });

    const $defs: Record<string, Json> = { d0: { type: 'string' } };
    for (let i = 1; i < 40; i++)
      $defs[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i - 1}` }, { $ref: `#/$defs/d${i - 1}` }] };
    expect(validatePayload({ $ref: '#/$defs/d39', $defs }, 'x')).toEqual({
      ok: false,
      at: '',
      keyword: 'unbounded',
    });

    const slow = { pattern: '^a*a*a*a*b$' };
    expect(validatePayload(slow, 'a'.repeat(100_000))).toEqual({ ok: false, at: '', keyword: 'unbounded' });
    expect(validatePayload(slow, 'aaab')).toEqual({ ok: true });
    const unique = { uniqueItems: true };
    expect(
      validatePayload(
        unique,
        Array.from({ length: 5000 }, (_, i) => i),
      ),
    ).toEqual({
      ok: false,
      at: '',
      keyword: 'unbounded',
    });
  });

  test('with half a surrogate pair in a key fails, and never throws', () => {
    expect(validatePayload({ additionalProperties: { type: 'string' } }, { '\ud800': 1 })).toEqual({
      ok: false,
      at: '',
      keyword: 'unreadable',
    });
  });

  test('with the key __proto__ is judged like any other', () => {
    const schema = JSON.parse(
      '{"properties":{"__proto__":{"type":"string"}},"additionalProperties":false}',
    ) as Json;
    expect(validatePayload(schema, JSON.parse('{"__proto__":1}') as Json)).toEqual({
      ok: false,
      at: '/__proto__',
      keyword: 'type',
    });
    expect(validatePayload(schema, JSON.parse('{"__proto__":"x"}') as Json)).toEqual({ ok: true });
    expect(validatePayload({ required: ['toString'] }, {})).toEqual({
      ok: false,
      at: '',
      keyword: 'required',
    });
  });

  law.prop([fc.dictionary(fc.constantFrom('to', 'amount', 'tags', 'at', '10', '9', 'z'), fc.jsonValue())])(
    'gives the same first failure whatever the order of its keys',
    (value) => {
      const turned = Object.fromEntries(Object.entries(value).reverse());
      expect(validatePayload(transfer, turned as Json)).toEqual(validatePayload(transfer, value as Json));
    },
  );

  law.prop([fc.jsonValue()])('never makes it throw, and a schema of any shape neither', (value) => {
    const json = value as Json;
    expect(typeof validatePayload(transfer, json).ok).toBe('boolean');
    expect(typeof validatePayload({ properties: json, anyOf: json, items: json }, json).ok).toBe('boolean');
  });
});

describe('a schema of the plainest kind', () => {
  const scalar = fc.constantFrom<Json>(null, true, false, 0, 1, 2.5, 'a', 'b', '');
  const value = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      scalar,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c', '\ud800'), tie('value'), { maxKeys: 3 }),
    ),
  })).value;
  const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
  const node = fc.letrec<{ node: Json }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      fc.boolean(),
      fc.record(
        {
          type: fc.oneof(
            fc.constantFrom(...types),
            fc.uniqueArray(fc.constantFrom(...types), { minLength: 1 }),
          ),
          enum: fc.uniqueArray(scalar, { minLength: 1 }),
          required: fc.uniqueArray(fc.constantFrom('a', 'b')),
          properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('node')),
          additionalProperties: tie('node'),
          items: tie('node'),
          minLength: fc.constant(1),
        },
        { requiredKeys: [] },
      ) as fc.Arbitrary<Json>,
    ),
  })).node;

  law.prop([node, value], { numRuns: 2000 })(
    'takes what the validator takes, and nothing else',
    (schema, of) => {
      expect(validatePayload(schema, of).ok).toBe(validatePayload({ allOf: [schema] }, of).ok);
    },
  );

  test('whose value is larger than may be judged takes nothing, as any other', () => {
    const deep = JSON.parse(`${'['.repeat(80)}${']'.repeat(80)}`) as Json;
    expect(validatePayload({}, deep)).toMatchObject({ ok: false, keyword: 'unbounded' });
    const long = Array.from({ length: 60_000 }, () => 1);
    expect(validatePayload({ items: { type: 'integer' } }, long)).toMatchObject({
      ok: false,
      keyword: 'unbounded',
    });
  });
});
