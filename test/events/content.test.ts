import { expect, test } from 'vitest';
import { GroundsError } from '../../src/errors.ts';
import { type Content, plainOf } from '../../src/events/content.ts';
import { JsonContent, JsonValue, TextContent } from '../../src/events/content-schema.ts';

const sealed: Content<string> = { sealed: { alg: 'sc1', c: 'c0', t: 't0', k: 'k1', type: 'text' } };

test('a plain content gives its value, null too', () => {
  expect(plainOf({ plain: 'a' })).toBe('a');
  expect(plainOf<null>({ plain: null })).toBe(null);
});

test('a sealed content says by which key it is sealed', () => {
  expect(() => plainOf(sealed)).toThrow(GroundsError);
  expect(() => plainOf(sealed)).toThrow(
    expect.objectContaining({ code: 'events/sealed', facts: { key: 'k1', type: 'text' } }),
  );
});

test.each([{ plain: [1, { a: null }] }, sealed])('a content is valid: %j', (content) => {
  expect(JsonContent.safeParse(content).success).toBe(true);
});

test.each([
  {},
  { plain: undefined },
  { plain: Number.NaN },
  { plain: 1, sealed: 1 },
  { sealed: {} },
  'a',
  null,
])('a content is not valid: %j', (content) => {
  expect(JsonContent.safeParse(content).success).toBe(false);
  expect(TextContent.safeParse(content).success).toBe(false);
});

test('a value that is not JSON is pointed to', () => {
  const result = JsonValue.safeParse({ a: [1, new Date(0)] });
  expect(result.error?.issues[0]).toMatchObject({ path: ['a', '1'], message: 'an instance of a class' });
});
