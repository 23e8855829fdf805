import { expect, test } from 'vitest';
import { GroundsError } from '../../src/errors.ts';
import { type Content, plainOf } from '../../src/events/content.ts';
import { JsonContent, TextContent } from '../../src/events/content-schema.ts';
import { makeEvent } from '../../src/events/index.ts';
import type { Json } from '../../src/events/json.ts';

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

test.each([{}, { plain: undefined }, { plain: 1, sealed: 1 }, { sealed: {} }, 'a', null])(
  'a content is not valid: %j',
  (content) => {
    expect(JsonContent.safeParse(content).success).toBe(false);
    expect(TextContent.safeParse(content).success).toBe(false);
  },
);

test('a value that is not JSON is pointed to when an event is made of it', () => {
  const segment = {
    at: null,
    author: 'tool' as const,
    typed: false,
    origin: null,
    body: { plain: { a: [1, new Date(0)] } as unknown as Json },
    observes: null,
  };
  const of = { id: '7d9f1f0a-52a4-4d11-8a77-0a6a5b1c2d3e', at: '2026-01-31T09:30:00.000Z' };
  expect(() => makeEvent('SegmentAdded', { segment, source: null }, of)).toThrow(
    expect.objectContaining({
      code: 'events/invalid',
      facts: expect.objectContaining({
        path: '/data/segment/body/plain/a/1',
        reason: 'an instance of a class',
      }),
    }),
  );
});
